"""The `hf:` backend: a transformers model in this process, with a PEFT adapter where the spec names one.

It is what training produces. Each reply has a generator of its own, so that with one slot a seed gives the same text
whatever else is asked for; rows that share a batch may differ in the last bits. A prompt that does not fit is refused
before anything is generated.
"""

import copy
import threading
from collections.abc import Callable, Generator
from importlib.metadata import version
from pathlib import Path

from reasonflux.errors import ContextOverflow, ModelError
from reasonflux.models.base import Choice, Completion, Message, ModelInfo, SamplingParams
from reasonflux.models.folding import fold
from reasonflux.models.hf_drawing import Draw, Drawn, Picker, TextStream
from reasonflux.models.hf_engine import Engine
from reasonflux.models.hf_loading import end_tokens, load_tokenizer, load_weights
from reasonflux.models.hf_schema import Schemas
from reasonflux.models.hf_source import find_source, weights_digest
from reasonflux.models.repetition import REPEATS
from reasonflux.returned import returned
from reasonflux.types import Usage

DEFAULT_CONTEXT = 8192


class HFModel:
    """A chat model that transformers runs.

    Args:
        name: `REPO_OR_PATH[+ADAPTER]`; a GGUF file or a chat model of the catalogue is dequantized once.
        weights_dir: folder of the model weights.
        slots: replies drawn at a time, at least 1.
        context_tokens: tokens of context; None takes what the model was trained with, up to 8192.
        threads: compute threads; None leaves PyTorch's own number.
        message: told what takes long before the model answers.

    Raises:
        UsageError: the spec names nothing that exists, or an adapter made for another base.
        WeightsError: a catalogue model's weights are not here.
        ModelUnavailable: the model can't be loaded, has no chat template, or the Hub can't be reached.
    """

    def __init__(
        self,
        name: str,
        *,
        weights_dir: Path,
        slots: int = 1,
        context_tokens: int | None = None,
        threads: int | None = None,
        message: Callable[[str], None] = lambda text: None,
    ) -> None:
        source = find_source(name, weights_dir, message=message)
        self._tokenizer = load_tokenizer(source.base)
        # Tokenizers are not made to be shared: the engine's thread decodes with one of its own.
        self._decoder = copy.deepcopy(self._tokenizer)
        self._lock = threading.Lock()
        model = load_weights(source)
        text_config = model.config.get_text_config()
        self._context = _context(text_config, context_tokens)
        self._ends = end_tokens(model, self._tokenizer)
        self._schemas = Schemas(copy.deepcopy(self._tokenizer), text_config.vocab_size, sorted(self._ends))
        self._fold_system, self._fold_turns = self._try_template()
        self._notes = self._fold_notes()
        self._engine = Engine(model, slots=slots, threads=threads)
        self._info = ModelInfo(
            spec=f"hf:{name}",
            weights_sha256=weights_digest(source),
            backend="hf",
            backend_version=f"transformers {version('transformers')}, torch {version('torch')}",
            slots=slots,
            context_tokens=self._context,
        )

    @property
    def info(self) -> ModelInfo:
        """Facts recorded with every run."""
        return self._info

    def complete(self, messages: list[Message], params: SamplingParams) -> Completion:
        """Return a completion of `messages`.

        Raises:
            ContextOverflow: prompt and `max_tokens` do not fit the context.
            ModelUnavailable: the model was closed.
            ModelError: the JSON schema can't be enforced, or transformers failed.
        """
        return returned(self.stream(messages, params))

    def stream(self, messages: list[Message], params: SamplingParams) -> Generator[str, None, Completion]:
        """Yield the first choice's text as it comes; closing the generator cancels the call.

        Raises:
            ContextOverflow: prompt and `max_tokens` do not fit the context.
            ModelUnavailable: the model was closed.
            ModelError: the JSON schema can't be enforced, or transformers failed.
        """
        prompt = self._prompt(messages, params.max_tokens)
        draws = [self._draw(prompt, params, params.seed + index) for index in range(params.n)]
        self._engine.submit(draws)
        try:
            drawn = [(yield from _follow(draws[0]))]
            drawn += [returned(_follow(draw)) for draw in draws[1:]]
        finally:
            for draw in draws:
                draw.cancelled = True
        usage = Usage(calls=1, prompt_tokens=len(prompt), completion_tokens=sum(one.tokens for one in drawn))
        notes, self._notes = self._notes, ()
        cut = [REPEATS.format(one.tokens) for one in drawn if one.repeats]
        choices = tuple(Choice(text=one.text, finish_reason=one.finish) for one in drawn)
        return Completion(choices=choices, usage=usage, notes=(*notes, *cut))

    def close(self) -> None:
        """Cancel what runs and free the model; safe to call twice."""
        self._engine.close()

    def count_tokens(self, messages: list[Message]) -> int:
        """Return the tokens of the prompt that the model's chat template makes of `messages`."""
        return len(self._encode(messages))

    def _prompt(self, messages: list[Message], max_tokens: int) -> list[int]:
        prompt = self._encode(messages)
        needed = len(prompt) + max_tokens
        if needed > self._context:
            raise ContextOverflow(
                f"The prompt has {len(prompt)} tokens; with max_tokens {max_tokens} it needs {needed} of a context of "
                f"{self._context}: shorten it or lower max_tokens.",
                needed=needed,
                available=self._context,
            )
        return prompt

    def _encode(self, messages: list[Message]) -> list[int]:
        folded = fold(messages, system=self._fold_system, alternate=self._fold_turns)
        with self._lock:
            try:
                text = self._rendered([{"role": turn.role, "content": turn.content} for turn in folded])
            except Exception as error:
                raise ModelError(f"The model's chat template refused the conversation: {error}.") from error
            ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        if not ids:
            raise ModelError("The model's chat template made an empty prompt of the conversation.")
        return ids

    def _rendered(self, turns: list[dict[str, str]]) -> str:
        return str(self._tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True))

    def _draw(self, prompt: list[int], params: SamplingParams, seed: int) -> Draw:
        grammar = self._schemas.grammar(params.json_schema) if params.json_schema is not None else None
        return Draw(
            prompt=prompt,
            max_tokens=params.max_tokens,
            picker=Picker(params, seed, grammar),
            text=TextStream(self._decoded, params.stop),
            ends=self._ends,
            grammar=grammar,
        )

    def _decoded(self, tokens: list[int]) -> str:
        return str(self._decoder.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False))

    def _try_template(self) -> tuple[bool, bool]:
        user = {"role": "user", "content": "Q-MARK"}
        with_system = self._renders([{"role": "system", "content": "S-MARK"}, user], ("S-MARK", "Q-MARK"))
        with_pair = self._renders([user, {"role": "user", "content": "R-MARK"}], ("Q-MARK", "R-MARK"))
        return not with_system, not with_pair

    def _renders(self, turns: list[dict[str, str]], marks: tuple[str, ...]) -> bool:
        try:
            text = self._rendered(turns)
        # A template says no by raising whatever it likes.
        except Exception:
            return False
        return all(mark in text for mark in marks)

    def _fold_notes(self) -> tuple[str, ...]:
        notes = []
        if self._fold_system:
            notes.append("The model's chat template has no system role: system text goes into the first user turn.")
        if self._fold_turns:
            notes.append("The model's chat template wants alternating turns: neighbours of one role are joined.")
        return tuple(notes)


def _context(config: object, asked: int | None) -> int:
    trained: int | None = getattr(config, "max_position_embeddings", None)
    return min(asked or DEFAULT_CONTEXT, trained or asked or DEFAULT_CONTEXT)


def _follow(draw: Draw) -> Generator[str, None, Drawn]:
    while True:
        piece = draw.pieces.get()
        if isinstance(piece, Exception):
            raise piece
        if isinstance(piece, Drawn):
            return piece
        yield piece
