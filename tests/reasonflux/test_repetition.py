import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonflux.models.repetition import LEAST_PIECES, LEAST_ROUNDS, LONGEST_ROUND, RepetitionWatch


def first_alarm(pieces) -> int | None:
    """Return after how many pieces the watch says that they repeat, None if it never does."""
    watch = RepetitionWatch()
    return next((count for count, piece in enumerate(pieces, 1) if watch.feed(piece)), None)


@given(st.integers(1, LONGEST_ROUND), st.integers(0, 400), st.integers(0, 10**6))
def test_an_endless_round_is_noticed_soon(size, lead, seed):
    draw = random.Random(seed)
    start = [str(draw.random()) for _ in range(lead)]
    turn = [str(draw.random()) for _ in range(size)]
    alarm = first_alarm(start + turn * (2000 // size + 2))
    needed = lead + max(LEAST_PIECES, LEAST_ROUNDS * size)
    assert alarm is not None
    assert needed <= alarm <= needed + 16


@pytest.mark.parametrize(
    "pieces",
    [
        ["0", ","] * 90,
        [str(number) for number in range(3000)],
        [piece for number in range(400) for piece in ("Case", " ", str(number), ":", " no", "\n")],
        ["same", " line", "\n"] * 40 + [str(number) for number in range(2000)],
    ],
    ids=["a table of zeros", "counting", "an enumeration", "a repeat that ends"],
)
def test_what_goes_on_is_left_alone(pieces):
    assert first_alarm(pieces) is None
