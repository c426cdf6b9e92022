"""What a library is handed by those who use it: something that runs programs, and something that compares answers."""

from dataclasses import dataclass
from typing import Protocol

from library.template import Example


@dataclass(frozen=True, slots=True)
class ProgramOutput:
    """What became of a program.

    Attributes:
        ok: whether it ran to its end without an error and within its limits.
        printed: what it printed.
        reason: why it is not ok, in one sentence; empty where it is.
        seconds: wall-clock time.
    """

    ok: bool
    printed: str
    reason: str = ""
    seconds: float = 0.0


class ProgramRunner(Protocol):
    """Runs Python programs that nobody has read. Implementations are thread-safe."""

    def run(self, source: str) -> ProgramOutput:
        """Run a program; whatever it does is an output.

        An implementation that can run no program at all raises an error of its own, which ends what it was asked for.
        """
        ...


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether what a program printed is an example's answer.

    Attributes:
        right: None where nothing can be said.
        value: what was taken as the answer printed.
        note: why, where it is not right.
    """

    right: bool | None
    value: str
    note: str = ""


class AnswerComparer(Protocol):
    """Finds the answer in what a program printed and compares it. Implementations are thread-safe."""

    def compare(self, printed: str, example: Example) -> Comparison:
        """Compare the answer that a program printed with the example's, by the example's grader."""
        ...
