"""Supervised fine-tuning on a tiny random model: the loss is ours, the right weights move, a killed job goes on."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from library.template import Template
from reasonflux.errors import UsageError
from tests.training.tiny import END, make_model, make_tokenizer, sft_rows
from training.errors import TrainingError
from training.records import Placed, SftRow
from training.settings import SftSettings
from training.sft import sft_trainer, train_sft
from training.starting import Start, find_start
from training.structure import structure_row
from training.tokenizing import IGNORED, SftTokens, load_tokenizer, tokenize_sft

QUICK = {"batch_size": 2, "epochs": 2.0, "learning_rate": 1e-2, "check_every": 2, "warmup": 0.0}


def settings(**values: Any) -> SftSettings:
    return SftSettings.model_validate(QUICK | values)


def start_of(model: Path, tmp_path: Path, adapter: Path | None = None, method: str = "lora") -> Start:
    return find_start(f"hf:{model}", adapter, tmp_path, method=method)


def weights(folder: Path) -> dict[str, Any]:
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(folder)
    return {name: value.detach().clone() for name, value in model.named_parameters()}


def losses(result: dict[str, Any]) -> list[float]:
    return [entry["loss"] for entry in result["history"] if "loss" in entry]


def mean_nll(model: Any, rows: list[SftTokens]) -> tuple[float, float]:
    """Return −log π summed over completion tokens by their number, over all rows and as the mean of rows; by hand."""
    import torch

    sums, sizes = [], []
    for row in rows:
        with torch.no_grad():
            logits = model(torch.tensor([row.input_ids])).logits[0].double()
        total = 0.0
        for place in range(row.prompt_length, len(row.input_ids)):
            scores = logits[place - 1]
            total -= float(scores[row.input_ids[place]] - torch.logsumexp(scores, 0))
        sums.append(total)
        sizes.append(len(row.input_ids) - row.prompt_length)
    per_row = [total / size for total, size in zip(sums, sizes, strict=True)]
    return sum(sums) / sum(sizes), sum(per_row) / len(per_row)


def test_the_structure_loss_is_that_of_the_paper(tiny_model: Path, tmp_path: Path) -> None:
    """L_struct = −E log π(T_des, T_sco | T_nam, T_tag), against a reference written out by hand."""
    from transformers import AutoModelForCausalLM

    made = [
        Template(name=f"Sum {n}", tags=("sums",), description="Add " + "n " * n, scope="Sums.", steps=("s",))
        for n in range(1, 5)
    ]
    rows = [Placed(template.slug, structure_row(template)) for template in made]
    words = load_tokenizer(tiny_model)
    tokens = tokenize_sft(rows, words, max_length=2000).rows
    start = start_of(tiny_model, tmp_path)
    trainer = sft_trainer(start, tokens, tokens, settings(batch_size=4, epochs=1.0), tmp_path / "c", words)
    over_tokens, over_rows = mean_nll(AutoModelForCausalLM.from_pretrained(tiny_model).eval(), tokens)
    assert trainer.evaluate()["eval_loss"] == pytest.approx(over_rows, abs=1e-5)
    trainer.train()
    first = next(entry["loss"] for entry in trainer.state.log_history if "loss" in entry)
    assert first == pytest.approx(over_tokens, abs=1e-5)


def test_a_batch_trains_completion_tokens_alone(tiny_model: Path, tmp_path: Path) -> None:
    words = load_tokenizer(tiny_model)
    tokens = tokenize_sft(sft_rows(), words, max_length=500).rows
    trainer = sft_trainer(start_of(tiny_model, tmp_path), tokens, [], settings(batch_size=8), tmp_path / "c", words)
    batch = next(iter(trainer.get_train_dataloader()))
    told = {words.decode([label for label in labels if label != IGNORED]) for labels in batch["labels"].tolist()}
    assert told == {placed.row.completion[0].content + END for placed in sft_rows()}
    assert batch["input_ids"].shape == batch["labels"].shape
    assert bool((batch["labels"][batch["attention_mask"] == 0] == IGNORED).all())


@pytest.fixture(scope="module")
def lora_run(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return the folder and the result of one adapter's training, not broken by anything."""
    folder = tmp_path_factory.mktemp("lora")
    rows = sft_rows()
    start = start_of(tiny_model, folder)
    return folder / "out", train_sft(start, rows[:6], rows[6:], settings(), folder / "out")


def test_a_job_leaves_adapter_model_card_and_result(lora_run: tuple[Path, dict[str, Any]], tiny_model: Path) -> None:
    out, result = lora_run
    assert result["steps"] == 6
    assert result["loss_after"] < result["loss_before"] - 0.5
    assert json.loads((out / "result.json").read_text("utf-8")) == result
    assert all(math.isfinite(value) for entry in result["history"] for value in entry.values())
    for card in (out, out / "adapter", out / "model"):
        text = (card / "README.md").read_text("utf-8")
        assert str(tiny_model) in text
        assert result["data"]["train_digest"] in text
        assert "| learning_rate | 0.01 |" in text
    assert json.loads((out / "adapter" / "adapter_config.json").read_text("utf-8"))["base_model_name_or_path"] == str(
        tiny_model
    )
    assert not list((out / "adapter").glob("*.bin"))


def test_adapter_and_merged_model_are_the_same_model(lora_run: tuple[Path, dict[str, Any]], tiny_model: Path) -> None:
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    out, result = lora_run
    merged = AutoModelForCausalLM.from_pretrained(out / "model").eval()
    adapted = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(tiny_model), out / "adapter").eval()
    ids = torch.arange(5, 40)[None]
    with torch.no_grad():
        assert torch.allclose(merged(ids).logits, adapted(ids).logits, atol=1e-5)
    held = tokenize_sft(sft_rows()[6:], load_tokenizer(out / "model"), max_length=500).rows
    assert mean_nll(merged, held)[1] == pytest.approx(result["loss_after"], abs=1e-5)


def test_an_adapter_moves_alone(lora_run: tuple[Path, dict[str, Any]], tiny_model: Path, tmp_path: Path) -> None:
    import torch

    words = load_tokenizer(tiny_model)
    tokens = tokenize_sft(sft_rows(), words, max_length=500).rows
    trainer = sft_trainer(start_of(tiny_model, tmp_path), tokens, [], settings(), tmp_path / "c", words)
    before = {name: value.detach().clone() for name, value in trainer.model.named_parameters()}
    trainer.train()
    for name, value in trainer.model.named_parameters():
        assert torch.equal(value, before[name]) != ("lora_" in name), name


def test_full_training_moves_every_weight(tiny_model: Path, tmp_path: Path) -> None:
    import torch

    start = start_of(tiny_model, tmp_path, method="full")
    result = train_sft(start, sft_rows(), [], settings(method="full"), tmp_path / "out")
    assert (result["adapter"], result["loss_before"], result["loss_after"]) == (None, None, None)
    before, after = weights(tiny_model), weights(tmp_path / "out" / "model")
    assert before.keys() == after.keys()
    assert [name for name in before if torch.equal(before[name], after[name])] == []


@pytest.mark.parametrize("method", ["lora", "full"])
def test_a_killed_job_goes_on_with_the_same_curve(method: str, tiny_model: Path, tmp_path: Path) -> None:
    rows, chosen = sft_rows(), settings(method=method, lora_dropout=0.1 if method == "lora" else 0.0)
    start = start_of(tiny_model, tmp_path, method=method)
    whole = train_sft(start, rows[:6], rows[6:], chosen, tmp_path / "whole")

    def killed(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_sft(start, rows[:6], rows[6:], chosen, tmp_path / "broken", progress=killed)
    assert not (tmp_path / "broken" / "result.json").exists()
    with pytest.raises(UsageError, match="unfinished job; go on with --resume"):
        train_sft(start, rows[:6], rows[6:], chosen, tmp_path / "broken")
    seen: list[int] = []
    said: list[str] = []
    again = train_sft(
        start,
        rows[:6],
        rows[6:],
        chosen,
        tmp_path / "broken",
        resume=True,
        progress=lambda done, total: seen.append(done),
        message=said.append,
    )
    assert seen == [5, 6]
    assert "Going on from checkpoint-4." in said
    assert losses(again) == losses(whole)
    assert again["loss_after"] == whole["loss_after"]
    from safetensors.torch import load_file

    one, other = (load_file(tmp_path / name / "model" / "model.safetensors") for name in ("whole", "broken"))
    assert all(bool((one[name] == other[name]).all()) for name in one)


def test_a_checkpoint_that_a_kill_left_in_pieces_is_not_used(tiny_model: Path, tmp_path: Path) -> None:
    rows, start = sft_rows(), start_of(tiny_model, tmp_path)

    def killed(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_sft(start, rows, [], settings(), tmp_path / "out", progress=killed)
    checkpoint = tmp_path / "out" / "checkpoints" / "checkpoint-4"
    data = (checkpoint / "optimizer.pt").read_bytes()
    (checkpoint / "optimizer.pt").write_bytes(data[: len(data) // 2])
    (tmp_path / "out" / "checkpoints" / "checkpoint-6").mkdir()
    said: list[str] = []
    result = train_sft(start, rows, [], settings(), tmp_path / "out", resume=True, message=said.append)
    assert "Going on from checkpoint-2." in said
    assert result["steps"] == 8


def test_a_job_that_was_killed_while_exporting_trains_no_step_again(tiny_model: Path, tmp_path: Path) -> None:
    rows, start = sft_rows(), start_of(tiny_model, tmp_path)
    whole = train_sft(start, rows[:6], rows[6:], settings(), tmp_path / "whole")
    for name in ("result.json", "trained.json"):
        (tmp_path / "whole" / name).unlink()
        seen: list[int] = []
        again = train_sft(
            start,
            rows[:6],
            rows[6:],
            settings(),
            tmp_path / "whole",
            resume=True,
            progress=lambda done, total, seen=seen: seen.append(done),
        )
        assert seen == []
        assert again["loss_after"] == whole["loss_after"]
        assert losses(again) == losses(whole)


def test_a_finished_job_is_not_run_again(lora_run: tuple[Path, dict[str, Any]], tiny_model: Path) -> None:
    out, result = lora_run
    rows, start, said = sft_rows(), start_of(tiny_model, out), []
    assert train_sft(start, rows[:6], rows[6:], settings(), out, message=said.append) == result
    assert "nothing was done" in said[0]
    with pytest.raises(UsageError, match=r"differs in settings\.learning_rate"):
        train_sft(start, rows[:6], rows[6:], settings(learning_rate=1e-3), out)
    with pytest.raises(UsageError, match=r"differs in data\."):
        train_sft(start, rows[:5], rows[6:], settings(), out)


def test_a_folder_with_other_files_is_left_alone(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("x", "utf-8")
    with pytest.raises(UsageError, match="no training job"):
        train_sft(start_of(tiny_model, tmp_path), sft_rows(), [], settings(), tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["thesis.tex"]


def test_early_stopping_keeps_the_best_checkpoint(tiny_model: Path, tmp_path: Path) -> None:
    rows = sft_rows()
    opposite = Placed(
        "held", SftRow.model_validate({"prompt": rows[0].row.prompt[1].content, "completion": "steps system"})
    )
    chosen = settings(epochs=30.0, check_every=1, patience=2, learning_rate=3e-2)
    result = train_sft(start_of(tiny_model, tmp_path), rows, [opposite], chosen, tmp_path / "out")
    looks = [entry["eval_loss"] for entry in result["history"] if "eval_loss" in entry]
    assert result["steps"] == result["best_step"] + 2 < 120
    assert result["loss_after"] == pytest.approx(min(looks), abs=1e-6)


def test_a_nan_stops_the_job_with_its_cause(tiny_model: Path, tmp_path: Path) -> None:
    chosen = settings(learning_rate=1e30, method="full", max_grad_norm=1e30)
    with pytest.raises(TrainingError, match=r"not a number at step \d.*lower --learning-rate"):
        train_sft(start_of(tiny_model, tmp_path), sft_rows(), [], chosen, tmp_path / "out")


def test_a_model_that_is_broken_already_is_said_to_be(tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    folder = make_model(tmp_path / "model")
    model = AutoModelForCausalLM.from_pretrained(folder)
    with torch.no_grad():
        model.lm_head.weight[0, 0] = float("nan")
    model.save_pretrained(folder)
    with pytest.raises(TrainingError, match="before the first step"):
        train_sft(start_of(folder, tmp_path), sft_rows()[:6], sft_rows()[6:], settings(), tmp_path / "out")


@pytest.mark.parametrize("missing", ["chat_template", "pad_token"])
def test_what_a_tokenizer_lacks_is_found_before_the_model_is_loaded(
    missing: str, tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_model(tmp_path / "model")
    (folder / "chat_template.jinja").unlink()
    make_tokenizer(**{missing: None}).save_pretrained(folder)
    start = start_of(folder, tmp_path)
    monkeypatch.setattr("training.sft.load_start", lambda *_: pytest.fail("the model was loaded"))
    with pytest.raises(TrainingError, match=f"no {missing.replace('_', ' ')}"):
        train_sft(start, sft_rows(), [], settings(), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_rows_that_are_all_cut_to_nothing_are_found_before_the_model_is_loaded(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.sft.load_start", lambda *_: pytest.fail("the model was loaded"))
    with pytest.raises(TrainingError, match="None of the 8 rows can be learned"):
        train_sft(start_of(tiny_model, tmp_path), sft_rows(), [], settings(max_length=8), tmp_path / "out")


def test_qlora_and_reporters_that_are_not_here_are_refused(tiny_model: Path, tmp_path: Path) -> None:
    import torch

    if not torch.cuda.is_available():
        with pytest.raises(UsageError, match="QLoRA needs a CUDA GPU"):
            start_of(tiny_model, tmp_path, method="qlora")
    from training.arguments import check_reporter

    with pytest.raises(UsageError, match="pip install no_such_reporter"):
        check_reporter("no_such_reporter")


def test_training_goes_on_from_an_adapter(
    lora_run: tuple[Path, dict[str, Any]], tiny_model: Path, tmp_path: Path
) -> None:
    """The second adapter holds the first, so that it stands on the bare base."""
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    out, _ = lora_run
    start = start_of(tiny_model, tmp_path, out / "adapter")
    rows = sft_rows()
    result = train_sft(start, rows[:6], rows[6:], settings(lora_rank=4, lora_alpha=4, epochs=1.0), tmp_path / "two")
    assert result["loss_before"] == pytest.approx(lora_run[1]["loss_after"], abs=1e-5)
    merged = AutoModelForCausalLM.from_pretrained(tmp_path / "two" / "model").eval()
    adapted = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(tiny_model), tmp_path / "two" / "adapter")
    with torch.no_grad():
        ids = torch.arange(5, 40)[None]
        assert torch.allclose(merged(ids).logits, adapted.eval()(ids).logits, atol=1e-5)
    held = tokenize_sft(rows[6:], load_tokenizer(tiny_model), max_length=500).rows
    assert mean_nll(merged, held)[1] == pytest.approx(result["loss_after"], abs=1e-5)
    assert str(out / "adapter") in (tmp_path / "two" / "adapter" / "README.md").read_text("utf-8")
