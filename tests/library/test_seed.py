"""The seed templates hold to their standard: shape, vocabulary, spread, and worked examples that agree."""

import difflib
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml

import library
from library.protocols import Comparison, ProgramOutput
from library.template import FIELDS, Example, Template, name_key
from library.verify import jobs_of, verify_template

SEED = Path(library.__file__).parent / "seed"
FILES = sorted(SEED.glob("*/*.yaml"))
ANSWER_PREFIX = "answer = "

# Runs many programs in one process, so that SymPy is imported once: reads a JSON list of sources,
# writes a JSON list of {"output"} or {"error"}.
HARNESS = """
import contextlib, io, json, sys
results = []
for source in json.load(sys.stdin):
    captured = io.StringIO()
    try:
        with contextlib.redirect_stdout(captured):
            exec(compile(source, "program", "exec"), {"__name__": "__main__"})
        results.append({"output": captured.getvalue()})
    except Exception as error:
        results.append({"error": repr(error)})
json.dump(results, sys.stdout)
"""


@cache
def templates_of(path: Path) -> tuple[Template, ...]:
    """Return the templates of one seed file."""
    return tuple(Template.model_validate(record) for record in yaml.safe_load(path.read_text(encoding="utf-8")))


@cache
def seed_templates() -> tuple[Template, ...]:
    """Return all seed templates."""
    return tuple(template for path in FILES for template in templates_of(path))


def examples_with_role(template: Template, role: str) -> list[Example]:
    return [example for example in template.examples if example.role == role]


def run_all(sources: list[str]) -> list[dict[str, str]]:
    """Run the programs in one isolated interpreter and return what each one printed or raised."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", HARNESS],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    results: list[dict[str, str]] = json.loads(done.stdout)
    return results


class OneProcess:
    """Runs programs that were all run before, in one process."""

    def __init__(self, sources: list[str]) -> None:
        self._results = dict(zip(sources, run_all(sources), strict=True))

    def run(self, source: str) -> ProgramOutput:
        result = self._results[source]
        return ProgramOutput("error" not in result, result.get("output", ""), result.get("error", ""))


class Sympy:
    """Compares the last line with the answer: the same text, or the same exact number or expression."""

    def compare(self, printed: str, example: Example) -> Comparison:
        value = printed.strip().splitlines()[-1].removeprefix(ANSWER_PREFIX)
        return Comparison(agrees(value, example.answer, example.grader), value)


def agrees(printed: str, answer: str, grader: str) -> bool:
    """Say whether a printed value is the answer: the same text, or the same exact number or expression."""
    if printed == answer:
        return True
    if grader == "text":
        return False
    from sympy import SympifyError, simplify, sympify

    try:
        return bool(simplify(sympify(printed, rational=True) - sympify(answer, rational=True)) == 0)
    except (SympifyError, SyntaxError, TypeError):
        return False


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_file_holds_the_templates_of_its_field_and_topic(path: Path) -> None:
    templates = templates_of(path)
    assert templates
    for template in templates:
        assert (template.field, template.topic) == (path.parent.name, path.stem), template.name


def test_there_are_forty_templates_over_all_fields() -> None:
    assert len(seed_templates()) == 40
    assert {template.field for template in seed_templates()} == set(FIELDS)


def test_names_and_slugs_are_unique() -> None:
    assert len({name_key(template.name) for template in seed_templates()}) == len(seed_templates())
    assert len({template.slug for template in seed_templates()}) == len(seed_templates())


@pytest.mark.parametrize("template", seed_templates(), ids=lambda template: template.slug)
def test_a_template_is_complete(template: Template) -> None:
    assert template.status == "active"
    assert 3 <= len(template.tags) <= 7
    assert len({name_key(tag) for tag in template.tags}) == len(template.tags)
    assert template.scope
    assert 3 <= len(template.steps) <= 8
    assert len(set(template.steps)) == len(template.steps)
    assert examples_with_role(template, "index")
    assert examples_with_role(template, "probe")
    for example in template.examples:
        assert example.solution
        assert example.check
    for example in examples_with_role(template, "index"):
        assert example.program is not None
        assert len(example.program.splitlines()) <= 25
        assert ANSWER_PREFIX.strip() in example.program.splitlines()[-1]


def test_no_step_is_used_by_two_templates() -> None:
    steps = [step for template in seed_templates() for step in template.steps]
    assert len(set(steps)) == len(steps)


def test_tags_are_a_closed_and_defined_vocabulary() -> None:
    definitions = yaml.safe_load((SEED / "tags.yaml").read_text(encoding="utf-8"))
    assert all(isinstance(text, str) and text and "\n" not in text for text in definitions.values())
    assert list(definitions) == sorted(definitions)
    used = {tag for template in seed_templates() for tag in template.tags}
    assert used == set(definitions)


def test_no_probe_reads_like_an_indexed_problem() -> None:
    indexed = [e.problem for t in seed_templates() for e in examples_with_role(t, "index")]
    probes = [e.problem for t in seed_templates() for e in examples_with_role(t, "probe")]
    assert len(set(indexed) | set(probes)) == len(indexed) + len(probes)
    close = [
        (probe, problem)
        for probe in probes
        for problem in indexed
        if difflib.SequenceMatcher(None, probe.lower().split(), problem.lower().split()).ratio() > 0.5
    ]
    assert close == []


def test_programs_and_checks_run_and_print_the_answer() -> None:
    jobs = [job for template in seed_templates() for job in jobs_of(template)]
    assert len(jobs) == 120
    runner = OneProcess([job.source for job in jobs])
    results = [result for template in seed_templates() for result in verify_template(template, runner, Sympy())]
    assert [result for result in results if not result.passed] == []


def test_a_program_names_the_facts_it_finds() -> None:
    programs = [e.program for t in seed_templates() for e in t.examples if e.program is not None]
    for program, result in zip(programs, run_all(programs), strict=True):
        lines = result["output"].strip().splitlines()
        assert len(lines) >= 2, program
        assert all(" = " in line or " =" in line for line in lines), program


@pytest.mark.parametrize("template", seed_templates(), ids=lambda template: template.slug)
def test_no_check_is_a_bare_literal(template: Template) -> None:
    import ast

    for example in template.examples:
        assert example.check is not None
        tree = ast.parse(example.check)
        assert any(isinstance(node, (ast.BinOp, ast.Compare, ast.Call)) for node in ast.walk(tree))
        literals = {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        assert example.answer not in literals, template.name
