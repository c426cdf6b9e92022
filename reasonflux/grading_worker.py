r"""The process in which answers meet a computer algebra system: `python -m reasonflux.grading_worker`.

It reads one JSON request a line (`{"gold", "answer", "question", "seconds"}`) and writes one JSON reply a line; the
first line it writes says that it is ready. It never touches the parent's standard streams otherwise. Time is kept
by the parent, which kills this process; memory is limited here, and processor time too, so that a parent killed in
the middle leaves nothing running.

Only LaTeX is parsed, by a grammar: math-verify's parser of plain expressions evaluates its input as Python.
"""

import json
import logging
import os
import random
import signal
import sys
from typing import Any, Literal

_MEMORY_BYTES = 2 << 30
_CPU_SLACK_SECONDS = 10
_POINTS = 6
_DIGITS = 40


def main() -> None:
    """Serve requests from stdin until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    logging.disable(logging.CRITICAL)
    sys.set_int_max_str_digits(0)
    _limit_memory()
    import math_verify  # noqa: F401

    from reasonflux.equivalence import judge

    _send(replies, {"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        _limit_cpu(request["seconds"])
        try:
            judgement = judge(request["gold"], request["answer"], _leaf, request["question"])
            reply: dict[str, Any] = {"correct": judgement.correct, "note": judgement.note}
        except MemoryError:
            reply = {"correct": None, "note": "the grader ran out of memory"}
        except UnreadableGold as error:
            reply = {"correct": None, "note": str(error)}
        except Exception as error:
            reply = {"correct": None, "note": f"the grader failed: {type(error).__name__}: {str(error)[:200]}"}
        _send(replies, reply)


def _send(stream: Any, reply: dict[str, Any]) -> None:
    stream.write(json.dumps(reply) + "\n")
    stream.flush()


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    for limit, value in ((resource.RLIMIT_AS, _MEMORY_BYTES), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _limit_cpu(seconds: float) -> None:
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    allowed = int(used.ru_utime + used.ru_stime + seconds) + _CPU_SLACK_SECONDS
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (allowed if hard == resource.RLIM_INFINITY else min(allowed, hard), hard))


class UnreadableGold(Exception):
    """The gold answer is no mathematics that can be parsed, so nothing can be said about any answer."""


def _leaf(kind: Literal["value", "relation"], gold: str, answer: str) -> bool | None:
    try:
        right = _parse(gold)
    except Exception as error:
        raise UnreadableGold(f"the gold answer can't be read as mathematics: {gold[:80]}") from error
    try:
        given = _parse(answer)
    except (MemoryError, RecursionError):
        raise
    except Exception:
        return False
    return _same_relation(right, given) if kind == "relation" else _same_value(right, given)


def _parse(text: str) -> Any:
    """Parse LaTeX; decimals become exact, `i` the imaginary unit, and upper case stays upper case."""
    import sympy
    from latex2sympy2_extended import latex2sympy
    from latex2sympy2_extended.latex2sympy2 import ConversionConfig

    parsed = latex2sympy(
        text,
        is_real=None,
        normalization_config=None,
        conversion_config=ConversionConfig(lowercase_symbols=False),
    )
    if not isinstance(parsed, sympy.Basic | sympy.MatrixBase):
        raise ValueError("not an expression")
    exact: dict[Any, Any] = {number: sympy.Rational(str(number)) for number in parsed.atoms(sympy.Float)}
    exact |= {symbol: sympy.I for symbol in parsed.free_symbols if symbol.name == "i"}
    exact |= {symbol: sympy.E for symbol in parsed.free_symbols if symbol.name == "e"}
    return parsed.xreplace(exact)


def _same_value(gold: Any, answer: Any) -> bool | None:
    if gold == answer:
        return True
    numeric = _agree_at_points(gold, answer)
    if numeric is not None:
        return numeric
    from math_verify import verify

    return True if verify(gold, answer, timeout_seconds=None, raise_on_error=True) else None


def _same_relation(gold: Any, answer: Any) -> bool | None:
    import sympy

    if isinstance(gold, sympy.Eq) and isinstance(answer, sympy.Eq):
        ratio = _constant_ratio(gold.lhs - gold.rhs, answer.lhs - answer.rhs)
        if ratio is not None:
            return ratio
    from math_verify import verify

    return bool(verify(gold, answer, timeout_seconds=None, raise_on_error=True))


def _constant_ratio(gold: Any, answer: Any) -> bool | None:
    """Tell whether two left sides (right sides being zero) are multiples of one another."""
    if gold.free_symbols != answer.free_symbols:
        return False
    for point in _points(gold.free_symbols):
        here = _number(gold, point), _number(answer, point)
        if None not in here and here[0] != 0 and here[1] != 0:
            return _agree_at_points(gold * here[1], answer * here[0])
    return None


def _agree_at_points(gold: Any, answer: Any) -> bool | None:
    """Compare values at random points: one clear difference decides, as does agreement everywhere; else None."""
    try:
        symbols = gold.free_symbols | answer.free_symbols
        agreed = 0
        for point in _points(symbols):
            left, right = _number(gold, point), _number(answer, point)
            if left is None or right is None:
                continue
            scale = max(abs(left), abs(right))
            if scale != 0 and abs(left - right) > scale * 10 ** (-_DIGITS // 2):
                return False
            agreed += 1
        return True if agreed >= (3 if symbols else 1) else None
    except (TypeError, AttributeError, ValueError, NotImplementedError):
        return None


def _points(symbols: Any) -> list[dict[Any, Any]]:
    import sympy

    if not symbols:
        return [{}]
    draw = random.Random(0)
    ordered = sorted(symbols, key=str)
    return [
        {symbol: sympy.Rational(draw.choice((-1, 1)) * draw.randint(20, 400), 97) for symbol in ordered}
        for _ in range(_POINTS)
    ] + [{symbol: sympy.Integer(draw.randint(2, 9)) for symbol in ordered} for _ in range(2)]


def _number(expression: Any, point: dict[Any, Any]) -> Any:
    """Return the value at a point as a number of 40 digits, or None where there is none."""
    import sympy

    value = expression.subs(point).doit().evalf(_DIGITS)
    if not isinstance(value, sympy.Expr) or not value.is_number or value.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
        return None
    parts = value.as_real_imag()
    return value if all(part.is_Float or part.is_Rational for part in parts) else None


if __name__ == "__main__":
    main()
