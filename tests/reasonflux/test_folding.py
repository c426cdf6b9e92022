from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonflux.models.base import Message
from reasonflux.models.folding import GO_ON, fold

TURNS = st.lists(
    st.builds(Message, role=st.sampled_from(["system", "user", "assistant"]), content=st.text("ab", max_size=3)),
    max_size=8,
)


def turns(*pairs: str) -> list[Message]:
    return [Message.model_validate({"role": role, "content": text}) for role, text in (p.split(":") for p in pairs)]


@pytest.mark.parametrize(
    ("given_turns", "system", "alternate", "folded"),
    [
        (("system:s", "user:u"), False, False, ("system:s", "user:u")),
        (("system:s", "user:u"), True, False, ("user:s\n\nu",)),
        (("system:s", "system:t", "user:u"), True, True, ("user:s\n\nt\n\nu",)),
        (("system:s",), True, False, ("user:s",)),
        (("system:s", "assistant:a", "user:u"), True, True, ("user:s", "assistant:a", "user:u")),
        (("user:u", "system:s", "assistant:a", "user:v"), True, True, ("user:u\n\ns", "assistant:a", "user:v")),
        (("user:u", "user:v"), False, True, ("user:u\n\nv",)),
        (("user:u", "assistant:a"), False, False, ("user:u", "assistant:a", f"user:{GO_ON}")),
        (("user:u", "assistant:a", "assistant:b"), False, True, ("user:u", "assistant:a\n\nb", f"user:{GO_ON}")),
        (("assistant:a", "user:u"), False, True, (f"user:{GO_ON}", "assistant:a", "user:u")),
        (("system:s", "assistant:a"), False, True, ("system:s", f"user:{GO_ON}", "assistant:a", f"user:{GO_ON}")),
        ((), True, True, ()),
    ],
)
def test_shapes(given_turns, system, alternate, folded):
    assert fold(turns(*given_turns), system=system, alternate=alternate) == turns(*folded)


@given(TURNS, st.booleans(), st.booleans())
def test_rules_hold_for_any_conversation(messages: list[Message], system: bool, alternate: bool):
    before = list(messages)
    folded = fold(messages, system=system, alternate=alternate)
    assert messages == before
    roles = [turn.role for turn in folded]
    assert not roles or roles[-1] != "assistant"
    if system:
        assert "system" not in roles
    if alternate:
        assert all(first != second for first, second in pairwise(roles))
        assert not roles or roles[0] != "assistant"
    kept = "".join(turn.content for turn in folded).replace("\n\n", "").replace(GO_ON, "")
    assert sorted(kept) == sorted("".join(turn.content for turn in messages))
    assert fold(folded, system=system, alternate=alternate) == folded
