"""Outcomes as JSON lines: what is kept of a run's database, and goes back into one elsewhere."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reasonflux.errors import RecordError
from training.outcomes import Outcome, OutcomeKey, OutcomeStore
from training.trajectories import documents_of
from training.writing import write_lines

_KEY = ("trajectory", "problem", "model", "settings", "seed", "prompts")
_REST = ("correct", "unknown", "answer", "note", "completion_tokens", "prompt_tokens", "seconds")


def export_outcomes(store: OutcomeStore, path: Path) -> int:
    """Write all outcomes of a store in the order of their keys, the file appearing as a whole; return how many.

    Raises:
        ReasonFluxError: the store can't be read.
        OSError: the file can't be written.
    """
    found = store.known(store.keys())
    write_lines(path, (_document(found[digest]) for digest in sorted(found)))
    return len(found)


def import_outcomes(path: Path, store: OutcomeStore) -> int:
    """Put the outcomes of a file into a store; return how many were new. What is known there stays.

    Raises:
        RecordError: the file can't be read, or a line is no outcome.
        ReasonFluxError: the store can't be written.
    """
    return sum(store.put(outcome) for outcome in _read(path))


def _document(outcome: Outcome) -> dict[str, Any]:
    key = {name: getattr(outcome.key, name) for name in _KEY}
    return {"key": key, **{name: getattr(outcome, name) for name in _REST}}


def _read(path: Path) -> Iterator[Outcome]:
    for number, document in documents_of(path):
        try:
            key = OutcomeKey(**{name: document["key"][name] for name in _KEY})
            outcome = Outcome(key, **{name: document[name] for name in _REST})
        except (KeyError, TypeError) as error:
            raise RecordError(f"{path}:{number} is no outcome; give a file that a pipeline kept.") from error
        if (outcome.correct is None) == (outcome.unknown is None):
            raise RecordError(f"{path}:{number} says neither what came out nor why that is not known, or both.")
        yield outcome
