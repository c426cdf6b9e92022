"""Outcomes of followed trajectories: one row a (trajectory, problem) in SQLite, under the hash of all it depends on.

A row's key is made of the trajectory as it is followed (goals and the templates' content), the problem with its gold
answer, the model, the settings, the seed and the prompts. So a job that was killed goes on where it was, and one with
other settings uses the rows that still hold. A row once known never changes; one that is not known may be tried again.
"""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from library.template import Template, content_hash
from reasonflux.errors import ReasonFluxError
from reasonflux.models.base import ModelInfo
from reasonflux.types import GradedProblem, Trajectory
from training.engines.base import Cause
from training.following import follow_version
from training.rollout_settings import FollowSettings

VERSION = 1
BUSY_SECONDS = 30.0
PASSING: frozenset[Cause] = frozenset({"lost"})
"""Causes that may be gone the next time, so that what they kept from being known is tried again."""
_TABLE = """
CREATE TABLE IF NOT EXISTS outcomes (
    key TEXT PRIMARY KEY,
    trajectory TEXT NOT NULL,
    problem TEXT NOT NULL,
    model TEXT NOT NULL,
    settings TEXT NOT NULL,
    seed INTEGER NOT NULL,
    prompts TEXT NOT NULL,
    correct INTEGER CHECK (correct IN (0, 1)),
    unknown TEXT,
    answer TEXT,
    note TEXT NOT NULL,
    completion_tokens INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    seconds REAL NOT NULL,
    CHECK ((correct IS NULL) <> (unknown IS NULL))
) WITHOUT ROWID
"""
_COLUMNS = (
    "key", "trajectory", "problem", "model", "settings", "seed", "prompts",
    "correct", "unknown", "answer", "note", "completion_tokens", "prompt_tokens", "seconds",
)  # fmt: skip


@dataclass(frozen=True)
class OutcomeKey:
    """All that an outcome depends on, each part a hash or a name."""

    trajectory: str
    problem: str
    model: str
    settings: str
    seed: int
    prompts: str

    @property
    def digest(self) -> str:
        """The hash of the parts, tagged with its algorithm."""
        return content_hash([self.trajectory, self.problem, self.model, self.settings, self.seed, self.prompts])


@dataclass(frozen=True)
class Outcome:
    """What following a trajectory on a problem came to.

    Attributes:
        correct: whether its answer is right; None where that is not known, and then `unknown` says why.
    """

    key: OutcomeKey
    correct: bool | None
    unknown: Cause | None = None
    answer: str | None = None
    note: str = ""
    completion_tokens: int = 0
    prompt_tokens: int = 0
    seconds: float = 0.0


def outcome_key(
    trajectory: Trajectory,
    templates: Sequence[Template | None],
    graded: GradedProblem,
    model: ModelInfo,
    settings: FollowSettings,
) -> OutcomeKey:
    """Return the key of following `trajectory` with `templates` on a problem.

    What the planner called a template does not count, only the template it got and the step's goal.
    """
    followed = [
        [step.goal, template.content_hash if template is not None else None]
        for step, template in zip(trajectory.steps, templates, strict=True)
    ]
    return OutcomeKey(
        trajectory=content_hash(followed),
        problem=content_hash([graded.problem.text, graded.gold, graded.grader]),
        model=model_identity(model),
        settings=content_hash(settings.follow_key()),
        seed=settings.follow_seed,
        prompts=follow_version(settings.follow_mode),
    )


def model_identity(info: ModelInfo) -> str:
    """Return what names a model wherever it runs: its weights' hash, or its spec without a server's address."""
    if info.weights_sha256 is not None:
        return f"sha256:{info.weights_sha256}"
    kind, separator, name = info.spec.partition(":")
    return kind + separator + (name.partition("@http")[0] if kind == "openai" else name)


class OutcomeStore:
    """The rows of one database file. A context manager; thread-safe, and several processes may share the file."""

    def __init__(self, path: Path) -> None:
        """Open a file, making it where it is missing.

        Raises:
            ReasonFluxError: it can't be opened, or holds something else.
        """
        self.path = path
        self._lock = threading.Lock()
        with self._explaining():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._connection.close()

    def known(self, keys: Iterable[str]) -> dict[str, Outcome]:
        """Return the outcomes stored under some keys, also those that say that nothing is known.

        Raises:
            ReasonFluxError: the file can't be read.
        """
        wanted = list(dict.fromkeys(keys))
        found: dict[str, Outcome] = {}
        with self._lock, self._explaining():
            for start in range(0, len(wanted), 500):
                part = wanted[start : start + 500]
                marks = ",".join("?" * len(part))
                rows = self._connection.execute(
                    f"SELECT {', '.join(_COLUMNS)} FROM outcomes WHERE key IN ({marks})", part
                )
                found |= {row[0]: _outcome(row[1:]) for row in rows}
        return found

    def put(self, outcome: Outcome) -> bool:
        """Store an outcome, synced; return False where a known one stands, which stays.

        Raises:
            ReasonFluxError: the file can't be written.
        """
        key = outcome.key
        values: tuple[Any, ...] = (
            key.digest, key.trajectory, key.problem, key.model, key.settings, key.seed, key.prompts,
            None if outcome.correct is None else int(outcome.correct), outcome.unknown, outcome.answer, outcome.note,
            outcome.completion_tokens, outcome.prompt_tokens, outcome.seconds,
        )  # fmt: skip
        later = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS[7:])
        with self._lock, self._explaining():
            cursor = self._connection.execute(
                f"INSERT INTO outcomes ({', '.join(_COLUMNS)}) VALUES ({','.join('?' * len(_COLUMNS))}) "
                f"ON CONFLICT (key) DO UPDATE SET {later} WHERE outcomes.correct IS NULL",
                values,
            )
            return cursor.rowcount > 0

    def keys(self) -> list[str]:
        """Return the keys of all rows, in order.

        Raises:
            ReasonFluxError: the file can't be read.
        """
        with self._lock, self._explaining():
            return [key for (key,) in self._connection.execute("SELECT key FROM outcomes ORDER BY key")]

    def _prepare(self) -> None:
        execute = self._connection.execute
        (version,) = execute("PRAGMA user_version").fetchone()
        if version not in (0, VERSION):
            raise ReasonFluxError(
                f"{self.path} was written by another version (its rows are of form {version}, {VERSION} is read "
                "here); give another file with --store."
            )
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = FULL")
        if version == 0:
            with closing(execute("SELECT name FROM sqlite_master LIMIT 1")) as names:
                if (name := names.fetchone()) is not None and name[0] != "outcomes":
                    raise ReasonFluxError(f"{self.path} is another database; give another file with --store.")
            execute("BEGIN IMMEDIATE")
            execute(_TABLE)
            execute(f"PRAGMA user_version = {VERSION}")
            execute("COMMIT")

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise ReasonFluxError(f"The outcomes in {self.path} can't be used: {error}.", stage="reward") from error
        except OSError as error:
            raise ReasonFluxError(f"{self.path} can't be written: {error.strerror or error}.") from error


def _outcome(row: Sequence[Any]) -> Outcome:
    correct, unknown, answer, note, completion, prompt, seconds = row[6:]
    return Outcome(
        key=OutcomeKey(*row[:6]),
        correct=None if correct is None else bool(correct),
        unknown=unknown,
        answer=answer,
        note=note,
        completion_tokens=completion,
        prompt_tokens=prompt,
        seconds=seconds,
    )
