"""Role folding: conversations for chat templates that know no system role or want strictly alternating turns.

A pure function; each backend decides once a model what has to be folded.
"""

from reasonflux.models.base import Message, Role

GO_ON = "Go on."
"""The user turn put after a final assistant turn, or before a leading one where turns must alternate."""


def fold(messages: list[Message], *, system: bool, alternate: bool) -> list[Message]:
    """Return `messages` in a shape the model's chat template accepts; no text is lost or reordered.

    Whatever the switches say, the conversation never ends with an assistant turn: a short user turn is put after
    it, because servers answer such a conversation with nothing or go on writing the old turn.

    Args:
        messages: the conversation, oldest first.
        system: fold system turns. Leading ones go in front of the first user turn, later ones become user turns.
        alternate: join neighbours of one role with a blank line, and let a user turn come first.
    """
    turns = _fold_system(messages) if system else list(messages)
    if turns and turns[-1].role == "assistant":
        turns.append(Message(role="user", content=GO_ON))
    if not alternate:
        return turns
    first_spoken = next((index for index, turn in enumerate(turns) if turn.role != "system"), None)
    if first_spoken is not None and turns[first_spoken].role == "assistant":
        turns.insert(first_spoken, Message(role="user", content=GO_ON))
    return _join_neighbours(turns)


def _fold_system(messages: list[Message]) -> list[Message]:
    leading: list[str] = []
    rest = list(messages)
    while rest and rest[0].role == "system":
        leading.append(rest.pop(0).content)
    turns = [turn if turn.role != "system" else _user(turn.content) for turn in rest]
    if leading:
        if turns and turns[0].role == "user":
            leading.append(turns.pop(0).content)
        turns.insert(0, _user("\n\n".join(leading)))
    return turns


def _join_neighbours(turns: list[Message]) -> list[Message]:
    joined: list[Message] = []
    for turn in turns:
        if joined and joined[-1].role == turn.role:
            role: Role = turn.role
            joined[-1] = Message(role=role, content=f"{joined[-1].content}\n\n{turn.content}")
        else:
            joined.append(turn)
    return joined


def _user(content: str) -> Message:
    return Message(role="user", content=content)
