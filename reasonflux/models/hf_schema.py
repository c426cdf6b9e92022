"""JSON schemas for the `hf:` backend: which tokens may come next, by llguidance.

llguidance refuses a schema that it can't enforce; nothing is ever written in spite of one.
"""

import threading
from typing import TYPE_CHECKING, Any

from reasonflux.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

_COMPACT_JSON = {"whitespace_flexible": False, "key_separator": ": ", "item_separator": ", "}


class Grammar:
    """Where one reply stands in its schema."""

    def __init__(self, matcher: Any) -> None:
        self._matcher = matcher

    @property
    def complete(self) -> bool:
        """Whether the text is whole and nothing can follow."""
        return bool(self._matcher.is_stopped())

    def restrict(self, logits: "torch.Tensor") -> "torch.Tensor":
        """Return `logits`, of shape (vocabulary,), with the tokens that can't come next at minus infinity."""
        import numpy as np
        import torch

        bits = np.unpackbits(np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8), bitorder="little")
        allowed = torch.zeros(logits.shape[0], dtype=torch.bool)
        size = min(len(bits), logits.shape[0])
        allowed[:size] = torch.from_numpy(bits[:size].astype(bool))
        return logits.masked_fill(~allowed.to(logits.device), float("-inf"))

    def take(self, token: int) -> None:
        """Go on by a token.

        Raises:
            ModelError: the schema has outgrown llguidance's limits.
        """
        if not self._matcher.consume_token(token):
            raise ModelError(f"The JSON schema can't be followed any further: {self._matcher.get_error()}.")


class Schemas:
    """Makes grammars for one model's tokenizer. Thread-safe.

    Args:
        tokenizer: the transformers tokenizer.
        vocabulary: size of the model's output.
        ends: ids of the tokens that end a reply.
    """

    def __init__(self, tokenizer: Any, vocabulary: int, ends: "Sequence[int]") -> None:
        self._tokenizer, self._vocabulary, self._ends = tokenizer, vocabulary, list(ends)
        self._lock = threading.Lock()
        self._made: Any = None

    def grammar(self, schema: dict[str, Any]) -> Grammar:
        """Return a new grammar of `schema`.

        Raises:
            ModelError: it is no JSON schema, one that llguidance does not know, or the tokenizer is a slow one.
        """
        import jsonschema
        from llguidance import LLMatcher

        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as error:
            raise ModelError(f"What was given as JSON schema is none: {error.message}.") from error
        matcher = LLMatcher(
            self._for_tokenizer(),
            LLMatcher.grammar_from_json_schema(schema, overrides=_COMPACT_JSON),
            log_level=0,
        )
        if matcher.is_error():
            raise ModelError(f"The JSON schema can't be enforced: {matcher.get_error().strip().splitlines()[0]}.")
        return Grammar(matcher)

    def _for_tokenizer(self) -> Any:
        from llguidance.hf import from_tokenizer

        with self._lock:
            if self._made is None:
                try:
                    self._made = from_tokenizer(self._tokenizer, n_vocab=self._vocabulary, eos_token=self._ends)
                except Exception as error:
                    raise ModelError(f"JSON schemas can't be enforced with this tokenizer: {error}.") from error
            return self._made
