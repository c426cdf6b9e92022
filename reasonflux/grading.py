r"""Grading: is this answer right? Never guessed, never in the way of the caller.

Spelling, exact numbers and structure are compared here, at once (`reasonflux.equivalence` states the policy). Only
where a computer algebra has to decide is a child process asked; there are at most two, started when first needed,
and each request has a wall-clock limit that the parent enforces by killing the child. So grading works the same from
any thread, notebook or server, a slow request times out alone, and a failure of the grader is `correct=None`, never
a wrong answer. The text grader compares words under the one rule of name identity (case, spaces, Unicode form).
"""

import json
import os
import subprocess
import sys
import threading
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from library.template import name_key
from reasonflux.answers import extract
from reasonflux.equivalence import Judgement, judge
from reasonflux.exact import decimal_form
from reasonflux.notation import to_plain

MAX_LENGTH = 20_000
_CHILDREN = 2
_START_SECONDS = 120.0


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right.

    Attributes:
        correct: None where nothing can be said: an ungradable gold, a time limit, a failure of the grader.
        note: one clause that says why, or what was passed over.
        seconds: wall-clock time the grading took.
    """

    correct: bool | None
    note: str
    seconds: float


class Grader:
    """Grades answers; thread-safe. Use as a context manager, or call `close`; nothing outlives the interpreter."""

    def __init__(self, *, limit_seconds: float = 10.0, children: int = _CHILDREN) -> None:
        """Make a grader; no process is started yet.

        Args:
            limit_seconds: wall-clock limit of one grading, without the start of a child.
            children: how many gradings may run in child processes at once.
        """
        self.limit_seconds = limit_seconds
        self._slots = threading.BoundedSemaphore(children)
        self._pool = _Pool()
        self._finalizer = weakref.finalize(self, self._pool.close)

    def __enter__(self) -> "Grader":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child processes. Gradings still running come back undecided; safe to call twice."""
        self._finalizer()

    def grade(
        self, gold: str, answer: str, *, grader: Literal["math", "text"] = "math", question: str | None = None
    ) -> Verdict:
        r"""Compare an answer with its gold answer.

        Args:
            gold: the right answer.
            answer: the answer, bare or as a model wrote it (a `\boxed{…}` or "The answer is …" is looked into).
            grader: `math`, or `text` for words compared as words.
            question: the problem's text, consulted only for which variable or base is asked.
        """
        started = time.monotonic()
        judgement = self._judge(gold, answer, grader, question)
        return Verdict(judgement.correct, judgement.note, time.monotonic() - started)

    def _judge(self, gold: str, answer: str, grader: str, question: str | None) -> Judgement:
        answer = _bare(answer)
        if grader == "text":
            return _judge_text(gold, answer)
        if max(len(gold), len(answer)) > MAX_LENGTH:
            if gold.strip() == answer.strip():
                return Judgement(True)
            return Judgement(None, f"longer than {MAX_LENGTH} characters")
        try:
            return judge(gold, answer, _ask, question)
        except _Ask:
            return self._in_child(gold, answer, question)
        except RecursionError:
            return Judgement(None, "nested too deeply")

    def _in_child(self, gold: str, answer: str, question: str | None) -> Judgement:
        request = {"gold": gold, "answer": answer, "question": question, "seconds": self.limit_seconds}
        with self._slots:
            child = None
            try:
                child = self._pool.take()
                reply = child.ask(request, self.limit_seconds)
            except _ChildEnded as error:
                if child is not None:
                    self._pool.drop(child)
                return Judgement(None, str(error))
            except BaseException:
                if child is not None:
                    self._pool.drop(child)
                raise
            self._pool.give(child)
        return Judgement(reply["correct"], reply["note"])


_OTHER_ANSWER = "-98765432.125"


def self_check(gold: str, grader: Grader, *, kind: Literal["math", "text"] = "math") -> bool:
    """Tell whether a gold answer can be graded against: it equals itself, and another answer is judged at all.

    The second half finds golds that match letter for letter only, since nothing else can be read into them.
    """
    if grader.grade(gold, gold, grader=kind).correct is not True:
        return False
    return grader.grade(gold, _OTHER_ANSWER, grader=kind).correct is not None


def _bare(answer: str) -> str:
    if not ("\\boxed" in answer or "\\fbox" in answer or "\n" in answer or "nswer" in answer or "####" in answer):
        return answer
    found = extract(answer)
    if found.answer is not None:
        return found.answer
    return "" if found.source == "none" and found.flags else answer


def _judge_text(gold: str, answer: str) -> Judgement:
    right, given = name_key(to_plain(gold)), name_key(to_plain(answer))
    if not right:
        return Judgement(None, "the gold answer is empty")
    numbers = decimal_form(right), decimal_form(given)
    if None not in numbers and "." not in right + given:
        return Judgement(numbers[0] == numbers[1])
    return Judgement(right == given)


class _Ask(Exception):
    """Raised to stop comparing here and ask a child process."""


def _ask(kind: Literal["value", "relation"], gold: str, answer: str) -> bool | None:
    raise _Ask


class _ChildEnded(Exception):
    """The child process is gone, by its own fault or by its time limit; the message says which."""


class _Pool:
    """The child processes; belongs to the process that made it (a fork gets a pool of its own)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self._idle: list[_Child] = []
        self._all: set[_Child] = set()
        self._closed = False

    def take(self) -> "_Child":
        """Return an idle child, or a new one.

        Raises:
            _ChildEnded: no child can be started.
        """
        with self._lock:
            if self._closed:
                raise _ChildEnded("the grader is closed")
            if self._owner != os.getpid():
                self._owner, self._idle, self._all = os.getpid(), [], set()
            while self._idle:
                child = self._idle.pop()
                if child.alive():
                    return child
                self._all.discard(child)
                child.kill()
            child = _Child()
            self._all.add(child)
            return child

    def give(self, child: "_Child") -> None:
        """Take back a child that answered."""
        with self._lock:
            self._idle.append(child)

    def drop(self, child: "_Child") -> None:
        """Kill a child that did not."""
        with self._lock:
            self._all.discard(child)
        child.kill()

    def close(self) -> None:
        """Kill all children and wait for them."""
        with self._lock:
            children, self._all, self._idle, self._closed = list(self._all), set(), [], True
            if self._owner != os.getpid():
                return
        for child in children:
            child.kill()


class _Child:
    """One grading process and its pipes."""

    def __init__(self) -> None:
        root = str(Path(__file__).resolve().parent.parent)
        path = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "reasonflux.grading_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
                start_new_session=True,
            )
        except OSError as error:
            raise _ChildEnded(f"the grading process can't be started: {error}") from error
        self._ready = False

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return the reply to a request.

        Raises:
            _ChildEnded: the process ended or was killed at its limit.
        """
        if not self._ready:
            self._line(_START_SECONDS, "the grading process did not start")
            self._ready = True
        data = json.dumps(request).encode("ascii") + b"\n"
        reply: dict[str, Any] = json.loads(self._line(seconds, "the grader took too long", data))
        return reply

    def alive(self) -> bool:
        """Tell whether the process still runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the process and reap it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            # What is still buffered for a dead process can't be flushed, and need not be.
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def _line(self, seconds: float, complaint: str, data: bytes = b"") -> bytes:
        to_child, from_child = self._process.stdin, self._process.stdout
        if to_child is None or from_child is None:
            raise _ChildEnded("the grading process has no pipes")
        late = threading.Event()

        def stop() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            if data:
                to_child.write(data)
                to_child.flush()
            line = from_child.readline()
        except (OSError, ValueError):
            line = b""
        finally:
            timer.cancel()
        if late.is_set():
            raise _ChildEnded(f"{complaint} ({seconds:g} s)")
        if not line.endswith(b"\n"):
            raise _ChildEnded(f"the grading process ended (code {self._process.wait()})")
        return line
