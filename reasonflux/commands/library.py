"""`reasonflux library`: make a library, fill it, look into it and search it."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import (
    assemble_library,
    console,
    library_export,
    library_import,
    library_quality,
    library_view,
    settings,
)
from reasonflux.commands.arguments import MathCommand, argument_text, read_problem
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption, WeightsOption
from reasonflux.commands.library_options import (
    DraftOption,
    FieldOption,
    StatusChoice,
    StatusOption,
    TopicOption,
    opened,
    path_of,
    require_known,
    status_of,
)
from reasonflux.errors import UsageError

if TYPE_CHECKING:
    from library.template import Template

app = typer.Typer(
    name="library",
    help="Make, fill, browse and search a library of templates.",
    no_args_is_help=True,
    epilog=console.examples("reasonflux library list --by topic", 'reasonflux library search "sum of a series"'),
)


class Grouping(StrEnum):
    """How `list --by` groups."""

    field = "field"
    topic = "topic"


@app.command(
    epilog=console.examples(
        "reasonflux library init",
        "reasonflux library init --empty --library physics",
        "reasonflux library init --library ./maths.db --json",
    )
)
def init(
    empty: Annotated[bool, typer.Option("--empty", help="Make a library without any template.")] = False,
    seed: Annotated[str, typer.Option("--seed", help="The seed content to fill it with.")] = "maths",
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Make a library and fill it with the templates that come with reasonflux.

    A library that is there already is left as it is.
    """
    with console.reporting(debug=debug):
        path = path_of(library, home)
        made = assemble_library.create_library(path, settings.weights_dir(weights), seed=None if empty else seed)
        with opened(path) as store:
            count = store.count(status=None)
        if as_json:
            console.write_json({"library": str(path), "created": made, "templates": count})
        elif made:
            console.write(f"Made the library {path} with {count} templates.")
        else:
            console.write(f"The library {path} is there already, with {count} templates; nothing was changed.")


@app.command(
    "list",
    epilog=console.examples(
        "reasonflux library list --by topic",
        "reasonflux library list --field number-theory --status any",
        "reasonflux library list --tag divisibility --json",
    ),
)
def list_templates(
    field: FieldOption = None,
    topic: TopicOption = None,
    tag: Annotated[str | None, typer.Option("--tag", help="Only templates with this tag.")] = None,
    status: StatusOption = StatusChoice.active,
    by: Annotated[Grouping | None, typer.Option("--by", help="Group by field, or by field and topic.")] = None,
    library: LibraryOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """List the templates, all or those of a field, topic, tag or status."""
    with console.reporting(debug=debug):
        path = path_of(library, home)
        with opened(path) as store:
            require_known(store, field=field, topic=topic, tags=[tag] if tag is not None else [])
            listed = store.list(field=field, topic=topic, tag=tag, status=status_of(status))
        groups = library_view.grouped(listed, ["field"] if by is Grouping.field else ["field", "topic"]) if by else None
        if as_json:
            found = {"groups": groups} if by else {"templates": [library_view.summary(stored) for stored in listed]}
            console.write_json({"library": str(path), "count": len(listed), **found})
            return
        for group in groups or []:
            title = " / ".join(group[part] for part in ("field", "topic") if part in group)
            console.write(console.clean(f"{title} ({len(group['templates'])})"))
            for line in (f"  {row['slug']}" for row in group["templates"]):
                console.write(console.clean(line))
        if groups is None:
            for line in library_view.listing(library_view.summary(stored) for stored in listed):
                console.write(line)
        console.note(f"{len(listed)} templates in {path}")


@app.command(
    cls=MathCommand,
    epilog=console.examples(
        'reasonflux library show "Replace an average by its total"',
        "reasonflux library show replace-an-average-by-its-total --json",
    ),
)
def show(
    template: Annotated[str, typer.Argument(help="The template's slug or name.")],
    library: LibraryOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Show one template: description, scope, steps and worked examples."""
    with console.reporting(debug=debug), opened(path_of(library, home)) as store:
        stored = store.get(argument_text(template))
        if as_json:
            console.write_json(library_view.document(stored))
            return
        for line in library_view.page(stored):
            console.write(line)


@app.command(
    cls=MathCommand,
    epilog=console.examples(
        'reasonflux library search "remainder of a large power"',
        'reasonflux library search "sum of a series" -k 3 --field algebra',
        'echo "Find x if 2x = 6." | reasonflux library search - --json',
    ),
)
def search(
    query: Annotated[str, typer.Argument(help="A problem, a method, a name; - reads it from stdin.")],
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many results.")] = 10,
    field: FieldOption = None,
    topic: TopicOption = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Only templates with this tag; repeatable.")] = None,
    status: StatusOption = StatusChoice.active,
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Find the templates nearest to a text by meaning."""
    with console.reporting(debug=debug):
        from library.search import TemplateSearch

        path = path_of(library, home)
        text = read_problem(query).text if query == "-" else argument_text(query)
        tags = [argument_text(name) for name in tag or []]
        if not text.strip():
            raise UsageError("The search text is empty; say what kind of template is wanted.")
        with opened(path) as store:
            require_known(store, field=field, topic=topic, tags=tags)
            finder = TemplateSearch(store, assemble_library.load_embedder(settings.weights_dir(weights), quiet=as_json))
            hits = finder.search(text, k, field=field, topic=topic, tags=tags, status=status_of(status))
        if as_json:
            console.write_json({"library": str(path), "query": text, "hits": [hit._asdict() for hit in hits]})
            return
        for line in library_view.hit_lines(hits):
            console.write(line)
        if not hits:
            console.note("No template passes these filters.")


@app.command(
    epilog=console.examples(
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
    """Add one template, given by options or by a file."""
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
        template = _one_from(source_file) if source_file is not None else _from_options(given, examples)
        if draft:
            template = template.model_copy(update={"status": "draft"})
        path = path_of(library, home)
        with opened(path) as store:
            embedder = assemble_library.load_embedder(settings.weights_dir(weights), quiet=as_json)
            stored = store.add(template, embedder=embedder, who=assemble_library.user_name())
        if as_json:
            console.write_json(library_view.document(stored))
        else:
            console.write(console.clean(f'Added "{stored.template.name}" as {stored.slug}.'))


@app.command(
    epilog=console.examples("reasonflux library reindex", "reasonflux library reindex --library physics --json")
)
def reindex(
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Make the library's vectors those of the embedder in use."""
    with console.reporting(debug=debug):
        path = path_of(library, home)
        with opened(path) as store:
            embedder = assemble_library.load_embedder(settings.weights_dir(weights), quiet=as_json)
            with assemble_library.progress(f"Indexing {path}", quiet=as_json) as advance:
                embedded = store.reindex(embedder=embedder, who=assemble_library.user_name(), progress=advance)
        if as_json:
            console.write_json({"library": str(path), "embedder": embedder.fingerprint, "embedded": embedded})
        else:
            console.write(f"The library {path} is indexed with {embedder.fingerprint}; {embedded} texts were embedded.")


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
    from library.exchange import make_template

    missing = [f"--{option}" for option, key in _REQUIRED.items() if key not in given]
    if missing:
        raise UsageError(f"A template needs {', '.join(missing)}, or a file with --from.")
    return make_template({**given, "examples": examples})


_REQUIRED = {"name": "name", "description": "description", "step": "steps"}


def _one_from(path: Path) -> "Template":
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


app.add_typer(library_import.app)
app.add_typer(library_export.app)
app.add_typer(library_quality.app)
