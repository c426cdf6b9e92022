"""Loading a transformers model with its tokenizer and adapter, with every way it can fail in one sentence."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reasonflux.errors import ModelUnavailable, UsageError
from reasonflux.models.hf_source import Source, check_base, weight_files

_MIB = 1 << 20


def load_tokenizer(folder: Path) -> Any:
    """Return the tokenizer of a model's folder.

    Raises:
        ModelUnavailable: it can't be loaded or has no chat template.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except Exception as error:
        raise ModelUnavailable(f"The tokenizer in {folder} can't be loaded: {_short(error)}") from error
    if not tokenizer.chat_template:
        raise ModelUnavailable(
            f"The tokenizer in {folder} has no chat template, so that it is no chat model's; put the template into "
            "chat_template.jinja there, or use an instruction-tuned model."
        )
    return tokenizer


def load_weights(source: Source) -> Any:
    """Return the model in evaluation mode: in bfloat16 on this machine's accelerator, else in float32 on its processor.

    An adapter is merged into float32 weights; beside rounder ones it stays, for merging would lose its small values.

    Raises:
        ModelUnavailable: the model can't be loaded, or does not fit this machine's memory.
        UsageError: the adapter was made for another base.
    """
    # Threads that spin while they wait collapse as soon as another process wants the cores; read when torch loads.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import torch
    from transformers import AutoModelForCausalLM

    check_base(source)
    accelerated = torch.cuda.is_available()
    dtype = torch.float32
    if not accelerated:
        _check_memory(source.base)
    else:
        dtype = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    try:
        with _without_bars():
            model = AutoModelForCausalLM.from_pretrained(
                source.base, dtype=dtype, local_files_only=True, device_map="auto" if accelerated else None
            )
    except Exception as error:
        raise ModelUnavailable(f"transformers can't load the model in {source.base}: {_short(error)}") from error
    if source.adapter is not None:
        model = _with_adapter(model, source, merge=dtype == torch.float32)
    return model.eval()


def end_tokens(model: Any, tokenizer: Any) -> frozenset[int]:
    """Return the ids of the tokens that end a reply: the generation settings' and the tokenizer's."""
    named = model.generation_config.eos_token_id if model.generation_config is not None else None
    ends = {named} if isinstance(named, int) else set(named or ())
    if tokenizer.eos_token_id is not None:
        ends.add(tokenizer.eos_token_id)
    return frozenset(ends)


def _check_memory(folder: Path) -> None:
    import psutil

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    stored = config.get("dtype") or config.get("torch_dtype")
    needed = sum(file.stat().st_size for file in weight_files(folder)) * (1 if stored == "float32" else 2)
    free = psutil.virtual_memory().available
    if needed > free:
        raise ModelUnavailable(
            f"The model in {folder} needs about {needed // _MIB} MiB of memory in float32 but only {free // _MIB} MiB "
            "are free; use a smaller model, or its GGUF file with llamacpp:."
        )


def _with_adapter(model: Any, source: Source, *, merge: bool) -> Any:
    from peft import PeftConfig, PeftModel

    other = UsageError(
        f"The adapter {source.adapter} does not fit {source.base}: it was made for another base; give the one that its "
        "adapter_config.json names."
    )
    try:
        config = PeftConfig.from_pretrained(str(source.adapter))
    except Exception as error:
        raise ModelUnavailable(f"The adapter {source.adapter} can't be loaded: {_short(error)}") from error
    if config.is_prompt_learning:
        raise UsageError(f"The adapter {source.adapter} is of the kind {config.peft_type}; only weight adapters work.")
    try:
        adapted = PeftModel.from_pretrained(model, str(source.adapter))
    # Sizes that differ (RuntimeError), layers that are not there (ValueError).
    except (RuntimeError, ValueError) as error:
        raise other from error
    except Exception as error:
        raise ModelUnavailable(f"The adapter {source.adapter} can't be loaded: {_short(error)}") from error
    if _stored_keys(source) != _own_keys(adapted):
        raise other
    return adapted.merge_and_unload() if merge else adapted


def _stored_keys(source: Source) -> set[str]:
    from peft import load_peft_weights

    return set(load_peft_weights(str(source.adapter), device="cpu"))


def _own_keys(adapted: Any) -> set[str]:
    from peft import get_peft_model_state_dict

    return set(get_peft_model_state_dict(adapted))


def _short(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0][:300] if lines else 'no message'}"


@contextmanager
def _without_bars() -> Iterator[None]:
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
