"""The thread that owns a transformers model and draws what is asked for, up to `slots` replies at a time.

Replies join the running batch as soon as a slot is free and leave it when they end, so that many threads may ask at
once. Replies to one prompt share its reading. A reply that nobody waits for any more is dropped before the next token.
"""

import collections
import threading
import weakref
from collections.abc import Sequence
from typing import Any

from reasonflux.errors import ModelError, ModelUnavailable
from reasonflux.models.hf_batch import Batch, Cancelled, Read, Runner, can_join
from reasonflux.models.hf_drawing import Draw


class Engine:
    """A loaded model that draws. Thread-safe; closed at the latest when it is collected or the interpreter exits.

    Args:
        model: a causal language model, in evaluation mode.
        slots: replies drawn at a time, at least 1; more than one needs a model whose rows can join a batch.
        threads: compute threads; None leaves PyTorch's own number.
    """

    def __init__(self, model: Any, *, slots: int, threads: int | None = None) -> None:
        self._state = _State(Runner(model), slots, threads)
        self._finalizer = weakref.finalize(self, self._state.shut_down)

    def submit(self, draws: Sequence[Draw]) -> None:
        """Begin to draw replies to one prompt; each is read from its `pieces`.

        Raises:
            ModelUnavailable: the engine is closed.
        """
        self._state.submit(draws)

    def close(self) -> None:
        """End what is drawn, wait for the running step and free the model; safe to call twice."""
        self._finalizer()


class _State:
    """What the thread works on, apart from the engine so that the engine can be collected."""

    def __init__(self, runner: Runner, slots: int, threads: int | None) -> None:
        self._runner: Runner | None = runner
        self._slots, self._threads = slots, threads
        self._waiting: collections.deque[Draw] = collections.deque()
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._read: tuple[list[int], Read] | None = None

    def submit(self, draws: Sequence[Draw]) -> None:
        with self._changed:
            if self._closed:
                raise _gone()
            self._waiting.extend(draws)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="hf-engine", daemon=True)
                self._thread.start()
            self._changed.notify()

    def shut_down(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._runner = self._read = None

    def _run(self) -> None:
        import torch

        runner = self._runner
        if self._threads is not None:
            torch.set_num_threads(self._threads)
        assert runner is not None
        batch, rows = Batch(runner), list[Draw]()
        with torch.inference_mode():
            while self._wait(rows):
                try:
                    self._drop(batch, rows, [draw for draw in rows if draw.cancelled])
                    self._admit(batch, rows, runner)
                    if rows:
                        logits = batch.step([draw.last for draw in rows])
                        ended = [draw for draw, row in zip(rows, logits, strict=True) if not _advance(draw, row)]
                        self._drop(batch, rows, ended)
                except Exception as error:
                    for draw in rows:
                        draw.pieces.put(_failure(error))
                    batch, rows, self._read = Batch(runner), [], None
        for draw in [*rows, *self._waiting]:
            draw.pieces.put(_gone())

    def _wait(self, rows: list[Draw]) -> bool:
        with self._changed:
            while not self._closed and not rows and not self._waiting:
                self._read = None
                self._changed.wait()
            return not self._closed

    def _admit(self, batch: Batch, rows: list[Draw], runner: Runner) -> None:
        while len(rows) < self._slots:
            with self._changed:
                if not self._waiting:
                    return
                draw = self._waiting.popleft()
            if draw.cancelled:
                continue
            try:
                read = self._reading(draw, runner)
                if not _advance(draw, read.logits):
                    continue
            except Cancelled:
                continue
            except Exception as error:
                draw.pieces.put(_failure(error))
                continue
            rows.append(draw)
            batch.join(read)

    def _reading(self, draw: Draw, runner: Runner) -> Read:
        if self._read is not None and self._read[0] == draw.prompt:
            return self._read[1]
        read = runner.read(draw.prompt, lambda: draw.cancelled or self._closed)
        if can_join(read.cache):
            self._read = (draw.prompt, read)
        else:
            # Such a cache is used up by its first reply, and holds no rows but one.
            self._read, self._slots = None, 1
        return read

    def _drop(self, batch: Batch, rows: list[Draw], done: list[Draw]) -> None:
        if not done:
            return
        kept = [index for index, draw in enumerate(rows) if draw not in done]
        rows[:] = [rows[index] for index in kept]
        batch.keep(kept)


def _advance(draw: Draw, logits: Any) -> bool:
    """Draw a token; what goes wrong with one reply ends that one alone."""
    try:
        return draw.advance(logits)
    except ModelError as error:
        draw.pieces.put(error)
        return False


def _failure(error: Exception) -> Exception:
    return ModelError(f"transformers failed while it was writing: {type(error).__name__}: {str(error)[:300]}")


def _gone() -> ModelUnavailable:
    return ModelUnavailable("The model was closed; load it again.")
