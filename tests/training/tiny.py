"""A tiny random Llama with a byte-level tokenizer, made in a moment, and rows to train it on."""

from pathlib import Path
from typing import Any

from training.records import Placed, PreferenceRow, SftRow, Turn

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
END = "<|im_end|>"
MARKS = ["<|endoftext|>", "<|im_start|>", END, "<|pad|>"]


def make_tokenizer(**values: Any) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=MARKS, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    inner.train_from_iterator(
        ["system user assistant What is the answer? The answer is 4. x+1 steps template"] * 4, trainer
    )
    settings = {"eos_token": END, "pad_token": "<|pad|>", "chat_template": CHATML} | values
    return PreTrainedTokenizerFast(tokenizer_object=inner, **settings)


def make_model(folder: Path, *, seed: int = 0, dropout: float = 0.0, **tokenizer: Any) -> Path:
    """Write a two-layer Llama of width 32 and its tokenizer into a folder."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    words = make_tokenizer(**tokenizer)
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        initializer_range=0.2,
        attention_dropout=dropout,
        eos_token_id=words.eos_token_id,
        pad_token_id=words.pad_token_id,
        bos_token_id=None,
        tie_word_embeddings=False,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def sft_rows(number: int = 8) -> list[Placed[SftRow]]:
    return [
        Placed(
            f"rows.jsonl:{place + 1}",
            SftRow(
                prompt=(Turn(role="system", content="Plan."), Turn(role="user", content=f"What is {place}+1?")),
                completion=(Turn(role="assistant", content="The answer is " + "x" * (place % 3) + f"{place + 1}."),),
                source=f"problem-{place}",
            ),
        )
        for place in range(number)
    ]


def pair_rows(number: int = 8) -> list[Placed[PreferenceRow]]:
    return [
        Placed(
            f"pairs.jsonl:{place + 1}",
            PreferenceRow(
                prompt=(Turn(role="user", content=f"What is {place}+1?"),),
                chosen=(Turn(role="assistant", content=f"The answer is {place + 1}."),),
                rejected=(Turn(role="assistant", content="template " * (1 + place % 3) + "?"),),
                problem_id=f"problem-{place // 2}",
                reward_chosen=1.0,
                reward_rejected=0.25,
                decided=3,
            ),
        )
        for place in range(number)
    ]
