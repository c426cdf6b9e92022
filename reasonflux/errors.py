"""The error family of a run, and `boundary`, which names the stage that broke.

Two kinds of trouble are kept apart. Weak or unparsable model output is no error: it is recorded on the run,
fed back and bounded. What stands here is our fault or the world's (a bad setting, a dead server, a full disk):
raised once, recorded on the run, and never turned into an answer or a wrong one.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class ReasonFluxError(Exception):
    """Base of every error of this package. Its message is one sentence: what, where, what to do."""

    exit_code = 1

    def __init__(self, message: str, *, stage: str | None = None) -> None:
        super().__init__(message)
        self.stage = stage


class UsageError(ReasonFluxError):
    """The caller asked for something that can't be meant (unknown name, option that does not fit)."""

    exit_code = 2


class ConfigError(UsageError):
    """A setting is unknown, of the wrong type or out of range."""


class WeightsError(ReasonFluxError):
    """A model's weights can't be fetched, are incomplete or are not the pinned file."""


class ModelError(ReasonFluxError):
    """A chat model could not answer."""


class ContextOverflow(ModelError):
    """The prompt does not fit the model's context; `needed` and `available` count tokens where known."""

    def __init__(
        self, message: str, *, needed: int | None = None, available: int | None = None, stage: str | None = None
    ) -> None:
        super().__init__(message, stage=stage)
        self.needed = needed
        self.available = available


class ModelUnavailable(ModelError):
    """A model's server can't be reached, refuses us, or fails after every retry."""


class BadReply(ModelError):
    """A server's reply is not of the protocol's shape; the message holds the start of the body."""


class BudgetExhausted(ReasonFluxError):
    """The run's budget of completion tokens is spent."""


class SandboxUnavailable(ReasonFluxError):
    """This system lacks the means to run programs safely."""


class RecordError(ReasonFluxError):
    """A problem record can't be read; the message names the file and line."""


@contextmanager
def boundary(stage: str) -> Iterator[None]:
    """Name the stage on whatever error leaves it.

    Raises:
        ReasonFluxError: the error that left the block, with `stage` set where it had none; an exception of
            another kind is wrapped in one, with the original as its cause.
    """
    try:
        yield
    except ReasonFluxError as error:
        if error.stage is None:
            error.stage = stage
        raise
    except Exception as error:
        detail = str(error) or "no message"
        raise ReasonFluxError(f"The {stage} stage failed: {type(error).__name__}: {detail}", stage=stage) from error
