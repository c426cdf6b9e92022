"""What a job leaves: an adapter on the base it was given, and a model that loads alone."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from training.adapters import stack
from training.run_folder import RunFolder, is_main_process
from training.settings import TrainSettings
from training.starting import Start

ADAPTER, MODEL = "adapter", "model"


def export(trainer: Any, start: Start, settings: TrainSettings, folder: RunFolder, card: str) -> dict[str, str | None]:
    """Write adapter and merged model with their card, each folder appearing as a whole; return where they stand.

    The adapter stands on the base that was asked for: one that the job started from is in it.

    Raises:
        OSError: the folder can't be written.
    """
    adapter, model = folder.path / ADAPTER, folder.path / MODEL
    if settings.method == "full":
        _appearing(model, lambda building: _save_trainer(trainer, building), card)
        return {"adapter": None, "model": str(model)}
    _appearing(adapter, lambda building: _save_adapter(trainer, start, building), card)
    if not settings.merge:
        return {"adapter": str(adapter), "model": None}
    if is_main_process():
        _appearing(model, lambda building: merge(start.base, adapter, building, trainer.processing_class), card)
    return {"adapter": str(adapter), "model": str(model)}


def merge(base: Path, adapter: Path, target: Path, tokenizer: Any) -> None:
    """Write the model that a base with an adapter is: computed in float32, stored in the base's own type.

    Raises:
        OSError: the base can't be read or the target not written.
    """
    import torch
    from peft import PeftModel
    from transformers import AutoConfig, AutoModelForCausalLM

    stored = AutoConfig.from_pretrained(str(base), local_files_only=True).dtype or torch.float32
    model = AutoModelForCausalLM.from_pretrained(str(base), local_files_only=True, dtype=torch.float32)
    merged = PeftModel.from_pretrained(model, str(adapter)).merge_and_unload()
    merged.to(stored).save_pretrained(str(target))
    tokenizer.save_pretrained(str(target))


def _appearing(path: Path, write: Callable[[Path], None], card: str) -> None:
    building = path.with_name(f".{path.name}")
    if is_main_process():
        shutil.rmtree(building, ignore_errors=True)
    write(building)
    if is_main_process():
        (building / "training_args.bin").unlink(missing_ok=True)
        (building / "README.md").write_text(card, encoding="utf-8")
        if path.exists():
            shutil.rmtree(path)
        building.rename(path)


def _save_trainer(trainer: Any, target: Path) -> None:
    # The trainer's own way: it gathers weights that lie on several devices.
    trainer.save_model(str(target))
    if is_main_process():
        trainer.processing_class.save_pretrained(str(target))


def _save_adapter(trainer: Any, start: Start, target: Path) -> None:
    from reasonflux.models.hf_source import record_base

    new = target.with_name(f"{target.name}.new") if start.adapter is not None else target
    _save_trainer(trainer, new)
    if not is_main_process():
        return
    if start.adapter is not None:
        stack(start.adapter, new, target)
        shutil.rmtree(new)
        trainer.processing_class.save_pretrained(str(target))
    path = target / "adapter_config.json"
    config = json.loads(path.read_text(encoding="utf-8")) | {"base_model_name_or_path": str(start.base)}
    path.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    record_base(target, start.base)
