"""Applying one template to the problem: ŝ_i = π_inf(x, s_i, T_i) (Yang et al. 2025, section 3.3).

The instantiation model writes a short program that carries the template's steps out, the sandbox runs it, and a
failing program goes back to the model at most `max_repairs` times. Where programs can't be run, or the model
writes none, its words are the result.
"""

import ast
import re
import textwrap
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from library.template import Example, Template
from reasonflux.answers import extract, extract_value
from reasonflux.context import Conversation, Render
from reasonflux.models.base import Message
from reasonflux.prompts import clip, render
from reasonflux.types import Event, PlannedStep, Problem, StepResult, ToolCall, ToolCalled

STAGE = "step"
VARIED_TEMPERATURE = 0.7
"""Temperature of every try after the first."""
MAX_FACTS = 12
_CLIPS = (1_500, 600, 200, 80)
_BLOCK = re.compile(r"```[ \t]*([\w+-]*)[^\n`]*\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)
_PYTHON = ("python", "py", "python3")
_MERE_CALLS = ("print", "int", "float", "str", "Fraction", "Rational", "Integer", "sqrt")
_CODE = re.compile(r"^[ \t]*(?:import |from \w+ import |print\(|def \w+\(|answer[ \t]*=)", re.MULTILINE)
_FACT = re.compile(r"\s*[A-Za-z_]\w*\s*=\s*\S")
_ANSWER_LINE = re.compile(r"^answer[ \t]*=[ \t]*(.*)(\n\[… )?", re.IGNORECASE | re.MULTILINE)
_NO_VALUE = re.compile(
    r"\s*(?:|none|(?:\\text\{)?nan\}?|null|\[\s*\]|\{\s*\}|\(\s*\)|set\(\)|emptyset|false|true|-?inf|<.* at 0x\w+>)\s*",
    re.IGNORECASE,
)

_SHOW = """
import sys

def shown(value):
    sympy = sys.modules.get("sympy")
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, float) and abs(value) < 1e300 and abs(value - round(value)) < 1e-9 * max(1.0, abs(value)):
        return str(round(value))
    if isinstance(value, dict):
        return ", ".join(shown(item) for item in value.values())
    if isinstance(value, tuple):
        return "(" + ", ".join(shown(item) for item in value) + ")"
    if isinstance(value, (list, set, frozenset)):
        return ", ".join(shown(item) for item in value)
    if sympy and isinstance(value, sympy.logic.boolalg.BooleanAtom):
        return str(value)
    if sympy and isinstance(value, (sympy.Basic, sympy.MatrixBase)):
        return sympy.latex(value)
    return str(value)

print("answer =", shown(value))
"""

SHOW_ANSWER = f"""
if "answer" in globals():
    exec({_SHOW!r}, {{"value": answer}})
"""
"""Run after a step's program: shows the variable `answer` as text a grader reads (sympy values as LaTeX).

It runs in a namespace of its own, since programs call their variables `max`, `list` or `set`.
"""

NO_PROGRAM = "The reply holds no program in a ```python block."
STATES_ONLY = (
    "The program only states a value and computes nothing. Compute it from the numbers of the problem, with a loop "
    "over all cases or with sympy."
)
FORGET_ANSWER = 'globals().pop("answer", None)'
"""Ends the prelude, so that a step which sets no answer does not show that of an earlier step."""


@dataclass(frozen=True)
class Task:
    """One step as the instantiation model is asked to work it.

    Attributes:
        index: position in the trajectory, from 0.
        last: whether the step has to give the answer.
        before: results of the accepted steps, in order.
        attempt: from 1; later attempts are sampled, so that they differ.
        feedback: why an earlier attempt was not good enough.
    """

    problem: Problem
    step: PlannedStep
    index: int
    template: Template | None
    last: bool
    before: tuple[StepResult, ...] = ()
    attempt: int = 1
    feedback: str = ""


def work(task: Task, conversation: Conversation) -> Generator[Event, None, StepResult]:
    """Work one step and return its result; what the model did wrong is in the result, never an exception."""
    settings = conversation.context.settings.instantiator
    tool = conversation.context.tools
    programs = settings.tools and tool is not None and tool.available
    name = "step" if programs else "step_words"
    exchange: list[Message] = []
    calls: list[ToolCall] = []
    stated: StepResult | None = None
    text = ""
    truncated = False
    for repair in range(settings.max_repairs + 1):
        # Greedy decoding would write a failing program again, word for word.
        fresh = task.attempt == 1 and repair == 0
        params = conversation.params(
            settings.max_tokens,
            seed_offset=10 * (task.attempt - 1) + repair,
            temperature=None if fresh else VARIED_TEMPERATURE,
        )
        completion = yield from conversation.ask("instantiator", STAGE, _prompt(name, task, tuple(exchange)), params)
        text, truncated = completion.text, completion.truncated
        program = last_program(text) if programs else None
        if program is None or tool is None:
            if not programs or _said(text, truncated) is not None:
                break
            exchange = [Message(role="assistant", content=text), *render("repair", error=NO_PROGRAM)]
            continue
        call = tool.run(program, prelude_of(task.before), SHOW_ANSWER)
        calls.append(call)
        yield ToolCalled(step=task.index, call=call)
        trouble = _trouble(call, task.last)
        if not trouble:
            result = _computed(task, call, tuple(calls), truncated)
            if not task.last or conversation.budget.exhausted or not states_only(program):
                return result
            stated = stated or result
            trouble = STATES_ONLY
        exchange = [Message(role="assistant", content=text), *render("repair", error=clip(trouble, 600))]
    if stated is not None:
        # The model's word and no computation: saying the same again confirms nothing.
        return stated.model_copy(update={"tool_calls": tuple(calls), "how": "reasoned"})
    return _reasoned(task, text, tuple(calls), truncated)


def last_program(text: str) -> str | None:
    """Return the last fenced program of a reply, also one whose fence was never closed; None without one.

    Blocks marked as Python go before blocks without a mark, which may hold an output. A reply without any fence
    that is a program as a whole counts as one.
    """
    blocks = [(mark.lower(), textwrap.dedent(body).strip("\n")) for mark, body in _BLOCK.findall(text[:50_000])]
    marked = [body for mark, body in blocks if mark in _PYTHON and body.strip()]
    unmarked = [body for mark, body in blocks if not mark and body.strip()]
    if not blocks and _is_bare_program(text.strip()):
        return text.strip()
    return next(reversed(marked or unmarked), None)


def _is_bare_program(text: str) -> bool:
    tree = _parsed(text[:50_000])
    return tree is not None and any(isinstance(node, ast.Assign | ast.Import | ast.ImportFrom) for node in tree.body)


def _parsed(program: str) -> ast.Module | None:
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def states_only(program: str) -> bool:
    """Return whether a program assigns literals and computes nothing; False where it can't be parsed.

    Such a program is the model's guess in other clothes, so it confirms nothing.
    """
    tree = _parsed(program)
    return tree is not None and not any(_computes(node) for node in ast.walk(tree))


def _computes(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return not (isinstance(node.func, ast.Name) and node.func.id in _MERE_CALLS)
    return isinstance(node, ast.BinOp | ast.For | ast.While | ast.comprehension | ast.Compare | ast.AugAssign)


def prelude_of(results: Sequence[StepResult]) -> str:
    """Return the programs of earlier steps that ran, so that a later step finds their variables defined."""
    sources = []
    for result in results:
        good = [call.program for call in result.tool_calls if call.status == "ok"]
        sources += good[-1:]
    return "\n".join([*sources, FORGET_ANSWER]) if sources else ""


def answer_of(output: str) -> str | None:
    """Return the value of the variable `answer` that a program showed; None when it showed none or an empty one."""
    shown = list(_ANSWER_LINE.finditer(output))
    # No value: the variable was empty, or the tool left the end of its value out.
    if not shown or not shown[-1][1].strip() or shown[-1][2]:
        return None
    value = extract_value(shown[-1][0])
    return None if value is None or _NO_VALUE.fullmatch(value) else value


def facts_of(output: str) -> tuple[str, ...]:
    """Return the facts a program printed: its `name = value` lines, or failing those its last lines."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    named = [line for line in lines if _FACT.match(line)]
    return tuple(clip(line, 300) for line in (named or lines)[-MAX_FACTS:])


def worked_example(template: Template) -> Example | None:
    """Return the example shown in prompts: the first `index` example that has a program. A `probe` is never shown."""
    return next((example for example in template.examples if example.role == "index" and example.program), None)


def _prompt(name: str, task: Task, exchange: tuple[Message, ...]) -> Render:
    def at(level: int) -> list[Message]:
        limit = _CLIPS[level]
        example = worked_example(task.template) if task.template and level == 0 else None
        share = max(2, MAX_FACTS // max(1, len(task.before)))
        facts = [fact for result in task.before for fact in (result.facts or (result.output,))[-share:]]
        values: dict[str, object] = {
            "template": task.template,
            "problem": task.problem.text,
            "facts": [clip(fact, limit) for fact in facts],
            "goal": task.step.goal,
            "feedback": clip(task.feedback, limit),
        }
        if name == "step":
            values |= {"example": example, "last": task.last}
        shown = [message.model_copy(update={"content": clip(message.content, 2 * limit)}) for message in exchange]
        return [*render(name, **values), *shown]

    return at


def _said(text: str, truncated: bool) -> str | None:
    """Return the answer that words give; a last line inside a program that can't be read as one is none."""
    found = extract(text, truncated=truncated)
    return None if found.source == "final_line" and _CODE.search(text) else found.answer


def _trouble(call: ToolCall, last: bool) -> str:
    if call.status != "ok":
        return call.output or call.detail
    value = answer_of(call.output)
    if last and value is None:
        return f"It set no variable answer that holds a value. It printed: {clip(call.output.strip(), 200)}"
    return ""


def _computed(task: Task, call: ToolCall, calls: tuple[ToolCall, ...], truncated: bool) -> StepResult:
    return StepResult(
        step=task.index,
        output=call.output.strip(),
        facts=facts_of(call.output),
        answer=answer_of(call.output),
        how="computed",
        tool_calls=calls,
        truncated=truncated,
    )


def _reasoned(task: Task, text: str, calls: tuple[ToolCall, ...], truncated: bool) -> StepResult:
    failed = bool(calls)
    return StepResult(
        step=task.index,
        output=text.strip(),
        facts=() if failed else (clip(text.strip(), 600),),
        answer=None if failed else _said(text, truncated),
        how="nothing" if failed or not text.strip() else "reasoned",
        tool_calls=calls,
        truncated=truncated,
    )
