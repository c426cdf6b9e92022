"""Writing a library's templates to a file, to stdout, to a dataset folder or to a dataset repository."""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reasonflux.commands import console
from reasonflux.commands.arguments import argument_text
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption
from reasonflux.commands.library_options import (
    DryRunOption,
    FieldOption,
    StatusChoice,
    StatusOption,
    TopicOption,
    opened,
    path_of,
    require_known,
    status_of,
)
from reasonflux.commands.library_sources import format_named, is_hub_address
from reasonflux.errors import UsageError

if TYPE_CHECKING:
    from library.formats import Format
    from library.template import Template

app = typer.Typer()


@app.command(
    epilog=console.examples(
        "reasonflux library export templates.yaml",
        "reasonflux library export algebra.csv --field algebra --status active",
        "reasonflux library export - --format jsonl",
        "reasonflux library export ./shared-library/ --format parquet",
        "reasonflux library export hf://datasets/OWNER/NAME --force",
    )
)
def export(
    target: Annotated[
        str,
        typer.Argument(
            help="A file; a dataset folder (ends with /, or no suffix); hf://datasets/OWNER/NAME; - for stdout."
        ),
    ],
    kind: Annotated[
        str | None,
        typer.Option("--format", help="yaml, json, jsonl, csv or parquet.", show_default="by suffix, else jsonl"),
    ] = None,
    field: FieldOption = None,
    topic: TopicOption = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Only templates with this tag; repeatable.")] = None,
    status: StatusOption = StatusChoice.any,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there already.")] = False,
    public: Annotated[
        bool, typer.Option("--public", help="Let everybody read a new repository; it is private otherwise.")
    ] = False,
    dry_run: DryRunOption = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Write templates so that importing them again gives the same ones; drafts and retired ones are written too."""
    with console.reporting(debug=debug):
        path = path_of(library, home)
        target = argument_text(target)
        named = format_named(kind)
        if target == "-" and as_json:
            raise UsageError("The templates themselves go to stdout with -; leave out --json.")
        if public and not is_hub_address(target):
            raise UsageError("--public is about a repository on the Hub; leave it out for files and folders.")
        with opened(path) as store:
            from library.exporting import exported
            from library.reading import Filter

            tags = tuple(argument_text(name) for name in tag or [])
            require_known(store, field=field, topic=topic, tags=tags)
            with store.reading() as reader:
                wanted = Filter(field=field, topic=topic, tags=tags, status=status_of(status))
                statuses: Counter[str] = Counter()
                templates = _counted(exported(reader, wanted), statuses)
                if dry_run:
                    written = sum(1 for _ in templates)
                else:
                    written = _write(templates, target, named, title=path.stem, force=force, public=public)
        if target == "-" and not dry_run:
            return
        if as_json:
            console.write_json(
                {
                    "library": str(path),
                    "target": target,
                    "format": _kind_of(target, named).value,
                    "dry_run": dry_run,
                    "templates": written,
                    **{name: statuses[name] for name in ("active", "draft", "retired")},
                }
            )
            return
        listed = ", ".join(f"{number} {name}" for name, number in sorted(statuses.items())) or "none"
        doing = "Dry run, nothing was written:" if dry_run else "Wrote"
        console.write(console.clean(f"{doing} {written} templates ({listed}) to {target}."))


def _counted(templates: "Iterable[Template]", statuses: Counter[str]) -> "Iterator[Template]":
    for template in templates:
        statuses[template.status] += 1
        yield template


def _write(
    templates: "Iterator[Template]", target: str, named: "Format | None", *, title: str, force: bool, public: bool
) -> int:
    from library.exporting import export_file, export_folder

    kind = _kind_of(target, named)
    if is_hub_address(target):
        from library.hub import HubAddress, publish

        address = HubAddress.parse(target)
        with tempfile.TemporaryDirectory(prefix="reasonflux-") as folder:
            count = export_folder(templates, Path(folder), kind, title=title, force=True)
            publish(address, Path(folder), force=force, public=public)
        return count
    if target == "-":
        return _to_stdout(templates, kind)
    if _is_folder(target, named):
        return export_folder(templates, Path(target), kind, title=title, force=force)
    return export_file(templates, Path(target), kind, force=force)


def _kind_of(target: str, named: "Format | None") -> "Format":
    from library.formats import SUFFIXES, Format, format_of

    if named is not None:
        return named
    if target == "-" or is_hub_address(target) or _is_folder(target, named):
        return Format.jsonl
    found = format_of(Path(target))
    if found is None:
        raise UsageError(f"{target} has no suffix of a format ({', '.join(SUFFIXES)}); say which with --format.")
    return found


def _is_folder(target: str, named: "Format | None") -> bool:
    path = Path(target)
    return target.endswith(("/", "\\")) or path.is_dir() or (named is None and not path.suffix and not path.exists())


def _to_stdout(templates: "Iterator[Template]", kind: "Format") -> int:
    from library.file_writing import write_templates
    from library.formats import Format

    if kind is Format.parquet and sys.stdout.isatty():
        raise UsageError("Parquet is no text for a terminal; give a file, or pipe it.")
    sys.stdout.flush()
    written = write_templates(templates, sys.stdout.buffer, kind)
    sys.stdout.buffer.flush()
    return written
