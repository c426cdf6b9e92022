"""What stops a training job. Each message is one sentence: what, where, what to do."""

from reasonflux.errors import ReasonFluxError


class TrainingError(ReasonFluxError):
    """A training job can't start or can't go on: its rows, its tokenizer or its numbers are at fault."""
