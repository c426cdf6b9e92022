"""Noticing that a model repeats itself word for word, which small models do until their token limit."""

from dataclasses import dataclass, field

LEAST_PIECES = 192
LEAST_ROUNDS = 4
LONGEST_ROUND = 192
REPEATS = "The reply repeated itself without end and was cut off after {} tokens."
_EVERY = 16


@dataclass
class RepetitionWatch:
    """Watches a reply's pieces (tokens, or what a server sends at once) as they come.

    A reply repeats itself when its last pieces are one round of at most `LONGEST_ROUND` pieces, at least
    `LEAST_ROUNDS` times over and `LEAST_PIECES` pieces long in all; a table of zeros is shorter than that.
    """

    _pieces: list[str] = field(default_factory=list)

    def feed(self, piece: str) -> bool:
        """Take the next piece and return whether the reply was seen to repeat itself; looks every 16 pieces."""
        self._pieces.append(piece)
        return len(self._pieces) % _EVERY == 0 and any(self._repeats(size) for size in range(1, LONGEST_ROUND + 1))

    def _repeats(self, size: int) -> bool:
        pieces = self._pieces
        covered = max(LEAST_PIECES, LEAST_ROUNDS * size)
        if len(pieces) < covered or pieces[-1] != pieces[-1 - size]:
            return False
        return pieces[-covered + size :] == pieces[-covered:-size]
