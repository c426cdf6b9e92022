"""`reasonflux grade`: is this answer right?"""

from typing import Annotated

import typer

from reasonflux.commands import console
from reasonflux.commands.arguments import argument_text

EPILOG = console.examples(
    'reasonflux grade --gold "1/2" --answer 0.5',
    r'reasonflux grade --gold "x^2 - 1" --answer "\boxed{(x - 1)(x + 1)}"',
    "reasonflux grade --gold Paris --answer paris --grader text --json",
)


def grade(
    gold: Annotated[str, typer.Option("--gold", metavar="TEXT", help="The right answer; may begin with a dash.")],
    answer: Annotated[
        str,
        typer.Option("--answer", metavar="TEXT", help=r"The answer to judge, bare or as written (\boxed{...})."),
    ],
    grader: Annotated[str, typer.Option("--grader", help="math or text.")] = "math",
    question: Annotated[
        str | None,
        typer.Option("--question", metavar="TEXT", help="The problem, for which variable or base it asks."),
    ] = None,
    as_json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Compare an answer with the right one. Exit code 0 for right and wrong, 1 where that can't be decided."""
    with console.reporting(debug=debug):
        from reasonflux.errors import UsageError

        if grader not in ("math", "text"):
            raise UsageError(f"--grader is {grader!r}; it must be math or text.")
        from reasonflux.grading import Grader

        gold, answer = argument_text(gold), argument_text(answer)
        with Grader() as judge:
            verdict = judge.grade(gold, answer, grader="text" if grader == "text" else "math", question=question)
        if as_json:
            console.write_json(
                {
                    "correct": verdict.correct,
                    "note": verdict.note,
                    "gold": gold,
                    "answer": answer,
                    "grader": grader,
                    "seconds": round(verdict.seconds, 3),
                }
            )
        else:
            word = {True: "right", False: "wrong", None: "undecided"}[verdict.correct]
            console.write(f"{word}: {verdict.note}" if verdict.note else word)
        if verdict.correct is None:
            raise typer.Exit(console.EXIT_FAILED)
