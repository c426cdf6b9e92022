"""The report of a run: its figures as one JSON document, and one page that stands by itself.

The figures are read from what the stages left: the results of the jobs, what became of the pairs, and the evaluation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.report_html import page
from training.writing import write_document, write_text

UNTRAINED, BEFORE, AFTER = "untrained", "before", "after"
"""The names that an evaluation gives its planners: the base model, the one DPO starts from, and the one it leaves."""
FIGURES = (
    "structure_loss_before",
    "structure_loss_after",
    "valid_plans_before",
    "valid_plans_after",
    "dpo_heldout_accuracy",
    "dpo_heldout_interval",
    "reward_untrained",
    "reward_before_dpo",
    "reward_after_dpo",
    "reward_gain_interval",
    "problems",
)
"""What every report has; a figure whose stage did not run is null."""
SHOWN_PLANS = 10


@dataclass(frozen=True)
class Sources:
    """What a report is made of; a stage that did not run leaves its part empty.

    Attributes:
        about: recipe, seeds, versions and digests of the data, as they are to be shown.
        structure: result of structure fine-tuning, as `train_sft` returns it.
        sft: the same of the cold start.
        dpo: result of `train_dpo`.
        pairs: what became of the pairs.
        evaluation: the summary of `evaluate`.
        rows: the rows of `evaluate`.
    """

    about: Mapping[str, Any] = field(default_factory=dict)
    structure: Mapping[str, Any] = field(default_factory=dict)
    sft: Mapping[str, Any] = field(default_factory=dict)
    dpo: Mapping[str, Any] = field(default_factory=dict)
    pairs: Mapping[str, Any] = field(default_factory=dict)
    evaluation: Mapping[str, Any] = field(default_factory=dict)
    rows: Sequence[Mapping[str, Any]] = ()


def write_report(sources: Sources, folder: Path) -> dict[str, Any]:
    """Write `report.json` and `report.html` into a folder, each as a whole, and return the figures.

    Raises:
        OSError: the folder can't be written.
    """
    document = figures(sources)
    write_text(folder / "report.html", page(document, _curves(sources), side_by_side(sources.rows)))
    write_document(folder / "report.json", document)
    return document


def figures(sources: Sources) -> dict[str, Any]:
    """Return the report's figures: those of `FIGURES`, then what they were taken from."""
    evaluation = sources.evaluation
    untrained = _entry(evaluation, UNTRAINED, "closed")
    base, before, after = (_entry(evaluation, name, "open") for name in (UNTRAINED, BEFORE, AFTER))
    gain = _gain(evaluation, BEFORE, AFTER, "open")
    over_untrained = _gain(evaluation, UNTRAINED, AFTER, "open", first_mode="closed")
    return {
        "structure_loss_before": sources.structure.get("loss_before"),
        "structure_loss_after": sources.structure.get("loss_after"),
        "valid_plans_before": base.get("valid_plans"),
        "valid_plans_after": after.get("valid_plans"),
        "dpo_heldout_accuracy": sources.dpo.get("heldout_accuracy"),
        "dpo_heldout_interval": sources.dpo.get("heldout_interval"),
        "reward_untrained": untrained.get("reward"),
        "reward_before_dpo": before.get("reward"),
        "reward_after_dpo": after.get("reward"),
        "reward_gain_interval": gain.get("interval"),
        "problems": evaluation.get("problems"),
        "reward_gain": gain.get("gain"),
        "reward_gain_over_untrained": over_untrained.get("gain"),
        "reward_gain_over_untrained_interval": over_untrained.get("interval"),
        "dpo_heldout_pairs": sources.dpo.get("data", {}).get("held_out_rows"),
        "dpo_heldout_problems": sources.dpo.get("heldout_problems"),
        "planners": list(evaluation.get("entries", ())),
        "comparisons": list(evaluation.get("comparisons", ())),
        "pairs": dict(sources.pairs),
        "about": dict(sources.about),
    }


def side_by_side(rows: Sequence[Mapping[str, Any]], most: int = SHOWN_PLANS) -> list[dict[str, Any]]:
    """Return problems with the open plans made for them before and after DPO, those first whose reward moved most."""
    held: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row["mode"] == "open" and row["planner"] in (BEFORE, AFTER):
            entry = held.setdefault(row["problem_id"], {"problem": row["problem"]})
            entry[row["planner"]] = row
    both = [entry for entry in held.values() if BEFORE in entry and AFTER in entry]

    def moved(entry: dict[str, Any]) -> float:
        high, low = (float(entry[name].get("reward") or 0.0) for name in (AFTER, BEFORE))
        return abs(high - low)

    # Half of them those that moved most, the rest as they come: a page of changes alone would flatter.
    changed = sorted(both, key=moved, reverse=True)[: most // 2]
    rest = [entry for entry in both if entry not in changed]
    return [*changed, *rest][:most]


def _curves(sources: Sources) -> list[tuple[str, dict[str, list[tuple[float, float]]]]]:
    curves = [
        (f"{title}: loss", {"training": _points(job, "loss"), "held-out": _points(job, "eval_loss")})
        for title, job in (("Structure", sources.structure), ("Cold start", sources.sft), ("DPO", sources.dpo))
    ]
    for name, title in (("rewards/margins", "DPO: margin"), ("rewards/accuracies", "DPO: accuracy")):
        lines = {"training": _points(sources.dpo, name), "held-out": _points(sources.dpo, f"eval_{name}")}
        curves.append((title, lines))
    return curves


def _points(job: Mapping[str, Any], name: str) -> list[tuple[float, float]]:
    return [(float(entry["step"]), float(entry[name])) for entry in job.get("history", ()) if name in entry]


def _entry(evaluation: Mapping[str, Any], planner: str, mode: str) -> Mapping[str, Any]:
    entries: Sequence[Mapping[str, Any]] = evaluation.get("entries", ())
    return next((entry for entry in entries if (entry["planner"], entry["mode"]) == (planner, mode)), {})


def _gain(
    evaluation: Mapping[str, Any], first: str, second: str, mode: str, *, first_mode: str = ""
) -> Mapping[str, Any]:
    wanted = f"{first}/{first_mode or mode}", f"{second}/{mode}"
    comparisons: Sequence[Mapping[str, Any]] = evaluation.get("comparisons", ())
    return next((entry for entry in comparisons if (entry["first"], entry["second"]) == wanted), {})
