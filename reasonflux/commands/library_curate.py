"""`reasonflux library rm, tags, history, undo, backup, stats`: keeping a library in order."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import assemble_library, console, settings
from reasonflux.commands.arguments import MathCommand, argument_text
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption, WeightsOption
from reasonflux.commands.library_options import (
    DryRunOption,
    StatusChoice,
    StatusOption,
    opened,
    path_of,
    status_of,
)
from reasonflux.errors import UsageError

if TYPE_CHECKING:
    from library.store import Library
    from library.tagging import Retagged

app = typer.Typer()


@app.command(
    cls=MathCommand,
    epilog=console.examples(
        "reasonflux library rm complete-the-square",
        "reasonflux library rm complete-the-square similar-triangles --dry-run",
        "reasonflux library rm complete-the-square --purge --json",
    ),
)
def rm(
    templates: Annotated[list[str], typer.Argument(help="Slugs or names.")],
    purge: Annotated[bool, typer.Option("--purge", help="Delete instead of retiring.")] = False,
    dry_run: DryRunOption = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Retire templates: they are kept, but neither searched nor planned with. `undo` brings them back.

    With --purge they are deleted, which `undo` takes back as well.
    """
    with console.reporting(debug=debug):
        from library.curation import remove

        path = path_of(library, home)
        slugs = [argument_text(slug) for slug in templates]
        with opened(path) as store:
            removal = remove(
                store, slugs, how="purge" if purge else "retire", who=assemble_library.user_name(), dry_run=dry_run
            )
        done = "purged" if purge else "retired"
        if as_json:
            document = {"library": str(path), "dry_run": dry_run, "change": removal.change, done: list(removal.removed)}
            console.write_json(document | {"unchanged": list(removal.unchanged)})
            return
        for slug in removal.removed:
            console.write(console.clean(f"{'Would be ' + done if dry_run else done.capitalize()}: {slug}"))
        for slug in removal.unchanged:
            console.write(console.clean(f"Retired already: {slug}"))
        _note_undo(removal.change)


@app.command(
    cls=MathCommand,
    epilog=console.examples(
        "reasonflux library tags",
        "reasonflux library tags --status any --json",
        "reasonflux library tags --rename polynomial polynomials --dry-run",
        'reasonflux library tags --merge "quadratic" "quadratics" --into "quadratic equations"',
    ),
)
def tags(
    names: Annotated[list[str] | None, typer.Argument(help="For --rename: OLD NEW; for --merge: the tags.")] = None,
    rename: Annotated[bool, typer.Option("--rename", help="Rename the tag OLD to NEW.")] = False,
    merge: Annotated[bool, typer.Option("--merge", help="Merge the tags given into one.")] = False,
    into: Annotated[str | None, typer.Option("--into", help="With --merge: the tag they become.")] = None,
    status: StatusOption = StatusChoice.active,
    dry_run: DryRunOption = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Count the tags, or rename or merge them on every template of any status, in one change that `undo` takes back."""
    with console.reporting(debug=debug):
        given = [argument_text(name) for name in names or []]
        path = path_of(library, home)
        if not (rename or merge):
            if given or into is not None or dry_run:
                raise UsageError("Tags are given with --rename OLD NEW, or --merge A B --into C.")
            _count_tags(path, status_of(status), as_json=as_json)
            return
        if rename and (merge or into is not None or len(given) != 2):
            raise UsageError("--rename takes two tags, OLD and NEW.")
        if merge and (into is None or not given):
            raise UsageError("--merge takes tags to merge, and --into the tag they become.")
        with opened(path) as store:
            done = _retag(store, given, into, settings.weights_dir(weights), dry_run=dry_run, quiet=as_json)
        if as_json:
            document = {"library": str(path), "dry_run": dry_run, "change": done.change, "templates": list(done.slugs)}
            console.write_json(document)
            return
        old, new = (given[:1], given[1]) if into is None else (given, into)
        deed = "Would replace" if dry_run else "Replaced"
        console.write(console.clean(f"{deed} {', '.join(old)} by {new}; templates changed: {len(done.slugs)}."))
        if dry_run:
            for slug in done.slugs:
                console.write(console.clean(f"  {slug}"))
        _note_undo(done.change)


@app.command(
    cls=MathCommand,
    epilog=console.examples(
        "reasonflux library history",
        "reasonflux library history complete-the-square --limit 3",
        "reasonflux library history --json",
    ),
)
def history(
    template: Annotated[str | None, typer.Argument(help="Only this template: its slug or name.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many changes, the newest first.")] = 20,
    library: LibraryOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Show who changed what and when, newest first; --json has the whole of each template before and after."""
    with console.reporting(debug=debug):
        from library.changelog import find_ids, list_changes, parts_of
        from reasonflux.commands import history_view

        path = path_of(library, home)
        with opened(path) as store, store.reading() as reader:
            ids = find_ids(reader, argument_text(template)) if template is not None else None
            found = list_changes(reader, template_ids=ids, limit=limit)
            shown = None if as_json else history_view.SHOWN_PARTS
            listed = [(change, parts_of(reader, change, template_ids=ids, limit=shown)) for change in found]
        if as_json:
            documents = [history_view.document(change, parts) for change, parts in listed]
            console.write_json({"library": str(path), "changes": documents})
            return
        for change, parts in listed:
            for line in history_view.change_lines(change, parts):
                console.write(line)
        if len(listed) == limit:
            console.note(f"The last {limit} changes; --limit shows more.")
        elif not listed:
            console.note(f"Nothing was ever changed in {path}.")


@app.command(
    epilog=console.examples(
        "reasonflux library undo",
        "reasonflux library undo 12 --dry-run",
        "reasonflux library undo 12 --json",
    ),
)
def undo(
    change: Annotated[int | None, typer.Argument(min=1, help="The change's number in `history`.")] = None,
    dry_run: DryRunOption = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Undo the last change, or the one given; undoing is a change, and can be undone.

    A change is undone as long as every template it touched is still as it left it; an import is undone as one.
    """
    with console.reporting(debug=debug):
        from library.undo import numbers
        from library.undo import undo as take_back

        path = path_of(library, home)
        with opened(path) as store:
            undone = take_back(
                store,
                change,
                embedder=lambda: assemble_library.load_embedder(settings.weights_dir(weights), quiet=as_json),
                who=assemble_library.user_name(),
                dry_run=dry_run,
            )
        slugs = {"restored": undone.restored, "reverted": undone.replaced, "removed": undone.removed}
        if as_json:
            document: dict[str, Any] = {"library": str(path), "dry_run": dry_run, "undone": undone.undone.id}
            document |= {"action": undone.undone.action, "change": undone.change}
            console.write_json(document | {what: list(those) for what, those in slugs.items()})
            return
        target = undone.undone
        what = f"change {numbers(target)} ({target.action} by {target.who}, {target.at[:19]} UTC)"
        console.write(console.clean(f"{'Would undo' if dry_run else 'Undid'} {what}:"))
        for word, those in slugs.items():
            if those:
                more = f" and {len(those) - 10} more" if len(those) > 10 else ""
                console.write(console.clean(f"  {word}: {', '.join(those[:10])}{more}"))
        _note_undo(undone.change)


@app.command(
    epilog=console.examples(
        "reasonflux library backup library-backup.db",
        "reasonflux library backup library-backup.db --force --json",
    ),
)
def backup(
    file: Annotated[Path, typer.Argument(help="The file to make.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Copy the library to a file, also while other processes write to it; `--library FILE` opens the copy."""
    with console.reporting(debug=debug):
        from library.backup import back_up

        path = path_of(library, home)
        target = file.expanduser().absolute()
        with opened(path) as store:
            size = back_up(store, target, force=force)
        with opened(target) as copy, copy.reading() as reader:
            count, state = copy.count(status=None), reader.state().counter
        if as_json:
            document = {"library": str(path), "backup": str(target), "bytes": size, "templates": count, "change": state}
            console.write_json(document)
        else:
            console.write(f"Wrote {target}: {count} templates, {size} bytes, as of change {state}.")


@app.command(
    epilog=console.examples(
        "reasonflux library stats",
        "reasonflux library stats --status any --json",
    ),
)
def stats(
    status: StatusOption = StatusChoice.active,
    library: LibraryOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Count what the library holds, what its templates lack, and how they are used."""
    with console.reporting(debug=debug):
        from dataclasses import asdict

        from library.statistics import statistics
        from reasonflux.commands.library_stats_view import stats_lines

        path = path_of(library, home)
        with opened(path) as store, store.reading() as reader:
            found = statistics(reader, status_of(status))
        if as_json:
            console.write_json({"library": str(path), **asdict(found)})
            return
        for line in stats_lines(found, path):
            console.write(line)


def _count_tags(path: Path, status: Any, *, as_json: bool) -> None:
    with opened(path) as store:
        counts = store.tags(status=status)
    if as_json:
        console.write_json({"library": str(path), "count": len(counts), "tags": counts})
        return
    for tag, number in counts.items():
        console.write(console.clean(f"{number:>5}  {tag}"))
    console.note(f"{len(counts)} tags in {path}")


def _retag(
    store: "Library", given: list[str], into: str | None, weights_dir: Path, *, dry_run: bool, quiet: bool
) -> "Retagged":
    from library.tagging import merge_tags, rename_tag

    who = assemble_library.user_name()

    def embedder() -> Any:
        return assemble_library.load_embedder(weights_dir, quiet=quiet)

    if into is None:
        return rename_tag(store, given[0], given[1], embedder=embedder, who=who, dry_run=dry_run)
    return merge_tags(store, given, into, embedder=embedder, who=who, dry_run=dry_run)


def _note_undo(change: int | None) -> None:
    if change is not None:
        console.note(f"This is change {change}; `reasonflux library undo {change}` takes it back.")
