"""The JSON documents of a solved problem: what `solve --json` prints and each line that `solve --file` writes."""

from typing import Any, Literal

from reasonflux.runs import RunHeader
from reasonflux.types import Problem, Solution

Grading = Literal["graded", "ungradable", "no_gold", "not_graded"]
"""Whether a record's answer was compared with a gold one: `ungradable` is a gold that does not even match itself,
`not_graded` a record whose run failed."""


def solution_document(
    header: RunHeader,
    solution: Solution,
    *,
    record_id: str | None = None,
    line: int | None = None,
    correct: bool | None = None,
) -> dict[str, Any]:
    """Return the document of one run; `error` is there only when the run failed."""
    data = solution.model_dump(mode="json")
    document = {
        "id": record_id or header.problem.id,
        "line": line,
        "problem": header.problem.text,
        "answer": solution.answer,
        "correct": correct,
        "confidence": solution.confidence,
        "status": solution.status,
        "flags": data["flags"],
        "strategy": header.strategy,
        "model": header.model.spec,
        "planner": header.planner.spec if header.planner else None,
        "library": header.library,
        "seed": header.seed,
        "trajectory": data["trajectory"],
        "steps": data["steps"],
        "revisions": solution.revisions,
        "usage": data["usage"],
        "seconds": solution.seconds,
        "run_id": solution.run_id,
    }
    return document if solution.error is None else document | {"error": solution.error}


def batch_line(document: dict[str, Any], *, content_hash: str, grading: Grading) -> dict[str, Any]:
    """Return a document as a line of a batch: with the record's content hash and how it was graded."""
    return document | {"content_hash": content_hash, "grading": grading}


def unread_line(line: int, reason: str, *, strategy: str, model: str, seed: int) -> dict[str, Any]:
    """Return the line of a record that could not be read."""
    return {
        "id": None,
        "line": line,
        "problem": None,
        "answer": None,
        "correct": None,
        "confidence": None,
        "status": "failed",
        "flags": [],
        "strategy": strategy,
        "model": model,
        "planner": None,
        "library": None,
        "seed": seed,
        "trajectory": [],
        "steps": [],
        "revisions": 0,
        "usage": {"calls": 0, "prompt_tokens": 0, "cached_tokens": 0, "completion_tokens": 0},
        "seconds": 0.0,
        "run_id": None,
        "error": reason,
        "content_hash": None,
        "grading": "not_graded",
    }


def problem_of(text: str) -> Problem:
    """Return the problem of a text given by a person: trimmed, and with what is no text replaced."""
    return Problem(text=text.encode("utf-8", "replace").decode("utf-8").strip())
