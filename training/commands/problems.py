"""`reasonflux train problems`: problems to train on and problems to evaluate on, none of them in both."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import console, settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from training.problems import TrainingProblem

EPILOG = console.examples(
    "reasonflux train problems --train 120 --held-out 60 --templates 20 --difficulty 1 --out problems",
    "reasonflux train problems --template solve-a-quadratic-equation --out problems",
    "reasonflux train problems --train-file mine.jsonl --held-out-file others.jsonl --out problems",
)


def problems(
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="For train.jsonl and held_out.jsonl.")],
    train: Annotated[int, typer.Option("--train", min=1, help="Problems to train on.")] = 120,
    held_out: Annotated[int, typer.Option("--held-out", min=1, help="Problems to evaluate on.")] = 60,
    difficulty: Annotated[int, typer.Option("--difficulty", min=1, max=3, help="1 easy, 2 usual, 3 of a contest.")] = 1,
    templates: Annotated[
        int | None, typer.Option("--templates", min=1, metavar="N", help="Draw of N templates.", show_default="all")
    ] = None,
    template: Annotated[
        list[str] | None, typer.Option("--template", metavar="SLUG", help="Draw of this template; repeatable.")
    ] = None,
    train_file: Annotated[
        Path | None, typer.Option("--train-file", metavar="FILE", help="Problems of your own, in place of fresh ones.")
    ] = None,
    held_out_file: Annotated[
        Path | None, typer.Option("--held-out-file", metavar="FILE", help="Problems of your own to evaluate on.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the choice and of the draws.")] = 0,
    library: console.LibraryOption = None,
    home: console.HomeOption = None,
    as_json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Write the problems of a training run: fresh ones of templates that the library holds, or those of two files.

    A held-out problem is never one to train on, also not in other letter case or with other spaces.
    """
    with console.reporting(debug=debug):
        from reasonflux.errors import UsageError
        from training.problem_split import drawn_apart, taken_apart
        from training.problems import read_problems
        from training.writing import write_lines

        if (train_file is None) != (held_out_file is None):
            raise UsageError("--train-file and --held-out-file go together.")
        if train_file is not None and held_out_file is not None:
            learned, kept, dropped = taken_apart(read_problems(train_file), read_problems(held_out_file))
        else:
            if templates is not None and template:
                raise UsageError("--templates and --template exclude one another.")
            slugs = _slugs(settings.library_path(library, settings.home_dir(home)))
            learned, kept = drawn_apart(
                slugs, train, held_out, difficulty=difficulty, seed=seed, templates=templates, among=template or []
            )
            dropped = 0
        out = out.expanduser().absolute()
        write_lines(out / "train.jsonl", _records(learned))
        write_lines(out / "held_out.jsonl", _records(kept))
        document = {
            "out": str(out),
            "train": len(learned),
            "held_out": len(kept),
            "templates": len({problem.template for problem in learned} - {None}),
            "dropped": dropped,
        }
        if as_json:
            console.write_json(document)
        else:
            console.write(f"{len(learned)} problems to train on, {len(kept)} held out, in {console.clean(str(out))}.")
            if dropped:
                console.write(f"{dropped} held-out problems stand among those to train on too; they were left out.")


def _slugs(path: Path) -> list[str]:
    """Return the slugs of the active templates of a library; of the seed where the default one is not made yet."""
    from library.generating import seed_generators
    from library.store import Library

    if not path.exists() and path.name == "default.db":
        return list(seed_generators())
    with Library.open(path) as store:
        return [stored.slug for stored in store.list(status="active")]


def _records(problems: "Sequence[TrainingProblem]") -> list[dict[str, Any]]:
    return [
        {
            "id": problem.id,
            "problem": problem.text,
            "answer": problem.graded.gold,
            "grader": problem.graded.grader,
            "template": problem.template,
        }
        for problem in problems
    ]
