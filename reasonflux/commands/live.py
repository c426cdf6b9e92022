"""What a person sees of a run: the same lines on a terminal, in a pipe and when a stored run is shown again.

On a terminal the lines have colours and, below them, a moving line tells what goes on. Decoration is ASCII, data is
written character for character with terminal sequences taken out, and no markup is ever read from data.
"""

import sys
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self, TextIO

from reasonflux.commands import console

if TYPE_CHECKING:
    from reasonflux.types import Event, PlannedStep, Solution, Usage

Line = tuple[str, str]
"""A style (a rich style, may be empty) and the text of one or more lines."""

_TAIL_CHARACTERS = 60


class View(Protocol):
    """Shows events as they come. A context manager: leaving it takes the moving line away."""

    def show(self, event: "Event") -> None:
        """Show one event."""
        ...

    def say(self, style: str, text: str) -> None:
        """Show a line that is no event."""
        ...

    def __enter__(self) -> Self:
        """Begin."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End."""
        ...


class NoView:
    """Shows nothing."""

    def show(self, event: "Event") -> None:
        """Drop the event."""

    def say(self, style: str, text: str) -> None:
        """Drop the line."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


class PlainView(NoView):
    """Writes lines without colour or movement."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._narrator = Narrator()

    def show(self, event: "Event") -> None:
        """Write the event's lines."""
        for style, text in self._narrator.lines(event):
            self.say(style, text)

    def say(self, style: str, text: str) -> None:
        """Write a line; the style is dropped."""
        self._write(console.clean(text))


class TerminalView(NoView):
    """Writes lines in colour above a moving line that shows the stage and the end of what the model is writing."""

    def __init__(self, stream: TextIO, *, moving: bool = True) -> None:
        from rich.console import Console
        from rich.status import Status

        self._console = Console(file=stream, markup=False, highlight=False, emoji=False, soft_wrap=True)
        self._encoding = stream.encoding or "utf-8"
        self._status = Status("Working", console=self._console, spinner="line") if moving else None
        self._narrator = Narrator()
        self._tail = ""

    def show(self, event: "Event") -> None:
        """Write the event's lines, or move the moving line."""
        for style, text in self._narrator.lines(event):
            self.say(style, text)
        if self._status is not None:
            self._tail = self._next_tail(event)
            stage = self._narrator.doing
            self._status.update(self._text("dim", f"{stage}  {self._tail}" if self._tail else stage))

    def say(self, style: str, text: str) -> None:
        """Write a line in a style."""
        self._console.print(self._text(style, text), soft_wrap=True)

    def __enter__(self) -> Self:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def _text(self, style: str, text: str) -> Any:
        from rich.text import Text

        safe = console.clean(text).encode(self._encoding, "replace").decode(self._encoding, "replace")
        return Text(safe, style=style, end="")

    def _next_tail(self, event: "Event") -> str:
        if event.kind != "token_delta":
            return ""
        text = event.text if event.reset else self._tail + event.text
        return console.clean(text).replace("\n", " ")[-_TAIL_CHARACTERS:]


def view_on(stream: TextIO, *, quiet: bool = False, moving: bool = True) -> View:
    """Return the view that fits a stream: none when quiet, a terminal's, or plain lines."""
    if quiet:
        return NoView()
    if stream.isatty():
        return TerminalView(stream, moving=moving)
    return PlainView(console.note if stream is sys.stderr else console.write)


class Narrator:
    """Tells a run's events in lines. `doing` names what goes on after the last one."""

    def __init__(self) -> None:
        self.doing = "Planning"

    def lines(self, event: "Event") -> Iterator[Line]:
        """Yield the lines that tell `event`."""
        match event.kind:
            case "plan_proposed":
                steps = event.trajectory.steps
                how = "" if event.trajectory.origin == "proposed" else f", {event.trajectory.origin}"
                yield "bold", f"Plan ({len(steps)} {'step' if len(steps) == 1 else 'steps'}{how})"
                yield from _plan(steps, first=1)
                for problem in event.problems:
                    yield "yellow", f"  Plan trouble: {problem}"
                self.doing = "Retrieving templates"
            case "template_retrieved":
                match = event.match
                if match.template is None:
                    yield "yellow", f"  Template for step {match.step + 1}: none good enough"
                else:
                    score = "" if match.score is None else f" (score {match.score:.2f})"
                    yield "cyan", f"  Template for step {match.step + 1}: {match.name or match.template}{score}"
            case "step_started":
                again = f" (attempt {event.attempt})" if event.attempt > 1 else ""
                yield "bold", f"Step {event.step + 1}{again}: {event.goal}"
                self.doing = f"Working step {event.step + 1}"
            case "tool_called":
                call = event.call
                yield "magenta", f"  Program run ({call.status}, {call.seconds:.1f} s)"
                yield "", _indent(call.program, "    | ")
                if call.output.strip():
                    yield "green" if call.status == "ok" else "red", _indent(call.output, "    > ")
                if call.detail.strip():
                    yield "red", _indent(call.detail, "    ! ")
            case "step_finished":
                result = event.result
                # A computed result is the output of the program shown just before.
                computed = result.how == "computed"
                if result.output.strip() and not computed:
                    yield "", _indent(result.output, "  ")
                for fact in () if computed else result.facts:
                    if fact.strip() != result.output.strip():
                        yield "", f"  Fact: {fact}"
                if result.truncated:
                    yield "yellow", "  (cut short by the token limit)"
                self.doing = f"Assessing step {result.step + 1}"
            case "step_assessed":
                verdict = event.assessment.verdict.replace("_", " ")
                reason = f": {event.assessment.reason}" if event.assessment.reason else ""
                yield "blue", f"  Assessment: {verdict}{reason}"
            case "plan_revised":
                reason = f": {event.reason}" if event.reason else ""
                yield "bold yellow", f"Plan revised from step {event.after_step + 1} on{reason}"
                yield from _plan(event.after, first=event.after_step + 1)
                if not event.after:
                    yield "", "  no steps left"
            case "noticed":
                yield "yellow", f"  Note ({event.stage}): {event.message}"
            case "answer_found":
                yield "green", f"  Answer found ({event.source}): {event.answer}"
                self.doing = "Finishing"


def ending(solution: "Solution") -> Iterator[Line]:
    """Yield the lines that end every view of a run."""
    if solution.status == "failed":
        yield "bold red", f"Failed: {solution.error or 'no reason given'}"
    elif solution.answer is None:
        yield "bold yellow", "No answer was found."
    else:
        yield "bold green", f"Answer: {solution.answer}"
    if solution.confidence is not None:
        yield "", f"Confidence: {solution.confidence:.2f}"
    if solution.flags:
        yield "yellow", f"Flags: {', '.join(solution.flags)}"
    yield "", f"Tokens: {told_usage(solution.usage)}; {solution.seconds:.1f} s"


def told_usage(usage: "Usage") -> str:
    """Return the tokens of a run in words."""
    return (
        f"{usage.completion_tokens} completion, {usage.prompt_tokens} prompt ({usage.cached_tokens} cached) "
        f"in {usage.calls} {'call' if usage.calls == 1 else 'calls'}"
    )


def _plan(steps: "tuple[PlannedStep, ...]", first: int) -> Iterator[Line]:
    for number, step in enumerate(steps, start=first):
        yield "", f"  {number}. {step.goal} [{step.template.name}]"


def _indent(text: str, prefix: str) -> str:
    return "\n".join(prefix + line for line in text.strip("\n").replace("\r\n", "\n").split("\n"))
