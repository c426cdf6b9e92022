"""Importing templates into a library: in batches, each one transaction, with a report by file and line."""

import re
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from library.errors import LibraryError
from reasonflux.commands import assemble_library, console, settings
from reasonflux.commands.arguments import argument_text
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption, WeightsOption
from reasonflux.commands.library_options import DraftOption, DryRunOption, opened, path_of
from reasonflux.commands.library_sources import format_named, read_source

if TYPE_CHECKING:
    from library.adding import Outcome
    from library.embedding import Embedder
    from library.exchange import ImportedRecord
    from library.formats import Format
    from library.store import Library

app = typer.Typer()

_BATCH = 256
_PLAIN_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


class Import:
    """One import: its options, and what has come of it so far."""

    def __init__(
        self,
        library: "Library",
        *,
        draft: bool,
        update: bool,
        kind: "Format | None" = None,
        encoding: str | None = None,
    ) -> None:
        self.counts: Counter[str] = Counter()
        self.refused: list[dict[str, str]] = []
        self.notes: list[dict[str, str]] = []
        self._library = library
        self._draft = draft
        self._update = update
        self._token = secrets.token_hex(8)
        self._kind = kind
        self._encoding = encoding

    def run(self, sources: Sequence[str], embedder: "Embedder", *, quiet: bool) -> None:
        """Add what the sources hold.

        Raises:
            LibraryError: the library can't be written or has another embedder.
        """
        records = self._read(sources)
        who = assemble_library.user_name()
        with assemble_library.progress("Importing", quiet=quiet) as advance:
            for start in range(0, len(records), _BATCH):
                batch = records[start : start + _BATCH]
                templates = [record.template for record in batch]
                outcomes = self._library.add_many(
                    templates, embedder=embedder, who=who, update=self._update, batch=self._token
                )
                self._count(batch, outcomes)
                advance(start + len(batch), len(records))

    def preview(self, sources: Sequence[str]) -> None:
        """Find out what adding the sources would come to, without changing anything.

        Raises:
            LibraryError: the library can't be read.
        """
        records = self._read(sources)
        self._count(records, self._library.preview([record.template for record in records], update=self._update))

    def _read(self, sources: Sequence[str]) -> "list[ImportedRecord]":
        records = list(self._records(sources))
        for record in records:
            self.notes += [{"location": record.location, "note": note} for note in record.notes]
        self.notes += [{"location": location, "note": note} for location, note in unequal_golds(records)]
        return records

    def _records(self, sources: Sequence[str]) -> "Iterator[ImportedRecord]":
        from dataclasses import replace

        from library.exchange import ImportProblem

        for source in sources:
            try:
                for record in read_source(source, self._kind, self._encoding):
                    if isinstance(record, ImportProblem):
                        self._refuse(record.location, record.reason)
                    elif self._draft:
                        yield replace(record, template=record.template.model_copy(update={"status": "draft"}))
                    else:
                        yield record
            except LibraryError as error:
                self._refuse(source, str(error))

    def _count(self, records: "Sequence[ImportedRecord]", outcomes: "Sequence[Outcome]") -> None:
        for record, outcome in zip(records, outcomes, strict=True):
            if outcome.action == "conflict":
                way_out = "give it another name" if self._update else "use --update to replace it"
                self._refuse(
                    record.location,
                    f'"{outcome.name}" ({outcome.slug}) is there already with other content; {way_out}',
                )
            else:
                self.counts[outcome.action] += 1

    def _refuse(self, location: str, reason: str) -> None:
        self.refused.append({"location": location, "reason": reason})


def unequal_golds(records: "Sequence[ImportedRecord]") -> Iterator[tuple[str, str]]:
    """Yield where an example's answer does not equal itself under its grader, so that no other can equal it."""
    from reasonflux.grading import Grader

    said: dict[str, str | None] = {}
    with Grader() as grader:
        for record in records:
            for place, example in enumerate(record.template.examples, start=1):
                answer = example.answer
                if not answer or example.grader != "math" or _PLAIN_NUMBER.fullmatch(answer):
                    continue
                if answer not in said:
                    verdict = grader.grade(answer, answer)
                    said[answer] = None if verdict.correct else verdict.note or "compared, it is another"
                if said[answer] is not None:
                    yield (
                        record.location,
                        f'examples[{place}].answer "{answer[:60]}" does not equal itself as mathematics '
                        f"({said[answer]}), so that nothing is ever graded right against it; correct it, or give the "
                        "example grader: text",
                    )


def report(job: Import, library: Path, *, dry_run: bool, as_json: bool) -> None:
    """Say what came of an import: refusals and notes on stderr, the counts on stdout."""
    counts = {action: job.counts[action] for action in ("added", "updated", "unchanged")}
    if as_json:
        document: dict[str, Any] = {"library": str(library), "dry_run": dry_run, **counts, "refused": job.refused}
        console.write_json({**document, "notes": job.notes})
        return
    for note in job.notes:
        console.note(console.clean(f"{note['location']}: {note['note']}."))
    for refusal in job.refused:
        known = refusal["location"] in refusal["reason"]
        console.note(console.clean(refusal["reason"] if known else f"{refusal['location']}: {refusal['reason']}."))
    listed = ", ".join(f"{number} {action}" for action, number in counts.items())
    prefix = "Dry run, nothing was changed: " if dry_run else ""
    console.write(f"{prefix}{listed}, {len(job.refused)} refused ({library}).")


@app.command(
    "import",
    epilog=console.examples(
        "reasonflux library import templates.yaml",
        "reasonflux library import *.csv --dry-run",
        "reasonflux library import old.csv --encoding cp1252",
        "reasonflux library import ./shared-library --update --json",
        "reasonflux library import hf://datasets/OWNER/NAME",
    ),
)
def import_files(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Files, dataset folders, hf://datasets/OWNER/NAME, - for stdin.",
        ),
    ],
    draft: DraftOption = False,
    update: Annotated[bool, typer.Option("--update", help="Replace templates whose name is there already.")] = False,
    kind: Annotated[
        str | None, typer.Option("--format", help="yaml, json, jsonl, csv or parquet, where a suffix does not say it.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Encoding of text files.", show_default="UTF-8, or by a BOM")
    ] = None,
    dry_run: DryRunOption = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Add templates; what can't be read is reported by file and line while the rest goes on.

    Running it again goes on where an interrupted import stopped: what is there already stays as it is. JSON may also
    be the nested chapters, sections and lists of the research library.
    """
    with console.reporting(debug=debug):
        path = path_of(library, home)
        named = format_named(kind)
        given = [argument_text(source) for source in sources]
        with opened(path) as store:
            job = Import(store, draft=draft, update=update, kind=named, encoding=encoding)
            if dry_run:
                job.preview(given)
            else:
                embedder = assemble_library.load_embedder(settings.weights_dir(weights), quiet=as_json)
                job.run(given, embedder, quiet=as_json)
        report(job, path, dry_run=dry_run, as_json=as_json)
        if job.refused:
            raise typer.Exit(console.EXIT_FAILED)
