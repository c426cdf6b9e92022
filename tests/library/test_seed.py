"""The seed templates hold to their standard: shape, vocabulary, spread, and worked examples that agree."""

import json
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

import cli
import library
from library.generating import DIFFICULTIES, disagreements, seed_generators
from library.lint import lint_template
from library.protocols import ProgramOutput
from library.template import Example, Template, name_key
from library.verify import jobs_of, verify_template
from reasonflux.grading import Grader
from reasonflux.verification import GradingComparer, SandboxRunner

SEED = Path(library.__file__).parent / "seed"
FILES = sorted(SEED.glob("*/*.yaml"))
SPREAD = {
    "prealgebra": 80,
    "algebra": 70,
    "intermediate-algebra": 70,
    "number-theory": 60,
    "counting-probability": 70,
    "geometry": 60,
    "precalculus": 40,
    "calculus-linear-algebra": 30,
    "logic": 20,
}
WITH_PROGRAM = 400
"""Templates, at the least, whose method computes and that show a program carrying it out."""
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
        timeout=600,
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


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_file_holds_the_templates_of_its_field_and_topic(path: Path) -> None:
    templates = templates_of(path)
    assert templates
    for template in templates:
        assert (template.field, template.topic) == (path.parent.name, path.stem), template.name


def test_there_are_five_hundred_templates_spread_over_all_fields() -> None:
    assert Counter(template.field for template in seed_templates()) == SPREAD


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
        if example.program is not None:
            assert len(example.program.splitlines()) <= 25
            assert ANSWER_PREFIX.strip() in example.program.splitlines()[-1]


def test_most_templates_show_a_program() -> None:
    shown = [any(example.program for example in examples_with_role(t, "index")) for t in seed_templates()]
    assert sum(shown) >= WITH_PROGRAM


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
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    indexed = [e.problem.lower() for t in seed_templates() for e in examples_with_role(t, "index")]
    probes = [e.problem.lower() for t in seed_templates() for e in examples_with_role(t, "probe")]
    assert len(set(indexed) | set(probes)) == len(indexed) + len(probes)
    likeness = process.cdist(
        [probe.split() for probe in probes],
        [problem.split() for problem in indexed],
        scorer=Indel.normalized_similarity,
        score_cutoff=0.6,
    )
    assert [(probes[one], indexed[other]) for one, other in zip(*likeness.nonzero(), strict=True)] == []


@pytest.mark.parametrize("field", SPREAD)
def test_programs_and_checks_run_and_print_the_answer(field: str) -> None:
    templates = [template for template in seed_templates() if template.field == field]
    runner = OneProcess([job.source for template in templates for job in jobs_of(template)])
    with Grader() as grader:
        comparer = GradingComparer(grader)
        results = [result for template in templates for result in verify_template(template, runner, comparer)]
    assert [result for result in results if not result.passed] == []
    for template in templates:
        for program in [example.program for example in template.examples if example.program is not None]:
            lines = runner.run(program).printed.strip().splitlines()
            assert len(lines) >= 2, program
            assert lines[-1].startswith(ANSWER_PREFIX), program


def test_no_check_holds_its_answer() -> None:
    findings = [finding for template in seed_templates() for finding in lint_template(template)]
    assert [finding for finding in findings if finding.code in ("PRG01", "PRG02")] == []


def test_lint_finds_nothing_even_when_strict() -> None:
    arguments = ["library", "lint", *map(str, FILES), "--tags", str(SEED / "tags.yaml"), "--strict", "--json"]
    done = CliRunner().invoke(cli.app, arguments)
    assert done.exit_code == 0, done.stdout[-3000:]


@pytest.mark.parametrize("field", SPREAD)
def test_a_few_draws_of_each_generator_are_confirmed(field: str) -> None:
    generators = [item for item in seed_generators().values() if item.field == field]
    assert len(generators) >= 8
    with Grader() as grader:
        comparer = GradingComparer(grader)
        for generator in generators:
            for difficulty in DIFFICULTIES:
                for draw in generator.draws(3, seed=11, difficulty=difficulty):
                    derived = f"answer = {generator.check(**draw.values)}"
                    example = Example(problem=draw.problem, answer=draw.answer, grader=draw.grader)
                    assert comparer.compare(derived, example).right, (generator.slug, draw, derived)


@pytest.mark.slow
def test_every_program_and_check_is_right_in_the_sandbox() -> None:
    done = CliRunner().invoke(cli.app, ["library", "verify", *map(str, FILES), "--json"])
    assert done.exit_code == 0, done.stdout[-3000:]


@pytest.mark.slow
def test_checks_compute() -> None:
    arguments = ["library", "verify", "--mutants", "--changes", "2", *map(str, FILES), "--json"]
    done = CliRunner().invoke(cli.app, arguments)
    assert done.exit_code == 0, done.stdout[-3000:]


@pytest.mark.slow
def test_generators_draw_distinct_problems_that_are_confirmed() -> None:
    generators = seed_generators()
    assert len(generators) >= 150
    failing = []
    with Grader() as grader:
        comparer = GradingComparer(grader)
        for slug, generator in generators.items():
            for seed, difficulty in ((1, 1), (2, 2), (3, 3)):
                draws = list(generator.draws(50, seed=seed, difficulty=difficulty))
                assert len({draw.problem for draw in draws}) == 50
                found = disagreements(generator.check, draws, SandboxRunner(), comparer)
                failing += [(slug, difficulty, draws[place].problem, why) for place, why in found]
    assert failing == []
