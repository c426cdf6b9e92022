"""`reasonflux library add`: one template, given by options, by a file, or written in an editor."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import assemble_library, console, editor, library_view, settings, template_form
from reasonflux.commands.arguments import argument_text
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption, WeightsOption
from reasonflux.commands.library_options import DraftOption, opened, path_of
from reasonflux.errors import UsageError

if TYPE_CHECKING:
    from library.template import Template

app = typer.Typer()


@app.command(
    epilog=console.examples(
        "reasonflux library add",
        "reasonflux library add --from template.yaml",
        'reasonflux library add --name "Halve it" --description "Halves a number." --step "Divide it by two."',
        "reasonflux library add --from template.yaml --draft --json",
    ),
)
def add(
    name: Annotated[str | None, typer.Option("--name", help="Name, unique in the library.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A tag; repeatable.")] = None,
    description: Annotated[str | None, typer.Option("--description", help="What the template does.")] = None,
    scope: Annotated[str | None, typer.Option("--scope", help="When it applies.")] = None,
    step: Annotated[list[str] | None, typer.Option("--step", help="A step, in order; repeatable.")] = None,
    field: Annotated[str | None, typer.Option("--field", help="The field it belongs to.")] = None,
    topic: Annotated[str | None, typer.Option("--topic", help="The topic within the field.")] = None,
    example_problem: Annotated[
        list[str] | None, typer.Option("--example-problem", help="A worked example's problem; repeatable.")
    ] = None,
    example_answer: Annotated[
        list[str] | None, typer.Option("--example-answer", help="Its answer; one for each problem.")
    ] = None,
    source_file: Annotated[
        Path | None, typer.Option("--from", help="Read the template from a YAML or JSON file.", show_default=False)
    ] = None,
    draft: DraftOption = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Add one template, given by options or by a file; without either, on a terminal, written in $VISUAL or $EDITOR."""
    with console.reporting(debug=debug):
        given: dict[str, Any] = {
            "name": name,
            "tags": tag or None,
            "description": description,
            "scope": scope,
            "steps": step or None,
            "field": field,
            "topic": topic,
        }
        given = {key: _texts(value) for key, value in given.items() if value is not None}
        examples = _examples(example_problem or [], example_answer or [])
        if source_file is not None and (given or examples):
            raise UsageError("A template is given by --from or by the other options, not by both.")
        path = path_of(library, home)
        template = None
        if source_file is not None:
            template = read_one(source_file)
        elif given or examples or not console.is_terminal():
            template = _from_options(given, examples)
        with opened(path) as store:

            def put(new: "Template") -> Any:
                new = new.model_copy(update={"status": "draft"}) if draft else new
                embedder = assemble_library.load_embedder(settings.weights_dir(weights), quiet=as_json)
                return store.add(new, embedder=embedder, who=assemble_library.user_name())

            if template is not None:
                stored = put(template)
            else:
                form = template_form.form_of(None, title=f"A new template for {path}", deed="add it")
                stored = editor.compose(form, put, folder=settings.home_dir(home) / "drafts", name="new")
        if stored is None:
            console.fail("The form came back as it was, or empty; nothing was added.")
        if as_json:
            console.write_json(library_view.document(stored))
        else:
            console.write(console.clean(f'Added "{stored.template.name}" as {stored.slug}.'))


def read_one(path: Path) -> "Template":
    """Return the one template of a file.

    Raises:
        ImportRefused: the file can't be read, or holds none.
        UsageError: it holds several.
    """
    from library.errors import ImportRefused
    from library.exchange import ImportProblem, read_file

    records = list(read_file(path))
    for record in records:
        if isinstance(record, ImportProblem):
            raise ImportRefused(f"{record.location}: {record.reason}.")
    if len(records) > 1:
        raise UsageError(f"{path} holds {len(records)} templates; use `reasonflux library import {path}`.")
    (only,) = (record for record in records if not isinstance(record, ImportProblem))
    return only.template


def _texts(value: str | Sequence[str]) -> str | list[str]:
    return argument_text(value) if isinstance(value, str) else [argument_text(item) for item in value]


def _examples(problems: Sequence[str], answers: Sequence[str]) -> list[dict[str, str]]:
    if len(problems) != len(answers):
        raise UsageError(
            f"Every --example-problem needs one --example-answer: {len(problems)} problems, {len(answers)} answers."
        )
    pairs = zip(problems, answers, strict=True)
    return [{"problem": argument_text(problem), "answer": argument_text(answer)} for problem, answer in pairs]


def _from_options(given: dict[str, Any], examples: list[dict[str, str]]) -> "Template":
    from library.validation import make_template

    missing = [f"--{option}" for option, key in _REQUIRED.items() if key not in given]
    if missing:
        raise UsageError(f"A template needs {', '.join(missing)}, or a file with --from.")
    return make_template({**given, "examples": examples})


_REQUIRED = {"name": "name", "description": "description", "step": "steps"}
