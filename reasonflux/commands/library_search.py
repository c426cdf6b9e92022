"""`reasonflux library list` and `search`: browsing a library by field and topic, and searching it."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import assemble_library, console, library_view, settings
from reasonflux.commands.arguments import MathCommand, argument_text, read_problem
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption, WeightsOption
from reasonflux.commands.library_options import (
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
    from library.ranking import Found

app = typer.Typer()

_NEAREST_SHOWN = 3


class Grouping(StrEnum):
    """How `list --by` groups."""

    field = "field"
    topic = "topic"


class ModeChoice(StrEnum):
    """What a search goes by."""

    hybrid = "hybrid"
    dense = "dense"
    bm25 = "bm25"


@app.command(
    "list",
    epilog=console.examples(
        "reasonflux library list --by field",
        "reasonflux library list --by topic --field number-theory",
        "reasonflux library list --field number-theory --status any",
        "reasonflux library list --tag divisibility --json",
    ),
)
def list_templates(
    field: FieldOption = None,
    topic: TopicOption = None,
    tag: Annotated[str | None, typer.Option("--tag", help="Only templates with this tag.")] = None,
    status: StatusOption = StatusChoice.active,
    by: Annotated[
        Grouping | None, typer.Option("--by", help="The fields with their topics, or the topics with their templates.")
    ] = None,
    library: LibraryOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """List the templates, all or those of a field, topic, tag or status.

    To browse, go from `--by field` to `--by topic --field NAME` to `reasonflux library show`.
    """
    with console.reporting(debug=debug):
        from library.reading import Filter

        path = path_of(library, home)
        tags = [argument_text(tag)] if tag is not None else []
        with opened(path) as store, store.reading() as reader:
            require_known(store, field=field, topic=topic, tags=tags)
            wanted = Filter(field, topic, tuple(tags), status_of(status))
            counts = reader.topic_counts(wanted)
            listed = reader.load(reader.ids(wanted)) if by is not Grouping.field else []
        document: dict[str, Any] = {"library": str(path), "count": sum(number for _, _, number in counts)}
        if by is Grouping.field:
            groups = library_view.fields_with_topics(counts)
            document["groups"], lines = groups, library_view.field_lines(groups)
        elif by is Grouping.topic:
            groups = library_view.grouped(listed, ["field", "topic"])
            document["groups"], lines = groups, library_view.topic_lines(groups)
        else:
            document["templates"] = [library_view.summary(stored) for stored in listed]
            lines = library_view.listing(document["templates"])
        if as_json:
            console.write_json(document)
            return
        for line in lines:
            console.write(line)
        console.note(f"{document['count']} templates in {path}")


@app.command(
    cls=MathCommand,
    epilog=console.examples(
        'reasonflux library search "remainder of a large power"',
        'reasonflux library search "sum of a series" -k 3 --field algebra --explain',
        'reasonflux library search "telescop" --mode bm25',
        'echo "Find x if 2x = 6." | reasonflux library search - --json',
    ),
)
def search(
    query: Annotated[str, typer.Argument(help="A problem, a method, a name; - reads it from stdin.")],
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many results.")] = 10,
    mode: Annotated[
        ModeChoice, typer.Option("--mode", help="By meaning (dense), by words (bm25), or both.")
    ] = ModeChoice.hybrid,
    explain: Annotated[bool, typer.Option("--explain", help="Show every part of each score.")] = False,
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
    """Find the templates that fit a text best, by meaning and by words.

    Where none is a good match, that is the answer: what comes nearest is named, and the exit code is 3.
    """
    with console.reporting(debug=debug):
        from library.search import TemplateSearch

        path = path_of(library, home)
        text = read_problem(query).text if query == "-" else argument_text(query)
        tags = [argument_text(name) for name in tag or []]
        if not text.strip():
            raise UsageError("The search text is empty; say what kind of template is wanted.")
        with opened(path) as store:
            require_known(store, field=field, topic=topic, tags=tags)
            embedder = None
            if mode is not ModeChoice.bm25:
                embedder = assemble_library.load_embedder(settings.weights_dir(weights), quiet=as_json)
            found = TemplateSearch(store, embedder).find(
                text, k, mode=mode.value, field=field, topic=topic, tags=tags, status=status_of(status)
            )
        if as_json:
            console.write_json(_document(path, text, mode, found, explain=explain))
        else:
            _tell(found, explain=explain)
        if not found.good:
            raise typer.Exit(console.EXIT_NO_ANSWER)


def _document(path: Path, text: str, mode: ModeChoice, found: "Found", *, explain: bool) -> dict[str, Any]:
    hits = [library_view.hit_document(hit, explain=explain) for hit in found.nearest]
    return {
        "library": str(path),
        "query": text,
        "mode": mode.value,
        "good": found.good,
        "hits": hits if found.good else [],
        "nearest": [] if found.good else hits[:_NEAREST_SHOWN],
    }


def _tell(found: "Found", *, explain: bool) -> None:
    if found.good:
        for line in library_view.hit_lines(found.nearest, explain=explain):
            console.write(line)
    elif not found.nearest:
        console.note("No good match: no template passes these filters and has anything of the text.")
    else:
        console.note("No good match; the nearest templates are:")
        for line in library_view.hit_lines(found.nearest[:_NEAREST_SHOWN], explain=explain):
            console.note(line)
