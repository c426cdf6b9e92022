"""DPO on a tiny random model: the loss and the reference are what they should be, with and without an adapter."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from reasonflux.errors import RecordError, UsageError
from tests.training.tiny import pair_rows, sft_rows
from training.dpo import dpo_trainer, train_dpo
from training.errors import TrainingError
from training.records import Placed, PreferenceRow, read_rows
from training.settings import DpoSettings, SftSettings
from training.sft import train_sft
from training.starting import Start, find_start, load_start
from training.tokenizing import PairTokens, load_tokenizer, tokenize_pairs

QUICK = {"batch_size": 2, "epochs": 2.0, "learning_rate": 1e-2, "check_every": 2, "warmup": 0.0, "patience": 0}


def settings(**values: Any) -> DpoSettings:
    return DpoSettings.model_validate(QUICK | values)


@pytest.fixture(scope="module")
def sft_run(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a LoRA SFT of 20 steps at a rate of 1e-2 on 8 rows (D3)."""
    folder = tmp_path_factory.mktemp("sft")
    start = find_start(str(tiny_model), None, folder, method="lora")
    chosen = SftSettings(batch_size=4, max_steps=20, learning_rate=1e-2, warmup=0.0)
    train_sft(start, sft_rows(), [], chosen, folder / "out")
    return folder / "out"


@pytest.fixture(params=["adapter, LoRA", "adapter, full", "merged, LoRA", "merged, full"])
def sft_start(request: pytest.FixtureRequest, tiny_model: Path, sft_run: Path, tmp_path: Path) -> tuple[Start, str]:
    """Return each way to start DPO from a model after SFT, and the method."""
    form, method = request.param.lower().split(", ")
    if form == "adapter":
        return find_start(str(tiny_model), sft_run / "adapter", tmp_path, method=method), method
    return find_start(str(sft_run / "model"), None, tmp_path, method=method), method


def pair_logps(model: Any, rows: list[PairTokens]) -> list[tuple[float, float]]:
    """Return log π of chosen and rejected, by hand: one forward a text, token by token."""
    import torch

    found = []
    for row in rows:
        sums = []
        for completion in (row.chosen_ids, row.rejected_ids):
            with torch.no_grad():
                logits = model(torch.tensor([row.prompt_ids + completion])).logits[0].double()
            total = 0.0
            for place, number in enumerate(completion, start=len(row.prompt_ids)):
                total += float(logits[place - 1][number] - torch.logsumexp(logits[place - 1], 0))
            sums.append(total)
        found.append((sums[0], sums[1]))
    return found


def dpo_loss(policy: list[tuple[float, float]], reference: list[tuple[float, float]], beta: float) -> float:
    terms = []
    for (chosen, rejected), (chosen_ref, rejected_ref) in zip(policy, reference, strict=True):
        inner = beta * ((chosen - chosen_ref) - (rejected - rejected_ref))
        terms.append(math.log1p(math.exp(-inner)))
    return sum(terms) / len(terms)


def tokens_of(model: Path) -> tuple[Any, list[PairTokens]]:
    words = load_tokenizer(model)
    return words, tokenize_pairs(pair_rows(), words, max_length=500).rows


@pytest.mark.parametrize("beta", [0.1, 0.5])
def test_policy_and_reference_are_equal_before_the_first_step(
    sft_start: tuple[Start, str], tmp_path: Path, beta: float
) -> None:
    """D3: loss ln 2 and margin 0 on the first batch, and the reference is the model after SFT, not the bare base."""
    start, method = sft_start
    words, rows = tokens_of(start.base)
    trainer = dpo_trainer(start, rows, rows, settings(method=method, beta=beta, batch_size=8), tmp_path / "c", words)
    found = trainer.evaluate()
    assert found["eval_loss"] == pytest.approx(math.log(2), abs=1e-3)
    assert abs(found["eval_rewards/margins"]) <= 1e-4
    trainer.train()
    first = next(entry for entry in trainer.state.log_history if "loss" in entry)
    assert first["loss"] == pytest.approx(math.log(2), abs=1e-3)
    assert abs(first["rewards/margins"]) <= 1e-4
    tuned = pair_logps(load_start(start, settings()).eval(), rows)
    assert first["logps/chosen"] == pytest.approx(sum(pair[0] for pair in tuned) / len(tuned), abs=1e-3)


def test_the_reference_stays_and_the_loss_is_that_of_the_paper(sft_start: tuple[Start, str], tmp_path: Path) -> None:
    """D3: after 5 steps the reference's log-probabilities are what they were; L_DPO equals one written by hand."""
    start, method = sft_start
    words, rows = tokens_of(start.base)
    chosen = settings(method=method, max_steps=5, batch_size=8)
    trainer = dpo_trainer(start, rows, rows, chosen, tmp_path / "c", words)
    reference = pair_logps(load_start(start, chosen).eval(), rows)
    trainer.train()
    found = trainer.evaluate()
    policy_model = trainer.accelerator.unwrap_model(trainer.model).eval()
    policy = pair_logps(policy_model, rows)
    assert policy != reference
    assert found["eval_loss"] == pytest.approx(dpo_loss(policy, reference, 0.1), abs=1e-5)
    if method == "lora":
        with policy_model.disable_adapter():
            kept = pair_logps(policy_model, rows)
    else:
        columns = trainer.eval_dataset
        kept = list(zip(columns["ref_chosen_logps"], columns["ref_rejected_logps"], strict=True))
    assert [pair[0] for pair in kept] == pytest.approx([pair[0] for pair in reference], abs=1e-4)
    assert [pair[1] for pair in kept] == pytest.approx([pair[1] for pair in reference], abs=1e-4)


def test_only_what_is_trained_moves(sft_start: tuple[Start, str], tmp_path: Path) -> None:
    import torch

    start, method = sft_start
    words, rows = tokens_of(start.base)
    trainer = dpo_trainer(start, rows, [], settings(method=method), tmp_path / "c", words)
    before = {name: value.detach().clone() for name, value in trainer.model.named_parameters()}
    trainer.train()
    for name, value in trainer.model.named_parameters():
        assert torch.equal(value, before[name]) == (method == "lora" and "lora_" not in name), name


@pytest.fixture(scope="module")
def dpo_run(tiny_model: Path, sft_run: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return the folder and the result of a DPO on top of the SFT adapter."""
    folder = tmp_path_factory.mktemp("dpo")
    start = find_start(str(tiny_model), sft_run / "adapter", folder, method="lora")
    return folder / "out", train_dpo(start, pair_rows()[:4], pair_rows()[4:], settings(), folder / "out")


def test_the_result_loads_alone_and_says_what_it_stands_on(
    dpo_run: tuple[Path, dict[str, Any]], tiny_model: Path, sft_run: Path
) -> None:
    """D3: adapter on the bare base and merged model are the trained policy; the card names base and SFT adapter."""
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    out, result = dpo_run
    merged = AutoModelForCausalLM.from_pretrained(out / "model").eval()
    config = json.loads((out / "adapter" / "adapter_config.json").read_text("utf-8"))
    assert config["base_model_name_or_path"] == str(tiny_model)
    adapted = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(tiny_model), out / "adapter").eval()
    ids = torch.arange(5, 40)[None]
    with torch.no_grad():
        assert torch.allclose(merged(ids).logits, adapted(ids).logits, atol=1e-4)
    rows = tokenize_pairs(pair_rows()[4:], load_tokenizer(out / "model"), max_length=500).rows
    start = find_start(str(tiny_model), sft_run / "adapter", out, method="lora")
    reference = pair_logps(load_start(start, settings()).eval(), rows)
    assert dpo_loss(pair_logps(merged, rows), reference, 0.1) == pytest.approx(result["loss_after"], abs=1e-4)
    for folder in (out, out / "model", out / "adapter"):
        card = (folder / "README.md").read_text("utf-8")
        assert str(tiny_model) in card
        assert str(sft_run / "adapter") in card
        assert "| beta | 0.1 |" in card
    assert json.loads((out / "result.json").read_text("utf-8"))["start"]["adapter"] == str(sft_run / "adapter")


def test_held_out_accuracy_has_an_interval_over_problems(dpo_run: tuple[Path, dict[str, Any]]) -> None:
    _, result = dpo_run
    assert result["heldout_problems"] == 2
    assert 0 <= result["heldout_interval"][0] <= result["heldout_accuracy"] <= result["heldout_interval"][1] <= 1
    last = [entry for entry in result["history"] if "eval_loss" in entry and entry["step"] == result["best_step"]][-1]
    assert result["heldout_margin"] == pytest.approx(last["eval_rewards/margins"], abs=1e-4)
    assert result["heldout_accuracy"] == last["eval_rewards/accuracies"]
    assert result["loss_before"] == pytest.approx(math.log(2), abs=1e-3)
    assert result["loss_after"] < result["loss_before"]
    assert all(math.isfinite(value) for entry in result["history"] for value in entry.values())


@pytest.mark.parametrize("method", ["lora", "full"])
def test_a_killed_job_goes_on_with_the_same_curve(method: str, tiny_model: Path, sft_run: Path, tmp_path: Path) -> None:
    rows, chosen = pair_rows(), settings(method=method, epochs=3.0)
    start = find_start(str(tiny_model), sft_run / "adapter", tmp_path, method=method)

    def killed(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    whole = train_dpo(start, rows[:4], rows[4:], chosen, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train_dpo(start, rows[:4], rows[4:], chosen, tmp_path / "broken", progress=killed)
    again = train_dpo(start, rows[:4], rows[4:], chosen, tmp_path / "broken", resume=True)
    for name in ("loss", "eval_loss", "rewards/margins", "logps/rejected"):
        curves = [[entry[name] for entry in result["history"] if name in entry] for result in (whole, again)]
        assert curves[0] == curves[1]
        assert len(curves[0]) >= 3
    assert again["heldout_margin"] == whole["heldout_margin"]


def test_cut_rows_are_dropped_by_number_and_every_number_is_finite(tiny_model: Path, tmp_path: Path) -> None:
    """D1: eight rows, the third with a prompt that leaves no room, the fifth with a short and a long completion."""
    lines = [{"prompt": f"Solve: {n}", "chosen": r"\boxed{1}", "rejected": r"\boxed{2}"} for n in range(1, 9)]
    lines[2] = {"prompt": "Solve: " + "x+1 " * 400, "chosen": r"\boxed{2}", "rejected": r"\boxed{3}"}
    lines[4] = {"prompt": "Solve: 5", "chosen": "abc", "rejected": "no " * 300}
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    said: list[str] = []
    start = find_start(str(tiny_model), None, tmp_path, method="lora")
    rows = read_rows(path, PreferenceRow)
    chosen = settings(max_length=128)
    result = train_dpo(start, rows[:6], rows[6:], chosen, tmp_path / "out", message=said.append)
    assert f"Left out 1 row(s): {path}:3 (its prompt of" in said[0]
    assert f"{path}:5 (rejected" in said[1]
    assert result["data"]["train_rows"] == 5
    assert result["data"]["dropped"] == 1
    assert all(math.isfinite(value) for entry in result["history"] for value in entry.values())
    state = next((tmp_path / "out" / "checkpoints").glob("checkpoint-*")) / "trainer_state.json"
    assert "NaN" not in state.read_text("utf-8")


def test_a_file_of_rows_that_are_all_cut_stops_before_the_model_is_loaded(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D1: the last file."""
    monkeypatch.setattr("training.dpo.load_start", lambda *_: pytest.fail("the model was loaded"))
    start = find_start(str(tiny_model), None, tmp_path, method="lora")
    with pytest.raises(TrainingError, match=r"None of the 8 rows can be learned: pairs\.jsonl:1") as caught:
        train_dpo(start, pair_rows(), [], settings(max_length=8), tmp_path / "out")
    assert caught.value.exit_code == 1


def test_rewards_without_variance_stop_the_job(tiny_model: Path, tmp_path: Path) -> None:
    rows = [
        Placed(placed.where, placed.row.model_copy(update={"reward_chosen": 0.5, "reward_rejected": 0.5}))
        for placed in pair_rows()
    ]
    start = find_start(str(tiny_model), None, tmp_path, method="lora")
    with pytest.raises(TrainingError, match="are equal in all 8 rows"):
        train_dpo(start, rows, [], settings(), tmp_path / "out")


def test_a_policy_that_does_not_move_stops_the_job(tiny_model: Path, tmp_path: Path) -> None:
    start = find_start(str(tiny_model), None, tmp_path, method="lora")
    chosen = settings(learning_rate=1e-30, epochs=10.0)
    with pytest.raises(TrainingError, match=r"still equal at step \d+, so nothing is learned"):
        train_dpo(start, pair_rows(), [], chosen, tmp_path / "out")


def test_identical_completions_stop_the_job(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"prompt": "Q", "chosen": "A", "rejected": "A"}\n', encoding="utf-8")
    with pytest.raises(RecordError, match=r"pairs\.jsonl:1: chosen and rejected are the same"):
        read_rows(path, PreferenceRow)


def test_a_nan_stops_the_job_with_its_cause(tiny_model: Path, tmp_path: Path) -> None:
    start = find_start(str(tiny_model), None, tmp_path, method="full")
    chosen = settings(learning_rate=1e30, method="full", max_grad_norm=1e30)
    with pytest.raises(TrainingError, match=r"not a number at step \d"):
        train_dpo(start, pair_rows(), [], chosen, tmp_path / "out")


def test_early_stopping_on_held_out_pairs_keeps_the_best(tiny_model: Path, tmp_path: Path) -> None:
    """The held-out pairs prefer the opposite, so that the first look is the best."""
    rows = pair_rows()
    turned = [
        Placed(
            placed.where, placed.row.model_copy(update={"chosen": placed.row.rejected, "rejected": placed.row.chosen})
        )
        for placed in rows[4:]
    ]
    start = find_start(str(tiny_model), None, tmp_path, method="lora")
    chosen = settings(epochs=20.0, check_every=1, patience=3)
    result = train_dpo(start, rows[:4], turned, chosen, tmp_path / "out")
    looks = [entry["eval_loss"] for entry in result["history"] if "eval_loss" in entry]
    assert result["steps"] == result["best_step"] + 3 < 40
    assert result["loss_after"] == pytest.approx(min(looks), abs=1e-6)


def test_an_adapter_of_another_base_is_refused(sft_run: Path, tmp_path: Path) -> None:
    from tests.training.tiny import make_model

    other = make_model(tmp_path / "other", seed=5)
    with pytest.raises(UsageError, match="another base"):
        find_start(str(other), sft_run / "adapter", tmp_path, method="lora")


@pytest.mark.parametrize("loss_type", ["hinge", "ipo", "apo_zero", "robust", "sigmoid_norm"])
def test_other_losses_train(loss_type: str, tiny_model: Path, tmp_path: Path) -> None:
    start = find_start(str(tiny_model), None, tmp_path, method="lora")
    chosen = settings(loss_type=loss_type, max_steps=2, merge=False)
    result = train_dpo(start, pair_rows()[:4], pair_rows()[4:], chosen, tmp_path / "out")
    assert result["steps"] == 2
    assert result["model"] is None
