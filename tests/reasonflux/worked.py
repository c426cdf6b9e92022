"""Worked problems of a few kinds, a template for each kind as a model writes it, and a front door over test doubles."""

import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reasonflux.distill_groups import Worked
from tests.library.hashing_embedder import HashingEmbedder

KINDS = {
    "apples": (
        "Anna carries {n} heavy baskets of ripe red apples home and every basket holds {m} apples; how many apples?",
        "Each basket holds {m}, so {n} * {m} = {a}.",
    ),
    "trains": (
        "Some express train leaves Vienna, rolling {n} hours along its track with speed {m} miles per hour; distance?",
        "Speed times time gives {n} * {m} = {a} miles.",
    ),
}


def problem(kind: str, n: int) -> dict[str, Any]:
    """Return the n-th worked problem of a kind as a record; its answer is n * (n + 1)."""
    numbers = {"n": n, "m": n + 1, "a": n * (n + 1)}
    asked, solution = (text.format(**numbers) for text in KINDS[kind])
    return {"id": f"{kind}/{n}", "problem": asked, "solution": solution, "answer": str(numbers["a"])}


def worked(kind: str, n: int) -> Worked:
    record = problem(kind, n)
    return Worked(record["id"], n, record["problem"], record["solution"], record["answer"], "math")


def reply(kind: str = "apples", **changes: Any) -> dict[str, Any]:
    """Return what a model writes for a kind."""
    texts = {
        "apples": {
            "name": "Multiply equal heaps by their number",
            "description": "Equal heaps are counted at once by multiplying, because each heap adds the same amount.",
            "scope": "For totals of heaps that all hold the same amount, not for unequal ones.",
            "steps": [
                "Find the number of equal heaps.",
                "Find the amount that one heap holds.",
                "Multiply the amount by the number of heaps.",
            ],
            "tags": ["multiplication", "equal heaps"],
        },
        "trains": {
            "name": "Turn pace and duration into a length",
            "description": "A constant pace covers the same length in every unit of duration, so lengths are products.",
            "scope": "For motion at one unchanging pace, not for motion that speeds up.",
            "steps": [
                "Write down the pace in matching units.",
                "Convert the duration to the same unit.",
                "Take pace times duration as the covered length.",
            ],
            "tags": ["motion", "rates"],
        },
    }[kind]
    return {**texts, **changes}


def put(path: Path, records: Sequence[Any]) -> Path:
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def answers(record: dict[str, Any], without: bool | str, with_it: bool | str) -> list[dict[str, Any]]:
    """Return what the model answers to a problem without the template, then with it."""
    given = (without, with_it)
    texts = [record["answer"] if right is True else "-1" if right is False else right for right in given]
    return [{"stage": "step", "match": record["problem"], "text": f"So \\boxed{{{text}}}."} for text in texts]


def main() -> None:
    """Run the command line with a hashing embedder; it kills itself at the point that KILL_AT names."""
    import cli
    from reasonflux import distill
    from reasonflux.batch_output import BatchOutput
    from reasonflux.commands import assemble_library, console

    assemble_library.load_embedder = lambda weights_dir, quiet=False: HashingEmbedder(64)
    append, land = BatchOutput.append, distill.land
    left = [int(os.environ.get("KILL_AFTER", "0"))]
    point = os.environ.get("KILL_AT", "")

    def killing(name: str, work: Any) -> Any:
        def doing(*arguments: Any) -> Any:
            if point == name and not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= point == name
            return work(*arguments)

        return doing

    BatchOutput.append = killing("append", append)  # type: ignore[method-assign]
    distill.land = killing("land", land)
    console.start(lambda: cli.app(sys.argv[1:], prog_name="reasonflux"))


if __name__ == "__main__":
    main()
