"""A chat model of two layers with random weights, in a folder as transformers saves it; made in a second."""

from pathlib import Path
from typing import Any

TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
ALTERNATING = (
    "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('System role not supported') }}"
    "{% elif (m['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate') }}"
    "{% endif %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}<|assistant|>"
)
WORDS = ["the plan of a step finds the sum of digits and the remainder of a power", '{"steps": [{"goal": "a"}]} 0123']


def tiny_tokenizer(template: str | None = TEMPLATE) -> Any:
    """Return a byte-level tokenizer trained on a few words."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    special = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    inner.train_from_iterator(
        WORDS, trainers.BpeTrainer(vocab_size=300, special_tokens=special, initial_alphabet=alphabet)
    )
    made = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|end|>", pad_token="<|end|>")
    made.chat_template = template
    return made


def tiny_model(folder: Path, *, seed: int = 0, template: str | None = TEMPLATE, **config: Any) -> Path:
    """Write a model into `folder` and return it; `config` changes its configuration."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = tiny_tokenizer(template)
    torch.manual_seed(seed)
    sizes = {
        "vocab_size": len(tokenizer) + 5,
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 512,
        "eos_token_id": tokenizer.eos_token_id,
        "initializer_range": 0.4,
    }
    LlamaForCausalLM(LlamaConfig(**(sizes | config))).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def tiny_adapter(base: Path, folder: Path, *, seed: int = 1) -> Path:
    """Write a LoRA adapter of `base`, with random weights, into `folder` and return it."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(base)
    adapted = get_peft_model(model, LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=True))
    torch.manual_seed(seed)
    for name, parameter in adapted.named_parameters():
        if "lora_" in name:
            torch.nn.init.normal_(parameter, std=0.5)
    adapted.save_pretrained(folder)
    return folder
