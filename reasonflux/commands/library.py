"""`reasonflux library`: make a library, fill it, look into it and search it."""

from typing import Annotated

import typer

from reasonflux.commands import (
    assemble_library,
    console,
    library_add,
    library_curate,
    library_distill,
    library_edit,
    library_export,
    library_generate,
    library_import,
    library_measure,
    library_quality,
    library_review,
    library_search,
    library_view,
    settings,
)
from reasonflux.commands.arguments import MathCommand, argument_text
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption, WeightsOption
from reasonflux.commands.library_options import (
    DryRunOption,
    opened,
    path_of,
)
from reasonflux.errors import UsageError

app = typer.Typer(
    name="library",
    help="Make, fill, browse and search a library of templates.",
    no_args_is_help=True,
    epilog=console.examples("reasonflux library list --by topic", 'reasonflux library search "sum of a series"'),
)


@app.command(
    epilog=console.examples(
        "reasonflux library init",
        "reasonflux library init --empty --library physics",
        "reasonflux library init --library ./maths.db --json",
        "reasonflux library init --update --dry-run",
    )
)
def init(
    empty: Annotated[bool, typer.Option("--empty", help="Make a library without any template.")] = False,
    seed: Annotated[str, typer.Option("--seed", help="The seed content to fill it with.")] = "maths",
    update: Annotated[
        bool, typer.Option("--update", help="Merge the seed of this version into a library that is there.")
    ] = False,
    dry_run: DryRunOption = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Make a library and fill it with the templates that come with reasonflux.

    A library that is there already is left as it is. With --update, it gets the templates that are new, and those
    that nobody edited are brought up to date; edited ones, and those the seed no longer has, stay.
    """
    with console.reporting(debug=debug):
        path = path_of(library, home)
        if update and empty:
            raise UsageError("--update merges the seed, and --empty wants none; give one of them.")
        if dry_run and not update:
            raise UsageError("--dry-run goes with --update; a new library needs none.")
        if update and path.exists():
            from reasonflux.commands.library_seed import merge_seed

            merge_seed(path, seed, settings.weights_dir(weights), dry_run=dry_run, as_json=as_json)
            return
        if dry_run:
            from library.database import missing_library

            raise missing_library(path)
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


app.add_typer(library_import.app)
app.add_typer(library_export.app)
app.add_typer(library_quality.app)
app.add_typer(library_search.app)
app.add_typer(library_measure.app)
app.add_typer(library_generate.app)
app.add_typer(library_add.app)
app.add_typer(library_edit.app)
app.add_typer(library_curate.app)
app.add_typer(library_distill.app)
app.add_typer(library_review.app)
