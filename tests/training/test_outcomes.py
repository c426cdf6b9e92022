"""The store of outcomes: what a key depends on, and what a row never does."""

import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from reasonflux.errors import ReasonFluxError
from reasonflux.models.base import ModelInfo
from reasonflux.types import GradedProblem, Problem
from tests.reasonflux.reasoning import template
from tests.training.rolling import INFO, trajectory
from training.outcomes import Outcome, OutcomeKey, OutcomeStore, model_identity, outcome_key
from training.rollout_settings import FollowSettings

ROOT = Path(__file__).parents[2]
GRADED = GradedProblem(problem=Problem(text="What is 4 + 5?"), gold="9")


def key(**changes: object) -> OutcomeKey:
    given = {
        "trajectory": trajectory("Method A"),
        "templates": (template("Method A"),),
        "graded": GRADED,
        "model": INFO,
        "settings": FollowSettings(),
    } | changes
    return outcome_key(**given)  # type: ignore[arg-type]


def test_a_key_changes_with_all_that_an_outcome_depends_on() -> None:
    changed = [
        key(trajectory=trajectory("Method A", goal="another quantity")),
        key(templates=(template("Method A", steps=("Do it otherwise.",)),)),
        key(templates=(None,)),
        key(graded=GRADED.model_copy(update={"problem": Problem(text="What is 4 + 6?")})),
        key(graded=GRADED.model_copy(update={"gold": "10"})),
        key(graded=GRADED.model_copy(update={"grader": "text"})),
        key(model=ModelInfo(spec="other:", backend="talker")),
        key(settings=FollowSettings(follow_mode="single")),
        key(settings=FollowSettings(follow_tokens=481)),
        key(settings=FollowSettings(follow_repairs=0)),
        key(settings=FollowSettings(follow_temperature=0.5)),
        key(settings=FollowSettings(follow_tools=False)),
        key(settings=FollowSettings(follow_seed=1)),
    ]
    assert len({item.digest for item in [key(), *changed]}) == len(changed) + 1


def test_a_key_stays_where_nothing_that_counts_changes() -> None:
    assert key(trajectory=trajectory("What the planner calls it")) == key()
    assert key(settings=FollowSettings(limit_seconds=1.0)) == key()
    assert key(graded=GRADED.model_copy(update={"record_id": "other"})) == key()


def test_a_model_is_one_wherever_it_is_served() -> None:
    first = ModelInfo(spec="openai:qwen@http://a:8000/v1", backend="openai")
    assert model_identity(first) == model_identity(first.model_copy(update={"spec": "openai:qwen@https://b/v1"}))
    held = ModelInfo(spec="hf:x", backend="hf", weights_sha256="ab")
    assert model_identity(held) == "sha256:ab"


def test_a_known_row_never_changes_and_an_unknown_one_may(tmp_path: Path) -> None:
    outcome = Outcome(key(), None, "lost", note="gone")
    with OutcomeStore(tmp_path / "o.db") as store:
        assert store.put(outcome)
        assert store.known([outcome.key.digest])[outcome.key.digest] == outcome
        assert store.put(replace(outcome, correct=True, unknown=None, answer="9", note="", seconds=1.5))
        assert not store.put(replace(outcome, correct=False, unknown=None))
        (stored,) = store.known([outcome.key.digest, "absent"]).values()
        assert (stored.correct, stored.answer, stored.seconds) == (True, "9", 1.5)
        assert store.keys() == [outcome.key.digest]


def test_unknown_can_not_be_stored_as_wrong_nor_without_a_cause(tmp_path: Path) -> None:
    with OutcomeStore(tmp_path / "o.db") as store:
        for wrong in (Outcome(key(), None), Outcome(key(), False, "time-out")):
            with pytest.raises(ReasonFluxError, match="CHECK"):
                store.put(wrong)
        assert store.keys() == []


def test_many_keys_are_looked_up_at_once(tmp_path: Path) -> None:
    made = [Outcome(replace(key(), seed=seed), True) for seed in range(1203)]
    with OutcomeStore(tmp_path / "o.db") as store:
        for outcome in made[:700]:
            store.put(outcome)
        assert len(store.known(outcome.key.digest for outcome in made)) == 700


def test_foreign_and_later_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database at all, but long enough to be looked at\n" * 20, "utf-8")
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE people (name TEXT)")
    with sqlite3.connect(tmp_path / "later.db") as later:
        later.execute("PRAGMA user_version = 9")
    for name, said in (("text", "not a database"), ("other", "another database"), ("later", "another version")):
        with pytest.raises(ReasonFluxError, match=said):
            OutcomeStore(tmp_path / f"{name}.db")


def test_rows_outlive_a_process_that_is_killed_outright(tmp_path: Path) -> None:
    program = f"""
import os, signal
from dataclasses import replace
from pathlib import Path
from tests.training.test_outcomes import key
from training.outcomes import Outcome, OutcomeStore
store = OutcomeStore(Path({str(tmp_path / "o.db")!r}))
for seed in range(5):
    store.put(Outcome(replace(key(), seed=seed), True))
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == -signal.SIGKILL
    with OutcomeStore(tmp_path / "o.db") as store:
        assert len(store.keys()) == 5
