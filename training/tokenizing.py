"""From rows to token ids, under the chat template of the model that learns them.

What is trained is known to the token: the prompt must be an exact token prefix of prompt and completion, and the
completion ends with the token that ends a turn, or with the tokenizer's end of text where the template gives none.
Where that can't be had the job stops; nothing is trained on a guess. Texts that are too long lose their end, with a
notice; a row that would lose its whole completion is dropped, by name. A prompt is never cut.

Everything here needs the tokenizer alone, so that bad rows are found before the model is loaded.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from reasonflux.errors import UsageError, WeightsError
from training.errors import TrainingError
from training.records import Placed, PreferenceRow, SftRow, Turn, listed

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

IGNORED = -100
"""The label of a token that is not learned."""


@dataclass(frozen=True)
class SftTokens:
    """An SFT row as token ids; the first `prompt_length` of them are not learned."""

    where: str
    input_ids: list[int]
    prompt_length: int

    @property
    def labels(self) -> list[int]:
        """The ids that are learned, `IGNORED` at the prompt's."""
        return [IGNORED] * self.prompt_length + self.input_ids[self.prompt_length :]


@dataclass(frozen=True)
class PairTokens:
    """A preference row as token ids; both completions follow the same prompt."""

    where: str
    prompt_ids: list[int]
    chosen_ids: list[int]
    rejected_ids: list[int]


Tokens = TypeVar("Tokens", SftTokens, PairTokens)


@dataclass
class Tokenized(Generic[Tokens]):
    """The rows that are kept, those that were dropped with why, and those whose end was cut."""

    rows: list[Tokens] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)

    def notices(self) -> list[str]:
        """Return what a person should know about the rows, one sentence each."""
        said = []
        if self.dropped:
            said.append(f"Left out {len(self.dropped)} row(s): {listed(self.dropped)}.")
        if self.cut:
            said.append(f"The end of {len(self.cut)} row(s) was cut: {listed(self.cut)}.")
        return said


def load_tokenizer(
    folder: Path, *, chat_template: Path | None = None, pad_token: str | None = None
) -> "PreTrainedTokenizerBase":
    """Return the tokenizer of a model folder, ready to train with.

    Args:
        folder: the model's folder.
        chat_template: a Jinja file used in place of the model's own chat template.
        pad_token: a token of the vocabulary used for padding.

    Raises:
        WeightsError: the tokenizer can't be loaded.
        UsageError: the chat template file can't be read, or the pad token is not in the vocabulary.
        TrainingError: it has no chat template, no pad token or no end of text.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder))
    except (OSError, ValueError) as error:
        raise WeightsError(f"The tokenizer of {folder} can't be loaded: {error}.") from error
    if chat_template is not None:
        try:
            tokenizer.chat_template = chat_template.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"The chat template {chat_template} can't be read: {error}.") from error
    if pad_token is not None:
        if pad_token not in tokenizer.get_vocab():
            raise UsageError(f"The pad token {pad_token!r} is not in the vocabulary of {folder}; name one that is.")
        tokenizer.pad_token = pad_token
    check_tokenizer(tokenizer, folder)
    return tokenizer


def check_tokenizer(tokenizer: "PreTrainedTokenizerBase", folder: Path) -> None:
    """Refuse a tokenizer that lacks what training needs.

    Raises:
        TrainingError: it has no chat template, no pad token or no end-of-text token.
    """
    if not tokenizer.chat_template:
        raise TrainingError(
            f"The tokenizer of {folder} has no chat template, so it is unknown how this model reads a conversation; "
            "give the template it was made with as --chat-template FILE."
        )
    if tokenizer.eos_token_id is None:
        raise TrainingError(f"The tokenizer of {folder} has no end-of-text token, so no completion could ever end.")
    if tokenizer.pad_token_id is None:
        raise TrainingError(
            f"The tokenizer of {folder} has no pad token, which batches of rows of different lengths need; "
            f"name one with --pad-token, for example --pad-token {tokenizer.eos_token!r}."
        )


def tokenize_sft(
    rows: Sequence[Placed[SftRow]], tokenizer: "PreTrainedTokenizerBase", *, max_length: int
) -> Tokenized[SftTokens]:
    """Return SFT rows as token ids, at most `max_length` of them a row.

    Raises:
        TrainingError: the chat template does not fit a row, or no row is left.
    """
    found: Tokenized[SftTokens] = Tokenized()
    encoder = _Encoder(tokenizer)
    for placed in rows:
        prompt, completion = encoder.encode(placed.row.prompt, placed.row.completion[0], placed.where)
        if _fits(found, placed.where, prompt, {"completion": completion}, max_length):
            found.rows.append(SftTokens(placed.where, (prompt + completion)[:max_length], len(prompt)))
    return _with_rows(found, len(rows))


def tokenize_pairs(
    rows: Sequence[Placed[PreferenceRow]], tokenizer: "PreTrainedTokenizerBase", *, max_length: int
) -> Tokenized[PairTokens]:
    """Return preference rows as token ids, at most `max_length` of them for a prompt with either completion.

    A row whose completions are the same within that length is dropped.

    Raises:
        TrainingError: the chat template does not fit a row, or no row is left.
    """
    found: Tokenized[PairTokens] = Tokenized()
    encoder = _Encoder(tokenizer)
    for placed in rows:
        prompt, chosen = encoder.encode(placed.row.prompt, placed.row.chosen[0], placed.where)
        _, rejected = encoder.encode(placed.row.prompt, placed.row.rejected[0], placed.where)
        room = max_length - len(prompt)
        if room > 0 and chosen[:room] == rejected[:room]:
            found.dropped.append(f"{placed.where} (chosen and rejected have the same first {room} tokens)")
        elif _fits(found, placed.where, prompt, {"chosen": chosen, "rejected": rejected}, max_length):
            found.rows.append(PairTokens(placed.where, prompt, chosen[:room], rejected[:room]))
    return _with_rows(found, len(rows))


def _fits(
    found: Tokenized[Any], where: str, prompt: list[int], completions: dict[str, list[int]], max_length: int
) -> bool:
    """Return whether something of the completions is left behind the prompt, noting what is not."""
    room = max_length - len(prompt)
    if room <= 0:
        found.dropped.append(f"{where} (its prompt of {len(prompt)} tokens fills the {max_length} allowed)")
        return False
    for name, ids in completions.items():
        if len(ids) > room:
            found.cut.append(f"{where} ({name}, {len(ids)} tokens to {room})")
    return True


def _with_rows(found: Tokenized[Tokens], number: int) -> Tokenized[Tokens]:
    if not found.rows:
        raise TrainingError(
            f"None of the {number} rows can be learned: {listed(found.dropped)}; raise --max-length or give shorter "
            "prompts."
        )
    return found


class _Encoder:
    """Encodes conversations with one tokenizer, checking each."""

    def __init__(self, tokenizer: "PreTrainedTokenizerBase") -> None:
        self._tokenizer = tokenizer
        added = {number: token.content for number, token in tokenizer.added_tokens_decoder.items() if token.special}
        self._special = added | dict(zip(tokenizer.all_special_ids, tokenizer.all_special_tokens, strict=True))

    def encode(self, prompt: Sequence[Turn], reply: Turn, where: str) -> tuple[list[int], list[int]]:
        """Return the ids of a prompt and of its completion, the latter with its end."""
        for turn in (*prompt, reply):
            token = next((token for token in self._special.values() if token in turn.content), None)
            if token is not None:
                raise TrainingError(
                    f"The text of {where} holds {token!r}, which this model reads as a sign of its own; remove it."
                )
        asked = self._rendered(prompt, where, add_generation_prompt=True)
        whole = self._rendered([*prompt, reply], where, add_generation_prompt=False)
        prompt_ids, whole_ids = self._ids(asked), self._ids(whole)
        if whole_ids[: len(prompt_ids)] != prompt_ids:
            raise TrainingError(self._not_a_prefix(prompt_ids, whole_ids, where))
        if reply.content.strip() not in whole[len(asked) :]:
            raise TrainingError(
                f"The chat template changes the completion of {where}: {reply.content[:80]!r} became "
                f"{whole[len(asked) :][:80]!r}; give a template that keeps it as --chat-template FILE."
            )
        return prompt_ids, self._ended(whole_ids[len(prompt_ids) :])

    def _rendered(self, turns: Sequence[Turn], where: str, *, add_generation_prompt: bool) -> str:
        import jinja2

        conversation = [{"role": turn.role, "content": turn.content} for turn in turns]
        try:
            text = self._tokenizer.apply_chat_template(
                conversation, tokenize=False, add_generation_prompt=add_generation_prompt
            )
        except (jinja2.TemplateError, ValueError, TypeError) as error:
            raise TrainingError(f"The chat template can't render {where}: {error}.") from error
        return str(text)

    def _ids(self, text: str) -> list[int]:
        # The template writes the special tokens itself; the tokenizer would add some a second time.
        return [int(number) for number in self._tokenizer(text, add_special_tokens=False)["input_ids"]]

    def _ended(self, ids: list[int]) -> list[int]:
        """Return a completion with exactly one end: what a template writes behind it is never generated."""
        last = max((place for place, number in enumerate(ids) if number in self._special), default=None)
        if last is not None and not self._tokenizer.decode(ids[last + 1 :]).strip():
            return ids[: last + 1]
        return [*ids, int(self._tokenizer.eos_token_id)]

    def _not_a_prefix(self, prompt: list[int], whole: list[int], where: str) -> str:
        pairs = enumerate(zip(prompt, whole, strict=False))
        at = next((place for place, (one, other) in pairs if one != other), min(len(prompt), len(whole)))
        return (
            f"The prompt of {where} is not a token prefix of prompt and completion, so it is unknown which tokens to "
            f"learn: at token {at} the prompt goes on with {self._tokenizer.decode(prompt[at : at + 8])!r} and the "
            f"whole with {self._tokenizer.decode(whole[at : at + 8])!r}; give a chat template that renders both alike "
            f"as --chat-template FILE. Tokens of the prompt: {prompt}. Tokens of prompt and completion: {whole}."
        )
