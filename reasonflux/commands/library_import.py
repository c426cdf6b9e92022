"""Importing files into a library: in batches, each one transaction, with a report by file and line."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from library.errors import ImportRefused
from reasonflux.commands import assemble_library, console

if TYPE_CHECKING:
    from library.adding import Outcome
    from library.embedding import Embedder
    from library.exchange import ImportedRecord
    from library.store import Library

_BATCH = 64


class Import:
    """One import: its options, and what has come of it so far."""

    def __init__(self, library: "Library", *, draft: bool, update: bool) -> None:
        self.counts: Counter[str] = Counter()
        self.refused: list[dict[str, str]] = []
        self._library = library
        self._draft = draft
        self._update = update

    def run(self, files: Sequence[Path], embedder: "Embedder", *, quiet: bool) -> None:
        """Add what the files hold.

        Raises:
            LibraryError: the library can't be written or has another embedder.
        """
        records = list(self._records(files))
        who = assemble_library.user_name()
        with assemble_library.progress("Importing", quiet=quiet) as advance:
            for start in range(0, len(records), _BATCH):
                batch = records[start : start + _BATCH]
                templates = [record.template for record in batch]
                outcomes = self._library.add_many(templates, embedder=embedder, who=who, update=self._update)
                self._note(batch, outcomes)
                advance(start + len(batch), len(records))

    def preview(self, files: Sequence[Path]) -> None:
        """Find out what adding the files would come to, without changing anything.

        Raises:
            LibraryError: the library can't be read.
        """
        records = list(self._records(files))
        self._note(records, self._library.preview([record.template for record in records], update=self._update))

    def _records(self, files: Sequence[Path]) -> "Iterator[ImportedRecord]":
        from dataclasses import replace

        from library.exchange import ImportProblem, read_file

        for path in files:
            try:
                for record in read_file(path):
                    if isinstance(record, ImportProblem):
                        self._refuse(record.location, record.reason)
                    elif self._draft:
                        yield replace(record, template=record.template.model_copy(update={"status": "draft"}))
                    else:
                        yield record
            except ImportRefused as error:
                self._refuse(str(path), str(error))

    def _note(self, records: "Sequence[ImportedRecord]", outcomes: "Sequence[Outcome]") -> None:
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


def report(job: Import, library: Path, *, dry_run: bool, as_json: bool) -> None:
    """Say what came of an import: refusals on stderr, the counts on stdout."""
    counts = {action: job.counts[action] for action in ("added", "updated", "unchanged")}
    if as_json:
        document: dict[str, Any] = {"library": str(library), "dry_run": dry_run, **counts, "refused": job.refused}
        console.write_json(document)
        return
    for refusal in job.refused:
        known = refusal["reason"].startswith(refusal["location"])
        console.note(console.clean(refusal["reason"] if known else f"{refusal['location']}: {refusal['reason']}."))
    listed = ", ".join(f"{number} {action}" for action, number in counts.items())
    prefix = "Dry run, nothing was changed: " if dry_run else ""
    console.write(f"{prefix}{listed}, {len(job.refused)} refused ({library}).")
