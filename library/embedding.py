"""Turning text into vectors: the protocol and the sentence-transformers implementation."""

import hashlib
import json
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from library.errors import EmbedderUnavailable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


EMBED_BATCH = 1024
"""Texts embedded at once: a model sorts what it gets by length, so that large batches waste little on padding."""

_UNIT_TOLERANCE = 1e-2
_BATCH = 32


class Embedder(Protocol):
    """Embeds text. Implementations are thread-safe and return unit vectors."""

    @property
    def fingerprint(self) -> str:
        """Identity of the embedding space: model name, weights hash and settings that change vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
        """Return unit vectors of shape (len(texts), dimension)."""
        ...


def embed_all(embedder: Embedder, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
    """Return the embedder's vectors of shape (len(texts), dimension), after a look at whether it keeps its word.

    Raises:
        EmbedderUnavailable: it returned another number of vectors, other dimensions, or no unit vectors.
    """
    import numpy as np

    vectors = embedder.embed(texts)
    expected = (len(texts), embedder.dimension)
    if vectors.shape != expected:
        wrong = f"an array of shape {vectors.shape} instead of {expected}"
    elif not np.allclose(np.einsum("ij,ij->i", vectors, vectors), 1.0, atol=_UNIT_TOLERANCE):
        wrong = "vectors that are not finite or not of length 1"
    else:
        return vectors
    raise EmbedderUnavailable(
        f"The embedder {embedder.fingerprint} returned {wrong} for {len(texts)} texts; use another embedder."
    )


def embed_by_key(embedder: Embedder, texts: Mapping[str, str]) -> "dict[str, npt.NDArray[np.float32]]":
    """Return the vector (dimension,) of each text under the text's key, embedded `EMBED_BATCH` at a time.

    Raises:
        EmbedderUnavailable: as `embed_all`.
    """
    vectors: dict[str, npt.NDArray[np.float32]] = {}
    keys = list(texts)
    for start in range(0, len(keys), EMBED_BATCH):
        batch = keys[start : start + EMBED_BATCH]
        vectors |= dict(zip(batch, embed_all(embedder, [texts[key] for key in batch]), strict=True))
    return vectors


class SentenceTransformerEmbedder:
    """A sentence-transformers model from a folder, on the CPU, without the network.

    The model is loaded when the first text comes. Texts longer than the model's limit (256 word pieces for
    all-MiniLM-L6-v2) are cut there by the model.
    """

    def __init__(self, path: Path, *, name: str | None = None) -> None:
        """Describe a model without loading it.

        Args:
            path: the folder, with `model.safetensors`.
            name: what the fingerprint calls the model; the folder's name by default.
        """
        self._path = path
        self._name = name or path.name
        self._lock = threading.RLock()
        self._model: Any = None

    @cached_property
    def fingerprint(self) -> str:
        """Model name, weights hash, pooling, limit on word pieces and dimension."""
        with self._lock, _reading_folder(self._path):
            with (self._path / "model.safetensors").open("rb") as weights:
                digest = hashlib.file_digest(weights, "sha256").hexdigest()
            limit = self._setting("sentence_bert_config.json").get("max_seq_length", "model's")
            pooling = self._setting("1_Pooling/config.json")
            modes = sorted(
                key.removeprefix("pooling_mode_")
                for key, on in pooling.items()
                if key.startswith("pooling_mode_") and on
            )
        return f"{self._name}@sha256:{digest[:16]};pooling={'+'.join(modes)};pieces={limit};dim={self.dimension}"

    @cached_property
    def dimension(self) -> int:
        """Length of a vector."""
        with _reading_folder(self._path):
            pooling = self._setting("1_Pooling/config.json")
            return int(pooling["word_embedding_dimension"])

    def embed(self, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
        """Return unit vectors of shape (len(texts), dimension).

        Raises:
            EmbedderUnavailable: the folder holds no model that can be loaded.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        with self._lock:
            if self._model is None:
                self._model = self._load()
            if len(texts) == 1 and self._model.default_prompt_name is None and self._model.truncate_dim is None:
                vectors = _embed_one(self._model, texts[0])
            else:
                vectors = self._model.encode(
                    list(texts),
                    batch_size=_BATCH,
                    convert_to_numpy=True,
                    normalize_embeddings=True,
                    show_progress_bar=False,
                )
        return np.ascontiguousarray(vectors, dtype=np.float32)

    def _load(self) -> Any:
        with _reading_folder(self._path), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import transformers
            from sentence_transformers import SentenceTransformer

            transformers.utils.logging.set_verbosity_error()
            transformers.utils.logging.disable_progress_bar()
            return SentenceTransformer(str(self._path), device="cpu", local_files_only=True)

    def _setting(self, name: str) -> dict[str, Any]:
        return dict(json.loads((self._path / name).read_text(encoding="utf-8")))


def _embed_one(model: Any, text: str) -> "npt.NDArray[np.float32]":
    """Return the vector (1, dimension) that `encode` returns, without its walk over all parameters of the model."""
    import torch

    preprocess = getattr(model, "preprocess", model.tokenize)
    with torch.inference_mode():
        embedded = model(preprocess([text]))["sentence_embedding"]
        vector: npt.NDArray[np.float32] = torch.nn.functional.normalize(embedded, dim=1).numpy()
    return vector


@contextmanager
def _reading_folder(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise EmbedderUnavailable(
            f"The embedder folder {path} can't be used ({type(error).__name__}: {error}); fetch it again with "
            "`reasonflux models pull all-minilm-l6-v2`."
        ) from error
