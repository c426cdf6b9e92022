"""Sampling trajectories: distinct, valid, and every plan of no use counted under its reason."""

import json
from pathlib import Path
from typing import Any

import pytest

from reasonflux.errors import ModelUnavailable, RecordError
from reasonflux.models.scripted import ScriptedModel
from reasonflux.planner import open_plan_messages, plan_text
from tests.reasonflux.reasoning import plan_of, prompts_of
from tests.training.rolling import context, problem
from training.rollout_settings import TrajectorySettings
from training.trajectories import ProblemTrajectories, Sampler, read_trajectories


def open_plan(*names: str) -> dict[str, Any]:
    return {"steps": [{"template": name, "tags": ["a", "b"], "goal": "a quantity"} for name in names]}


def sampler(model: Any, **settings: Any) -> Sampler:
    chosen = TrajectorySettings(**settings)
    return Sampler(context(model, chosen.plan_settings()), chosen)


def test_plans_are_drawn_until_there_are_enough_distinct_ones() -> None:
    model = ScriptedModel(
        [open_plan("Method A"), open_plan("Method A"), open_plan("Method A", "Method B"), open_plan("Method B"), "rest"]
    )
    found = sampler(model, number=3).sample(problem(1))
    assert found is not None
    assert [item.slugs for item in found.trajectories] == [("method-a",), ("method-a", "method-b"), ("method-b",)]
    assert (found.draws, found.invalid) == (4, {"it uses the templates of one drawn before": 1})


def test_plans_of_no_use_are_counted_by_reason() -> None:
    replies = [
        "no plan",
        "",
        {"steps": []},
        open_plan(*["Method A"] * 7),
        open_plan(*["Method A"] * 8),
        {"steps": [{"template": "Method A", "tags": ["a"]}]},
        open_plan("none"),
        open_plan("Unheard of"),
        {"text": "{", "finish_reason": "length"},
    ]
    model = ScriptedModel([*replies[:-1], "{ " * 600, open_plan("Method C")])
    found = sampler(model, number=2, draws=10).sample(problem(1))
    assert found is not None
    assert [item.slugs for item in found.trajectories] == [("method-c",)]
    assert found.draws == 10
    assert found.invalid == {
        "It holds no JSON object": 1,
        "It was empty": 1,
        'It has no list "steps" with at least one step': 1,
        "It has N steps; at most N are allowed": 2,
        'Step N has no "goal"': 1,
        "a step names no template": 1,
        "no template matches a step": 1,
        "It was cut": 1,
    }


def test_each_draw_has_its_own_seed_and_the_sampler_settings() -> None:
    model = ScriptedModel([open_plan("Method A")] * 4)
    made = sampler(model, number=2, draws=2, temperature=0.7, top_p=0.8, seed=3)
    made.sample(problem(1))
    made.sample(problem(2))
    params = [request.params for request in model.requests]
    assert len({item.seed for item in params}) == 4
    assert {(item.temperature, item.top_p, item.max_tokens) for item in params} == {(0.7, 0.8, 400)}
    assert all(item.json_schema is not None for item in params)
    again = ScriptedModel([open_plan("Method A")] * 4)
    sampler(again, number=2, draws=2, temperature=0.7, top_p=0.8, seed=3).sample(problem(1))
    assert [request.params for request in again.requests] == params[:2]


def test_plans_may_be_drawn_without_the_schema() -> None:
    model = ScriptedModel([open_plan("Method A")])
    sampler(model, number=1, constrained=False).sample(problem(1))
    assert model.requests[0].params.json_schema is None


def test_open_planning_asks_as_solving_does_and_keeps_what_the_planner_wrote() -> None:
    model = ScriptedModel([open_plan("METHOD  a")])
    found = sampler(model, number=1).sample(problem(1))
    assert list(model.requests[0].messages) == open_plan_messages("What is problem 1?")
    assert found is not None
    (item,) = found.trajectories
    assert item.slugs == ("method-a",)
    assert item.text == plan_text(item.trajectory) == json.dumps(open_plan("METHOD  a"))


def test_closed_planning_chooses_from_the_shortlist() -> None:
    model = ScriptedModel([plan_of("Method B"), plan_of("none")])
    found = sampler(model, number=2, draws=2, planning="closed", shortlist=2).sample(problem(1))
    assert found is not None
    assert [item.slugs for item in found.trajectories] == [("method-b",)]
    assert found.invalid == {"a step names no template": 1}
    (prompt, _) = prompts_of(model)
    assert "Method B" in prompt
    assert "Method C" not in prompt


def test_sampling_stops_when_told_and_passes_on_a_dead_planner() -> None:
    assert sampler(ScriptedModel([])).sample(problem(1), lambda: True) is None
    with pytest.raises(ModelUnavailable):
        sampler(ScriptedModel([ModelUnavailable("down")])).sample(problem(1))


def test_lines_are_read_as_they_were_written(tmp_path: Path) -> None:
    model = ScriptedModel([open_plan("Method A"), "no plan", open_plan("Method B")])
    line = sampler(model, number=2).sample(problem(4, gold="CANARY-77", template="method-a"))
    assert line is not None
    assert "CANARY-77" not in json.dumps(line.document())
    path = tmp_path / "t.jsonl"
    failed = {"line": 9, "content_hash": "x", "status": "failed"}
    path.write_text("\n".join(json.dumps(item) for item in (failed, line.document())) + "\n", "utf-8")
    (read,) = read_trajectories(path)
    assert read.document() == line.document()
    assert read.trajectories[0].text == line.trajectories[0].text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no trajectories"),
        ("{\n", r":1 is no JSON"),
        ("[]\n", r":1 is no JSON object"),
        ('{"line": 1}\n', r":1 is no line of"),
        ('{"line": 1, "content_hash": "h", "trajectories": [{"steps": []}]}\n', r":1 is no line of"),
    ],
)
def test_files_that_are_none_are_refused_with_the_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(RecordError, match=said):
        read_trajectories(path)
    with pytest.raises(RecordError, match="can't be read"):
        read_trajectories(tmp_path / "absent.jsonl")


def test_a_document_needs_all_its_parts() -> None:
    with pytest.raises(KeyError):
        ProblemTrajectories.of({})
