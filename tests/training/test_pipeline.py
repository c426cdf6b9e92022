"""The pipeline: stages in order, those done skipped, and nothing done twice or lost however a run ended."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest

from library.template import content_hash
from reasonflux.errors import RecordError, UsageError
from training.child import child_command, child_environment, run_child
from training.errors import TrainingError
from training.outcome_rows import import_outcomes
from training.outcomes import Outcome, OutcomeKey, OutcomeStore
from training.pipeline import KEPT_OUTCOMES, Pipeline
from training.recipe import Recipe, recipe_of
from training.stages import STAGES

RECIPE = {"name": "try", "planner": "smollm2-135m", "sft": {"merge": False}}
LEAVES = {
    "problems": ("train.jsonl", "held_out.jsonl"),
    "structure": ("result.json", "adapter/", "model/"),
    "cold_start": ("trajectories.jsonl", "rows.jsonl"),
    "sft": ("result.json", "adapter/"),
    "trajectories": ("trajectories.jsonl",),
    "reward": ("rewards.jsonl",),
    "pairs": ("train.jsonl", "held_out.jsonl", "report.json"),
    "dpo": ("result.json", "adapter/", "model/"),
    "eval": ("rows.jsonl", "solved.jsonl", "result.json"),
}


class Fake:
    """Does what the commands do, in name only: what a stage leaves is a function of its settings and its inputs."""

    def __init__(self, fail: str = "", interrupt: str = "") -> None:
        self.calls: list[str] = []
        self.commands: dict[str, list[str]] = {}
        self.fail, self.interrupt = fail, interrupt
        self.found: dict[str, list[str]] = {}

    def __call__(self, arguments: Sequence[str], launch: Path | None, meanwhile: Callable[[], None]) -> dict[str, Any]:
        options = dict(pairwise(arguments))
        out = Path(options["--out"])
        home = out if out.suffix == "" else out.parent
        stage = home.name
        self.calls.append(stage)
        self.commands[stage] = list(arguments)
        self.found[stage] = sorted(path.name for path in home.iterdir())
        meanwhile()
        if stage == self.fail:
            (home / "half.jsonl").write_text("half", "utf-8")
            raise TrainingError("`reasonflux train` ended with exit code 1.")
        if stage == self.interrupt:
            (home / "half.jsonl").write_text("half", "utf-8")
            raise KeyboardInterrupt
        read = [Path(part).read_text("utf-8") for part in arguments if Path(part).is_file()]
        settings = [part for part in arguments if not part.startswith("/") and "/tmp" not in part]
        said = {"stage": stage, "of": content_hash([settings, read]), "history": [], "entries": [], "problems": 2}
        for name in LEAVES[stage]:
            if name.endswith("/"):
                (home / name).mkdir(exist_ok=True)
            else:
                body = said if name.endswith(".json") else {**said, "mode": "closed", "planner": "untrained"}
                (home / name).write_text(json.dumps(body) + "\n", "utf-8")
        return {"stage": stage}


@pytest.fixture
def recipe() -> Recipe:
    return recipe_of(RECIPE, "test")


@pytest.fixture
def make(tmp_path: Path, recipe: Recipe) -> Callable[..., Pipeline]:
    def pipeline(runner: Fake, **values: Any) -> Pipeline:
        given = {"recipe": recipe, "folder": tmp_path / "run", "beside": tmp_path, "library": "sha256:1"} | values
        return Pipeline(runner=runner, **given)

    return pipeline


def digests(folder: Path) -> dict[str, Any]:
    return {path.stem: json.loads(path.read_text("utf-8"))["rows"] for path in sorted((folder / "stages").iterdir())}


def test_stages_run_in_order_and_a_second_run_does_nothing(make: Callable[..., Pipeline], tmp_path: Path) -> None:
    first, second = Fake(), Fake()
    done = make(first).run()
    assert first.calls == list(STAGES[:-1])
    assert done["stages"] == dict.fromkeys(STAGES, "done")
    assert Path(done["report"]).is_file()
    before = digests(tmp_path / "run")
    assert make(second).run()["stages"] == dict.fromkeys(STAGES, "skipped")
    assert second.calls == []
    assert digests(tmp_path / "run") == before
    about = json.loads((tmp_path / "run" / "pipeline.json").read_text("utf-8"))
    assert about["recipe"]["planner"] == "smollm2-135m"
    assert about["library_digest"] == "sha256:1"
    assert "torch" in about["versions"]


def test_commands_are_those_a_person_would_type(make: Callable[..., Pipeline], tmp_path: Path) -> None:
    fake = Fake()
    make(fake).run()
    run = str(tmp_path / "run")
    assert fake.commands["structure"] == [
        "train", "structure", "--model", "smollm2-135m", "--out", f"{run}/structure", "--resume",
    ]  # fmt: skip
    assert fake.commands["sft"] == [
        "train", "sft", "--rows", f"{run}/cold_start/rows.jsonl", "--mix", "structure", "--model", "smollm2-135m",
        "--adapter", f"{run}/structure/adapter", "--out", f"{run}/sft", "--resume", "--set", "merge=false",
    ]  # fmt: skip
    # The cold start left an adapter alone.
    assert f"hf:smollm2-135m+{run}/sft/adapter" in fake.commands["trajectories"]
    assert f"before=hf:smollm2-135m+{run}/sft/adapter" in fake.commands["eval"]
    assert f"after=hf:{run}/dpo/model" in fake.commands["eval"]
    assert f"{run}/pairs/held_out.jsonl" in fake.commands["dpo"]


def test_a_changed_setting_redoes_what_depends_on_it(
    make: Callable[..., Pipeline], recipe: Recipe, tmp_path: Path
) -> None:
    make(Fake()).run()
    fake = Fake()
    changed = recipe_of({**RECIPE, "pairs": {"gap": 0.4}}, "test")
    done = make(fake, recipe=changed).run()
    assert fake.calls == ["pairs", "dpo", "eval"]
    assert done["stages"]["reward"] == "skipped"
    assert fake.found["dpo"] == []


def test_another_library_or_planner_redoes_everything(make: Callable[..., Pipeline], recipe: Recipe) -> None:
    make(Fake()).run()
    fake = Fake()
    make(fake, library="sha256:2").run()
    assert fake.calls == list(STAGES[:-1])


def test_a_failed_stage_leaves_what_was_done_and_goes_on(make: Callable[..., Pipeline]) -> None:
    with pytest.raises(TrainingError, match=r"Stage reward failed: .* What was done stands"):
        make(Fake(fail="reward")).run()
    fake = Fake()
    assert make(fake).run()["stages"]["trajectories"] == "skipped"
    assert fake.calls == ["reward", "pairs", "dpo", "eval"]
    # What the unfinished stage had done is still there to go on from.
    assert fake.found["reward"] == ["half.jsonl"]


@pytest.mark.parametrize("stage", STAGES[:-1])
def test_an_interrupt_anywhere_ends_with_the_same_data(
    make: Callable[..., Pipeline], tmp_path: Path, stage: str
) -> None:
    make(Fake(), folder=tmp_path / "whole").run()
    with pytest.raises(KeyboardInterrupt):
        make(Fake(interrupt=stage)).run()
    make(Fake()).run()
    assert digests(tmp_path / "run") == digests(tmp_path / "whole")


def test_rows_that_were_changed_are_made_again(make: Callable[..., Pipeline], tmp_path: Path) -> None:
    make(Fake()).run()
    (tmp_path / "run" / "trajectories" / "trajectories.jsonl").write_text("{}\n", "utf-8")
    fake = Fake()
    make(fake).run()
    assert fake.calls == ["trajectories"]


def test_until_ends_after_a_stage(make: Callable[..., Pipeline]) -> None:
    fake = Fake()
    done = make(fake).run(until="cold_start")
    assert fake.calls == ["problems", "structure", "cold_start"]
    assert done["report"] is None


def test_without_a_cold_start_dpo_begins_from_the_structure_tuned_planner(
    make: Callable[..., Pipeline], tmp_path: Path
) -> None:
    fake = Fake()
    pipeline = make(fake, recipe=recipe_of({**RECIPE, "cold_start": None}, "test"))
    pipeline.run()
    assert "sft" not in fake.calls
    assert f"hf:{tmp_path}/run/structure/model" in fake.commands["trajectories"]
    assert f"{tmp_path}/run/structure/adapter" in fake.commands["dpo"]
    with pytest.raises(UsageError, match="no stage sft"):
        pipeline.run(until="sft")


def test_kept_rows_go_on_elsewhere_and_only_needed_weights_are_trained_again(
    make: Callable[..., Pipeline], tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    make(Fake(), keep=kept).run(until="pairs")
    assert not list(kept.rglob("adapter"))
    fake = Fake()
    done = make(fake, folder=tmp_path / "other", keep=kept).run(resume_from=kept)
    assert done["stages"]["reward"] == "skipped"
    assert fake.calls == ["structure", "sft", "dpo", "eval"]
    assert (kept / "report" / "report.html").is_file()
    again = Fake()
    assert set(make(again, folder=tmp_path / "third").run(resume_from=kept)["stages"].values()) == {"skipped"}
    assert again.calls == []


def outcome(number: int, *, correct: bool | None = True) -> Outcome:
    key = OutcomeKey(f"t{number}", "p", "m", "s", 0, "v")
    return Outcome(key, correct, None if correct is not None else "time-out", f"answer {number}")


def test_outcomes_are_kept_and_taken(make: Callable[..., Pipeline], tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (tmp_path / "run").mkdir()
    with OutcomeStore(tmp_path / "run" / "outcomes.db") as store:
        for number in range(3):
            store.put(outcome(number, correct=None if number == 2 else True))
        before = store.known(store.keys())
    (tmp_path / "run" / "stages").mkdir()
    make(Fake(), keep=kept).run(until="problems")
    make(Fake(), folder=tmp_path / "other").run(until="problems", resume_from=kept)
    with OutcomeStore(tmp_path / "other" / "outcomes.db") as store:
        assert store.known(store.keys()) == before
        assert import_outcomes(kept / KEPT_OUTCOMES, store) == 1
    (kept / KEPT_OUTCOMES).write_text('{"key": {}}\n', "utf-8")
    with pytest.raises(RecordError, match=r"outcomes\.jsonl:1 is no outcome"):
        make(Fake(), folder=tmp_path / "more").run(resume_from=kept)


def test_a_folder_of_other_things_is_refused(make: Callable[..., Pipeline], tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.tex").write_text("x", "utf-8")
    with pytest.raises(UsageError, match="no run of a pipeline"):
        make(Fake()).run()


def test_a_second_process_is_refused(make: Callable[..., Pipeline]) -> None:
    class Nested(Fake):
        def __call__(self, *arguments: Any) -> dict[str, Any]:
            with pytest.raises(UsageError, match="Another process"):
                make(Fake()).run()
            return super().__call__(*arguments)

    make(Nested()).run(until="problems")


def test_a_stage_that_leaves_too_little_is_an_error(make: Callable[..., Pipeline]) -> None:
    class Idle(Fake):
        def __call__(self, *arguments: Any) -> dict[str, Any]:
            return {}

    with pytest.raises(TrainingError, match=r"without leaving train\.jsonl, held_out\.jsonl"):
        make(Idle()).run()


def test_launch_is_for_stages_that_train(make: Callable[..., Pipeline], tmp_path: Path) -> None:
    launches: dict[str, str] = {}

    class Noting(Fake):
        def __call__(self, arguments: Sequence[str], launch: Path | None, meanwhile: Any) -> dict[str, Any]:
            told = super().__call__(arguments, launch, meanwhile)
            launches[told["stage"]] = launch.stem if launch is not None else ""
            return told

    make(Noting(), recipe=recipe_of({**RECIPE, "launch": "cpu-2"}, "test")).run()
    assert {stage for stage, name in launches.items() if name == "cpu-2"} == {"structure", "sft", "dpo"}


def test_a_child_tells_its_result_and_fails_with_its_code() -> None:
    assert child_command(["train"], Path("a.yaml"))[-3:] == ["--launch", "a.yaml", "train"]
    with pytest.raises(TrainingError, match="`reasonflux train nonsense` ended with exit code 2"):
        run_child(["train", "nonsense"])
    told = run_child(["library", "generate", "--list"])
    assert len(told["generators"]) > 10


def test_a_child_and_what_it_started_die_with_their_parent() -> None:
    program = (
        "import subprocess, sys, time\n"
        "from training.child import end_with_parent\n"
        "end_with_parent()\n"
        "inner = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True)\n"
        "print(inner.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=child_environment()
    )
    assert process.stdout is not None
    assert process.stdin is not None
    inner = int(process.stdout.readline())
    process.stdin.close()
    assert process.wait(60) != 0
    for _ in range(600):
        if not psutil.pid_exists(inner) or psutil.Process(inner).status() == psutil.STATUS_ZOMBIE:
            break
        time.sleep(0.1)
    else:
        pytest.fail("what the child started is still there")
