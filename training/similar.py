"""X_sim, section 3.2 of the paper: the k problems most similar to x, on which its trajectories are scored.

They are the nearest training problems by embedding, fresh problems of the templates retrieved for x, or half of each.
Which they are depends on x, k and the seed alone (given the pool and the library), never on a trajectory of x.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from library.embedding import Embedder, embed_by_key
from library.errors import LibraryError
from library.generating import Generator
from reasonflux import retrieval
from reasonflux.errors import UsageError
from reasonflux.types import GradedProblem
from training.problems import TrainingProblem, of_draw, same_text
from training.rollout_settings import RewardSettings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_DECIMALS = 4
"""Of a similarity: what a batch's composition changes in a vector must not change an order."""
_TRIES = 4
"""Draws a problem wanted: some are x itself, and some can't be graded."""


@dataclass(frozen=True)
class SimilarProblem:
    """One problem of X_sim.

    Attributes:
        source: `problems` or `generators`.
        closeness: cosine similarity of its text with x, None where it was drawn.
    """

    problem: TrainingProblem
    source: str
    closeness: float | None = None


class SimilarProblems:
    """Finds X_sim. Not thread-safe."""

    def __init__(
        self,
        settings: RewardSettings,
        *,
        gradable: Callable[[GradedProblem], bool],
        pool: Sequence[TrainingProblem] = (),
        embedder: Embedder | None = None,
        source: retrieval.TemplateSource | None = None,
        generators: Mapping[str, Generator] | None = None,
    ) -> None:
        """Take what X_sim is chosen from.

        Args:
            settings: `similar`, `k`, `templates`, `difficulty` and `seed` are used.
            gradable: says whether a gold answer can be graded against; what can't be is passed over.
            pool: training problems.
            embedder: embeds them.
            source: the library that templates are retrieved from.
            generators: by the slug of their template.

        Raises:
            UsageError: what the settings ask for is not given.
        """
        if settings.similar != "generators" and (not pool or embedder is None):
            raise UsageError("Similar problems are to come from a file, and none is given; name one with --problems.")
        if settings.similar != "problems" and (source is None or not generators):
            raise UsageError("Similar problems are to be drawn for templates, and there are no generators.")
        self._settings = settings
        self._gradable = gradable
        # The order of a file must not count.
        self._pool = sorted(pool, key=lambda problem: (problem.content_hash, problem.id))
        self._embedder = embedder
        self._source = source
        self._generators = generators or {}
        self._vectors: dict[str, npt.NDArray[np.float32]] = {}

    def of(self, text: str) -> tuple[SimilarProblem, ...]:
        """Return X_sim of the problem with this text: at most k problems, each once and x not among them."""
        kind, k = self._settings.similar, self._settings.k
        near = self._nearest(text) if kind != "generators" else iter(())
        fresh = self._drawn(text) if kind != "problems" else iter(())
        used = {same_text(text)}
        half = k - k // 2 if kind == "both" else k
        chosen = _taken(near, half, used)
        chosen += _taken(fresh, k - len(chosen), used)
        # Where there are too few fresh ones, nearer ones make the number up.
        return tuple(chosen + _taken(near, k - len(chosen), used))

    def _nearest(self, text: str) -> Iterator[SimilarProblem]:
        embedder = self._embedder
        if embedder is None:
            return
        if not self._vectors:
            self._vectors = embed_by_key(embedder, {problem.text: problem.text for problem in self._pool})
        vector = self._vectors[text] if text in self._vectors else embed_by_key(embedder, {text: text})[text]
        scored = [(round(float(self._vectors[problem.text] @ vector), _DECIMALS), problem) for problem in self._pool]
        # The pool is in the order of its hashes, which decides among equals.
        for score, problem in sorted(scored, key=lambda pair: -pair[0]):
            if self._gradable(problem.graded):
                yield SimilarProblem(problem, "problems", score)

    def _drawn(self, text: str) -> Iterator[SimilarProblem]:
        if self._source is None:
            return
        retrieved = retrieval.shortlist(self._source, text, 3 * self._settings.templates)
        slugs = [slug for slug, _ in retrieved if slug in self._generators][: self._settings.templates]
        streams = [self._stream(slug, text) for slug in slugs]
        while streams:
            for stream in list(streams):
                found = next(stream, None)
                if found is None:
                    streams.remove(stream)
                else:
                    yield found

    def _stream(self, slug: str, text: str) -> Iterator[SimilarProblem]:
        settings = self._settings
        seed = _seed_of(text, settings.seed)
        draws = self._generators[slug].draws(_TRIES * settings.k, seed=seed, difficulty=settings.difficulty)
        place = 0
        while True:
            try:
                draw = next(draws, None)
            except LibraryError:
                # It has fewer problems; those it has were given.
                return
            if draw is None:
                return
            place += 1
            problem = of_draw(draw, slug, f"{slug}/{settings.difficulty}/{seed}/{place}")
            if self._gradable(problem.graded):
                yield SimilarProblem(problem, "generators")


def _taken(stream: Iterator[SimilarProblem], number: int, used: set[str]) -> list[SimilarProblem]:
    """Take up to so many problems that are not used yet, and mark them used."""
    chosen: list[SimilarProblem] = []
    while len(chosen) < number and (found := next(stream, None)) is not None:
        key = same_text(found.problem.text)
        if key not in used:
            used.add(key)
            chosen.append(found)
    return chosen


def _seed_of(text: str, seed: int) -> int:
    """Return a seed that differs from problem to problem."""
    return int.from_bytes(hashlib.sha256(f"{seed}\0{text}".encode("utf-8", "surrogatepass")).digest()[:6], "big")
