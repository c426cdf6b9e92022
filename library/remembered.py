"""What searches looked up of one state of a library, kept for the searches after them."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from library.fulltext import FullText
from library.reading import Card, Filter, Reader, State, StoredEmbedder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_FILTERS_KEPT = 16
_TEMPLATES_KEPT = 10_000

Part = TypeVar("Part")


class Remembered:
    """What is known of one state. Thread-safe: two threads at worst look the same up twice."""

    def __init__(self, state: State) -> None:
        """Begin with nothing known of a state."""
        self.state = state
        self._size: int | None = None
        self._embedder: StoredEmbedder | None = None
        self._cards = _Kept[Card]()
        self._words = _Kept[set[str]]()
        self._among: dict[Filter, npt.NDArray[np.int64] | None] = {}

    def size(self, reader: Reader) -> int:
        """Return the library's size as the search by words counts it; `reader` must see this state."""
        if self._size is None:
            self._size = FullText(reader.connection).size()
        return self._size

    def embedder(self, reader: Reader) -> StoredEmbedder | None:
        """Return the embedder of the stored vectors, None without any; `reader` must see this state."""
        if self._embedder is None:
            self._embedder = reader.embedder()
        return self._embedder

    def cards(self, reader: Reader, ids: Sequence[int]) -> dict[int, Card]:
        """Return slug and name of each of these templates; `reader` must see this state."""
        return self._cards.get(ids, reader.cards)

    def words(self, reader: Reader, ids: Sequence[int]) -> dict[int, set[str]]:
        """Return the words of each of these templates; `reader` must see this state."""
        return self._words.get(ids, FullText(reader.connection).words_of)

    def among(self, reader: Reader, wanted: Filter) -> "npt.NDArray[np.int64] | None":
        """Return the ids a filter lets through, None where it lets all through; `reader` must see this state."""
        import numpy as np

        known = self._among
        if wanted in known:
            return known[wanted]
        passes_all = reader.count(wanted) == reader.count(Filter(status=None))
        found = None if passes_all else np.array(reader.ids(wanted), dtype=np.int64)
        self._among = {wanted: found} if len(known) >= _FILTERS_KEPT else {**known, wanted: found}
        return found


class _Kept(Generic[Part]):
    """One part of each of a bounded number of templates."""

    def __init__(self) -> None:
        self._known: dict[int, Part] = {}

    def get(self, ids: Sequence[int], look_up: Callable[[Sequence[int]], dict[int, Part]]) -> dict[int, Part]:
        known = self._known
        missing = [key for key in ids if key not in known]
        found = {key: known[key] for key in ids if key in known}
        if missing:
            found |= look_up(missing)
            # Never emptied in place: another thread may be reading it.
            self._known = found if len(known) + len(missing) > _TEMPLATES_KEPT else known | found
        return found
