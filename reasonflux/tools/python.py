"""The Python tool of a step: takes a program a model wrote, runs it in the sandbox, and words the result for it."""

import textwrap
from functools import cached_property

from reasonflux.errors import SandboxUnavailable
from reasonflux.tools.sandbox import Limits, ProgramResult, run_program, sandbox_features
from reasonflux.types import ToolCall

MAX_PROGRAM_CHARACTERS = 20_000
MAX_OUTPUT_CHARACTERS = 4_000
_ERROR_CHARACTERS = 1_200
_NOTHING = "(The program ran and printed nothing.)"


class PythonTool:
    """Runs programs, each in a fresh process: nothing is kept from one call to the next.

    Args:
        limits: what one program may use.
        enabled: False turns the tool off whatever the system offers.
    """

    def __init__(self, limits: Limits | None = None, *, enabled: bool = True) -> None:
        self._limits = limits or Limits()
        self._enabled = enabled

    @property
    def available(self) -> bool:
        """Whether programs run; False where the system lacks the means to hold them."""
        return not self.why_not

    @cached_property
    def why_not(self) -> str:
        """Why the tool is off, in one sentence; empty when it is on."""
        if not self._enabled:
            return "The Python tool is switched off."
        features = sandbox_features()
        return "" if features.sufficient else f"The Python tool is off: {features.why}"

    def run(self, program: str, prelude: str = "", epilogue: str = "") -> ToolCall:
        """Run `program`, between `prelude` and `epilogue` in one namespace; return the call for model and record.

        The program is dedented. Well-known names it uses without importing them are imported, and a program that
        prints nothing shows the value of its last line; `detail` says which imports were added. A text that can't
        be a program (empty, too long, not Unicode text) is refused with the reason, as is any while the tool is off.
        """
        text = textwrap.dedent(program.lstrip("\ufeff")).strip("\r\n") if program.strip() else ""
        if problem := self.why_not or _unfit(text, "program") or _unfit(prelude, "prelude", may_be_empty=True):
            return ToolCall(program=_storable(program), status="refused", output=problem, detail=problem)
        try:
            result = run_program(text, self._limits, prelude=prelude, epilogue=epilogue, forgiving=True)
        except SandboxUnavailable as error:
            return ToolCall(program=text, status="refused", output=str(error), detail=str(error))
        added = f"Added: {'; '.join(result.added)}." if result.added else ""
        return ToolCall(
            program=text,
            status=result.status,
            output=_for_model(result),
            detail=" ".join(filter(None, (result.reason, added))),
            seconds=round(result.seconds, 3),
        )


def _unfit(text: str, what: str, *, may_be_empty: bool = False) -> str:
    if not text.strip() and not may_be_empty:
        return f"The {what} is empty."
    if len(text) > MAX_PROGRAM_CHARACTERS:
        return (
            f"The {what} has {len(text):,} characters; at most {MAX_PROGRAM_CHARACTERS:,} are run. Write a shorter one."
        )
    if "\0" in text:
        return f"The {what} contains a NUL character, which Python does not accept."
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"The {what} contains a lone surrogate at character {error.start}, which is not text."
    return ""


def _storable(text: str) -> str:
    return text[:MAX_PROGRAM_CHARACTERS].encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


def _for_model(result: ProgramResult) -> str:
    printed = result.stdout.replace("\0", "\\x00").rstrip("\n")
    if result.status == "ok":
        return _cut(printed, MAX_OUTPUT_CHARACTERS) or _NOTHING
    errors = result.stderr.replace("\0", "\\x00").strip()
    parts = [result.reason]
    if errors and result.status in ("error", "memory"):
        parts = [f"[…]{errors[-_ERROR_CHARACTERS:]}" if len(errors) > _ERROR_CHARACTERS else errors]
        if result.status == "memory" or result.reason.endswith("its folder."):
            parts.append(result.reason)
    room = MAX_OUTPUT_CHARACTERS - sum(len(part) + 1 for part in parts)
    if printed:
        parts.insert(0, _cut(printed, room))
    return "\n".join(parts)


def _cut(text: str, limit: int) -> str:
    """Keep the start and the end of a long text: results stand at the end, what they mean at the start."""
    if len(text) <= limit:
        return text
    mark = f"\n[… {len(text) - limit:,} characters or more left out …]\n"
    tail = (limit - len(mark)) // 3
    return text[: limit - len(mark) - tail] + mark + text[-tail:]
