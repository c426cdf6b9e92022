"""Reading arguments that are mathematics: a leading dash is a minus sign unless it is an option's."""

import difflib
import os
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from typer.core import TyperCommand

from reasonflux.commands.console import clean

if TYPE_CHECKING:
    from reasonflux.types import Problem


def argument_text(value: str) -> str:
    """Return a command-line argument as UTF-8 text, whatever the locale it was decoded with."""
    return os.fsencode(value).decode("utf-8", "replace") if any("\udc80" <= c <= "\udcff" for c in value) else value


class MathCommand(TyperCommand):
    """A command whose argument may be mathematics that begins with a dash.

    A token that begins with a dash and can't be an option (`-5`, `-x^2 + 4 = 0, find x`) is an argument. One that is
    shaped like an option, or close to one, stays a usage error with a suggestion.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Sort `args` into options and arguments before they are parsed."""
        known: dict[str, bool] = {}
        for param in self.get_params(ctx):
            for name in (*param.opts, *param.secondary_opts):
                if name.startswith("-"):
                    known[name] = not getattr(param, "is_flag", False) and not getattr(param, "count", False)
        options, values = _sort_arguments(args, known, ctx.fail)
        return super().parse_args(ctx, [*options, "--", *values] if values else options)


_OPTION_SHAPE = re.compile(r"-[A-Za-z][A-Za-z_-]*|--[A-Za-z][\w-]*(=.*)?", re.DOTALL)


def _sort_arguments(
    args: list[str], known: dict[str, bool], refuse: Callable[[str], NoReturn]
) -> tuple[list[str], list[str]]:
    """Return (options with their values, arguments); `known` says of each option whether it takes a value."""
    options: list[str] = []
    values: list[str] = []
    rest = iter(args)
    for token in rest:
        if token == "--":
            values.extend(rest)
        elif not token.startswith("-") or token == "-":
            values.append(token)
        elif token in known:
            options.append(token)
            if known[token]:
                options.extend([value] if (value := next(rest, None)) is not None else [])
        elif token.startswith("--") and token.partition("=")[0] in known:
            options.append(token)
        else:
            words = token.split()
            word = words[0].partition("=")[0]
            near = difflib.get_close_matches("--" + word.lstrip("-"), known, n=1, cutoff=0.75)
            if word in known:
                refuse(f"{clean(word)} is an option, but more text stands with it in one argument; give them apart.")
            if (near and len(word) > 3) or _OPTION_SHAPE.fullmatch(token):
                suggestion = f" Did you mean {near[0]}?" if near else ""
                refuse(
                    f"No such option: {clean(word)}.{suggestion} Text that begins with a dash is given after `--`, "
                    "or on stdin with `-` as the argument."
                )
            values.append(token)
    return options, values


def read_problem(argument: str | None) -> "Problem":
    """Return the problem that an argument or stdin (`-`) holds.

    Raises:
        UsageError: there is none, it is empty, or stdin is not UTF-8.
    """
    from reasonflux.documents import problem_of
    from reasonflux.errors import UsageError

    if argument is None:
        raise UsageError('Give a problem in quotes, such as reasonflux solve "What is 2 + 2?", or - to read stdin.')
    text = _stdin() if argument == "-" else argument_text(argument)
    if not text.strip():
        raise UsageError("The problem is empty; give its text in quotes, or on stdin with -.")
    return problem_of(text)


def _stdin() -> str:
    from reasonflux.errors import UsageError

    if sys.stdin is None:
        raise UsageError("stdin is closed; give the problem in quotes.")
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"stdin is not UTF-8: byte {data[error.start]:#04x} at position {error.start}; send it as UTF-8."
        ) from error
