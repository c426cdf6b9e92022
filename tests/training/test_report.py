"""The report: every figure it promises, a page that stands by itself, and no text that becomes markup."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from training.charts import line_chart
from training.report import AFTER, BEFORE, FIGURES, UNTRAINED, Sources, figures, side_by_side, write_report

HOSTILE = "<script>alert('x')</script> & \"quoted\""


def entry(planner: str, mode: str, **values: Any) -> dict[str, Any]:
    return {"planner": planner, "mode": mode, "valid_plans": 0.5, "reward": 0.25, **values}


def row(planner: str, problem: int, *, reward: float | None = 0.5, mode: str = "open", **values: Any) -> dict[str, Any]:
    step = {"name": f"Method {HOSTILE}", "goal": "the sum", "template": "method"}
    return {
        "planner": planner, "mode": mode, "problem_id": f"p{problem}", "problem": f"{HOSTILE} {problem}",
        "valid": True, "trouble": "", "steps": [step], "reward": reward, **values,
    }  # fmt: skip


@pytest.fixture
def sources() -> Sources:
    history = [{"step": n, "loss": 1 / n, "rewards/margins": n / 9, "rewards/accuracies": 0.5} for n in range(1, 6)]
    looks = [{"step": 5, "eval_loss": 0.6, "eval_rewards/margins": 0.1, "eval_rewards/accuracies": 0.7}]
    ends = {"first": "before/open", "second": "after/open"}
    gain = {"gain": 0.1, "interval": [-0.05, 0.25], "problems": 60}
    more = {"first": "untrained/closed", "gain": 0.2, "interval": [0.1, 0.3]}
    return Sources(
        about={"recipe": {"name": "laptop"}, "seed": 0, "note": HOSTILE},
        structure={"loss_before": 3.0, "loss_after": 2.0, "history": history},
        dpo={
            "heldout_accuracy": 0.65, "heldout_interval": [0.5, 0.8], "heldout_problems": 31,
            "data": {"held_out_rows": 60}, "history": [*history, *looks],
        },
        pairs={"pairs": 240, "dropped": {"too_close": 10}},
        evaluation={
            "problems": 60,
            "entries": [
                entry(UNTRAINED, "closed", reward=0.2),
                entry(UNTRAINED, "open", valid_plans=0.01),
                entry(BEFORE, "open", reward=0.3),
                entry(AFTER, "open", reward=0.4, valid_plans=0.97),
            ],
            "comparisons": [ends | gain, ends | gain | more],
        },
        rows=[row(name, number, reward=number / 20) for number in range(15) for name in (BEFORE, AFTER)],
    )  # fmt: skip


def test_report_has_every_figure(sources: Sources, tmp_path: Path) -> None:
    written = write_report(sources, tmp_path)
    held = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert held == written
    assert {name: held[name] for name in FIGURES} == {
        "structure_loss_before": 3.0,
        "structure_loss_after": 2.0,
        "valid_plans_before": 0.01,
        "valid_plans_after": 0.97,
        "dpo_heldout_accuracy": 0.65,
        "dpo_heldout_interval": [0.5, 0.8],
        "reward_untrained": 0.2,
        "reward_before_dpo": 0.3,
        "reward_after_dpo": 0.4,
        "reward_gain_interval": [-0.05, 0.25],
        "problems": 60,
    }
    assert held["reward_gain_over_untrained"] == 0.2


def test_a_stage_that_did_not_run_leaves_null_figures(tmp_path: Path) -> None:
    written = write_report(Sources(), tmp_path)
    assert [written[name] for name in FIGURES] == [None] * len(FIGURES)
    assert "<svg" not in (tmp_path / "report.html").read_text("utf-8")


def test_page_stands_by_itself_and_escapes_all_text(sources: Sources, tmp_path: Path) -> None:
    write_report(sources, tmp_path)
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert re.search(r"(?:src|href)=|url\(|@import|https?:", text) is None
    assert text.count("<article>") == 10
    assert text.count("<svg") == 4
    for title in ("Structure: loss", "DPO: loss", "DPO: margin", "DPO: accuracy"):
        assert title in text


def test_plans_that_moved_most_come_first_and_others_are_shown_too() -> None:
    rows = [row(BEFORE, number, reward=0.0) for number in range(20)]
    rows += [row(AFTER, number, reward=1.0 if number > 15 else 0.0) for number in range(20)]
    shown = side_by_side([*rows, row(AFTER, 99), row(BEFORE, 98, mode="closed")])
    assert [plan[AFTER]["problem_id"] for plan in shown] == [
        "p16", "p17", "p18", "p19", "p0", "p1", "p2", "p3", "p4", "p5",
    ]  # fmt: skip


def test_figures_name_the_planners_compared(sources: Sources) -> None:
    assert [held["planner"] for held in figures(sources)["planners"]] == [UNTRAINED, UNTRAINED, BEFORE, AFTER]


@pytest.mark.parametrize("points", [[], [(0.0, math.nan)], [(1.0, math.inf)]])
def test_a_chart_without_finite_points_is_left_out(points: list[tuple[float, float]]) -> None:
    assert line_chart("Loss", {"training": points}) == ""


def test_a_chart_draws_single_points_flat_lines_and_long_ones() -> None:
    drawn = line_chart(HOSTILE, {"one": [(3.0, 2.0)], "flat": [(float(n), 2.0) for n in range(5000)]})
    assert "<script" not in drawn
    assert drawn.count("<circle") == 1
    assert len(drawn) < 20_000
    assert "nan" not in drawn
