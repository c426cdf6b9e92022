"""How a library's examples are run and graded here: in the sandbox, and by the grader that runs are graded with."""

from library.protocols import Comparison, ProgramOutput
from library.template import Example, name_key
from reasonflux.answers import extract_value
from reasonflux.grading import Grader
from reasonflux.tools.sandbox import Limits, run_program

_LABEL = "answer ="


class SandboxRunner:
    """Runs programs in the sandbox, as they stand: nothing that they forgot is added. Thread-safe."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()

    def run(self, source: str) -> ProgramOutput:
        """Run a program under limits.

        Raises:
            SandboxUnavailable: this system lacks the means, or could not start the process.
        """
        try:
            source.encode("utf-8")
        except UnicodeEncodeError:
            return ProgramOutput(False, "", "The program holds half of a surrogate pair, which is no text.")
        if "\0" in source:
            return ProgramOutput(False, "", "The program holds a NUL character.")
        result = run_program(source, self._limits)
        return ProgramOutput(result.status == "ok", result.stdout, result.reason, result.seconds)


class GradingComparer:
    """Compares what a program printed last with the answer, by the example's grader. Thread-safe."""

    def __init__(self, grader: Grader) -> None:
        self._grader = grader

    def compare(self, printed: str, example: Example) -> Comparison:
        """Compare what follows the last `answer =`, or the last line, with the example's answer."""
        value = printed_answer(printed, example)
        if value is None:
            return Comparison(False, "", "no answer can be found in what it printed")
        if name_key(value) == name_key(example.answer):
            return Comparison(True, value)
        verdict = self._grader.grade(example.answer, value, grader=example.grader, question=example.problem)
        return Comparison(verdict.correct, value, verdict.note)


def printed_answer(printed: str, example: Example) -> str | None:
    """Return the answer in a program's output: what follows the last `answer =`, or the last lines.

    A text answer is taken as it stands, from as many lines as the example's answer has; from another kind a label
    and Python's own wrapping (`x = Fraction(1, 2)`) are taken off.
    """
    lines = [line.rstrip() for line in printed.splitlines() if line.strip()]
    start = next((at for at in range(len(lines) - 1, -1, -1) if lines[at].lstrip().startswith(_LABEL)), None)
    if start is not None:
        lines[start] = lines[start].lstrip().removeprefix(_LABEL)
        lines = lines[start:]
    if example.grader == "text":
        height = sum(bool(line.strip()) for line in example.answer.splitlines())
        text = "\n".join(lines if start is not None else lines[-height:]).strip()
        return text or None
    return extract_value("\n".join(lines))
