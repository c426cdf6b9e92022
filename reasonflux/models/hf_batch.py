"""The rows of one batch of the `hf:` backend: reading a prompt, joining, stepping together, leaving.

Rows of different lengths are padded on the left. A row's keys already carry their positions when they join, so that
joining is no more than padding and stacking; that holds for plain attention caches only.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

_CHUNK = 512


@dataclass(frozen=True)
class Read:
    """A prompt that was read: its cache, its length in tokens, and the logits, (vocabulary,), of what follows."""

    cache: Any
    length: int
    logits: "torch.Tensor"


class Cancelled(Exception):
    """Reading a prompt was given up, because nobody waits for it any more."""


class Runner:
    """Calls a causal language model with what its `forward` knows."""

    def __init__(self, model: Any) -> None:
        self._model = model
        inner = model.get_base_model() if hasattr(model, "get_base_model") else model
        known = inspect.signature(inner.forward).parameters
        # The name was changed in transformers 5; the older one is refused from 5.40 on.
        self._cache_name = "cache" if "cache" in known else "past_key_values"
        self._takes_positions = "position_ids" in known
        self._takes_keep = "logits_to_keep" in known

    @property
    def device(self) -> Any:
        """Where the model's input has to be."""
        return self._model.device

    def read(self, prompt: Sequence[int], given_up: Callable[[], bool]) -> Read:
        """Read a prompt of at least one token, in chunks.

        Raises:
            Cancelled: `given_up` became true between two chunks.
        """
        import torch

        ids = torch.tensor([list(prompt)], device=self.device)
        cache, logits = None, None
        for start in range(0, ids.shape[1], _CHUNK):
            if given_up():
                raise Cancelled
            end = min(start + _CHUNK, ids.shape[1])
            positions = torch.arange(start, end, device=self.device)[None]
            mask = torch.ones((1, end), dtype=torch.long, device=self.device)
            logits, cache = self.step(ids[:, start:end], positions, mask, cache)
        assert logits is not None
        return Read(cache, ids.shape[1], logits[0])

    def step(self, ids: Any, positions: Any, mask: Any, cache: Any) -> tuple["torch.Tensor", Any]:
        """Return the logits, (rows, vocabulary), after the last of `ids`, (rows, tokens), and the cache."""
        more: dict[str, Any] = {self._cache_name: cache}
        if self._takes_positions:
            more["position_ids"] = positions
        if self._takes_keep:
            more["logits_to_keep"] = 1
        done = self._model(input_ids=ids, attention_mask=mask, use_cache=True, **more)
        return done.logits[:, -1], getattr(done, self._cache_name)


def can_join(cache: Any) -> bool:
    """Return whether rows with caches of this kind can be put into one batch."""
    from transformers.cache_utils import DynamicCache, DynamicLayer

    return isinstance(cache, DynamicCache) and all(type(layer) is DynamicLayer for layer in cache.layers)


class Batch:
    """Rows that are decoded together; row i's tokens are the last `lengths[i]` of the cache."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._cache: Any = None
        self.lengths: list[int] = []

    def join(self, read: Read) -> None:
        """Add a row that goes on after a prompt that was read; what was read stays as it is where it can be shared."""
        if self.lengths:
            self._cache = _stacked(self._cache, max(self.lengths), read)
        else:
            self._cache = _copied(read.cache) if can_join(read.cache) else read.cache
        self.lengths.append(read.length)

    def keep(self, rows: Sequence[int]) -> None:
        """Drop all rows but these, and the padding that no row needs any more."""
        before = max(self.lengths, default=0)
        if len(rows) == len(self.lengths):
            return
        self.lengths = [self.lengths[row] for row in rows]
        if not rows:
            self._cache = None
            return
        import torch

        chosen = torch.tensor(list(rows), device=self._runner.device)
        unused = before - max(self.lengths)
        for layer in self._cache.layers:
            layer.keys = layer.keys[chosen, :, unused:].contiguous()
            layer.values = layer.values[chosen, :, unused:].contiguous()

    def step(self, tokens: Sequence[int]) -> "torch.Tensor":
        """Take one token a row and return the logits, (rows, vocabulary), of what follows."""
        import torch

        device = self._runner.device
        lengths = torch.tensor(self.lengths, device=device)
        size = max(self.lengths) + 1
        mask = (torch.arange(size, device=device)[None] >= size - 1 - lengths[:, None]).long()
        ids = torch.tensor(tokens, device=device)[:, None]
        logits, self._cache = self._runner.step(ids, lengths[:, None], mask, self._cache)
        self.lengths = [length + 1 for length in self.lengths]
        return logits


def _copied(cache: Any) -> Any:
    from transformers.cache_utils import DynamicCache

    copy = DynamicCache()
    for index, layer in enumerate(cache.layers):
        copy.update(layer.keys, layer.values, index)
    return copy


def _stacked(cache: Any, size: int, read: Read) -> Any:
    import torch
    from transformers.cache_utils import DynamicCache

    whole = max(size, read.length)

    def both(old: "torch.Tensor", new: "torch.Tensor") -> "torch.Tensor":
        rows = [torch.nn.functional.pad(part, (0, 0, whole - part.shape[2], 0)) for part in (old, new)]
        return torch.cat(rows)

    joined = DynamicCache()
    for index, (old, new) in enumerate(zip(cache.layers, read.cache.layers, strict=True)):
        joined.update(both(old.keys, new.keys), both(old.values, new.values), index)
    return joined
