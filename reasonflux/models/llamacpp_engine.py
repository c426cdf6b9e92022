"""llama.cpp's own server inside this process: loading, sizing, running generations, stopping cleanly.

Each generation runs on a thread of its own, because the native call returns only when it is done: the caller waits
on a queue instead, which Ctrl-C can interrupt. The native server must never be torn down under a running
generation, so `close` cancels what runs and waits for it first.
"""

import http.client
import json
import os
import queue
import secrets
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from reasonflux.errors import BadReply, ModelUnavailable
from reasonflux.models.gguf_header import GgufHeader, read_header

DEFAULT_SLOT_TOKENS = 8192
SMALLEST_SLOT_TOKENS = 512
_ASK_SECONDS = 60
_PROMPT_CACHE_MIB = 2048
_MIB = 1 << 20
# A generation notices that it was cancelled between two batches, so a batch bounds how long a close can take.
_BATCH_TOKENS = 256


@dataclass(frozen=True)
class EngineSize:
    """How large an engine is: parallel slots, tokens a slot, threads, and MiB of prompt cache in host memory."""

    slots: int
    slot_tokens: int
    threads: int
    prompt_cache_mib: int


def plan_size(
    header: GgufHeader, *, slots: int, context_tokens: int | None, threads: int | None, available_bytes: int
) -> EngineSize:
    """Return an engine size that fits the model and the memory at hand.

    Args:
        header: the model's sizes.
        slots: parallel requests, at least 1.
        context_tokens: tokens a slot that the caller asks for; None picks up to 8192.
        threads: compute threads; None takes the physical cores this process may use.
        available_bytes: memory that can be taken without swapping.

    Raises:
        ModelUnavailable: not even the smallest context fits the memory.
    """
    tokens = min(context_tokens or DEFAULT_SLOT_TOKENS, header.context_length or DEFAULT_SLOT_TOKENS)
    spare = available_bytes - header.file_bytes
    if header.kv_bytes is not None:
        fitting = max(spare, 0) * 3 // 4 // (header.kv_bytes * slots)
        wanted = context_tokens if context_tokens is not None else SMALLEST_SLOT_TOKENS
        if fitting < min(wanted, tokens):
            needed = header.file_bytes + header.kv_bytes * slots * min(wanted, tokens) * 4 // 3
            raise ModelUnavailable(
                f"The model needs about {needed // _MIB} MiB of memory for {slots} slot(s) of {min(wanted, tokens)} "
                f"tokens but only {available_bytes // _MIB} MiB are free; use fewer slots, a smaller context or a "
                "smaller model."
            )
        tokens = min(tokens, fitting)
    cache = max(0, min(_PROMPT_CACHE_MIB, spare // _MIB // 4))
    return EngineSize(slots=slots, slot_tokens=tokens, threads=threads or _usable_cores(), prompt_cache_mib=cache)


def import_backend() -> Any:
    """Return the `xllamacpp` module, set up to share the processor."""
    # By default OpenMP's threads spin while they wait for each other. As soon as another program wants one of the
    # cores, each of thousands of waits a token then lasts a scheduler's time slice: a twentieth of the speed or
    # less. Sleeping costs a few per cent on an idle machine. Read once, when the library is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import xllamacpp

    return xllamacpp


class Generation:
    """One running request. Iterating gives the server's chunks as they come; `cancel` stops it."""

    def __init__(self, server: Any, payload: dict[str, Any]) -> None:
        self._server = server
        self._payload = payload
        self._chunks: queue.SimpleQueue[dict[str, Any] | Exception | None] = queue.SimpleQueue()
        self._cancelled = False
        self._thread = threading.Thread(target=self._run, name="llamacpp-generation", daemon=True)

    def start(self) -> None:
        """Begin generating."""
        self._thread.start()

    def cancel(self) -> None:
        """Ask the server to stop; what it is computing right now is finished first."""
        self._cancelled = True

    def join(self) -> None:
        """Wait until the native call has returned."""
        self._thread.join()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the chunks; an exception of the native call is raised here."""
        while (chunk := self._chunks.get()) is not None:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    def _run(self) -> None:
        try:
            returned = self._server.handle_chat_completions(self._payload, self._receive)
            if isinstance(returned, dict):
                self._chunks.put(returned)
        except Exception as error:
            self._chunks.put(error)
        finally:
            self._server = None
            self._chunks.put(None)

    def _receive(self, chunk: dict[str, Any]) -> bool:
        self._chunks.put(chunk)
        return self._cancelled


class Engine:
    """A loaded model. Thread-safe; closed at the latest when the interpreter exits."""

    def __init__(
        self,
        path: Path,
        *,
        slots: int,
        context_tokens: int | None,
        threads: int | None,
        chat_template: str | None = None,
    ) -> None:
        import psutil

        header = read_header(path)
        self.size = plan_size(
            header,
            slots=slots,
            context_tokens=context_tokens,
            threads=threads,
            available_bytes=psutil.virtual_memory().available,
        )
        self._key = secrets.token_urlsafe(32)
        self._state = _State(_start_server(path, self.size, self._key, chat_template))
        self._finalizer = weakref.finalize(self, self._state.shut_down)
        self._address = urlsplit(self._state.server.listening_address)

    def generate(self, payload: dict[str, Any]) -> Generation:
        """Start a streamed chat completion.

        Raises:
            ModelUnavailable: the engine is closed.
        """
        return self._state.start(payload)

    def finish(self, generation: Generation) -> None:
        """Forget a generation, cancelling it if it still runs."""
        self._state.finish(generation)

    def ask(self, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """Ask the server something that needs no generation.

        Returns:
            The HTTP status and the reply's object.

        Raises:
            ModelUnavailable: the engine is closed or does not answer.
            BadReply: the reply is no JSON object.
        """
        if self._state.closed:
            raise ModelUnavailable("The model was closed; load it again.")
        connection = http.client.HTTPConnection(str(self._address.hostname), self._address.port, timeout=_ASK_SECONDS)
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        try:
            connection.request("GET" if body is None else "POST", path, _to_json(body), headers)
            response = connection.getresponse()
            status, data = response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise ModelUnavailable(f"The embedded llama.cpp server does not answer: {error}.") from error
        finally:
            connection.close()
        try:
            reply = json.loads(data)
        except ValueError as error:
            raise BadReply(f"The embedded llama.cpp server sent no JSON: {data[:200]!r}.") from error
        if not isinstance(reply, dict):
            raise BadReply(f"The embedded llama.cpp server sent no JSON object: {data[:200]!r}.")
        return status, reply

    def close(self) -> None:
        """Cancel what runs, wait for it and free the model; safe to call twice."""
        self._finalizer()


class _State:
    """What shutting down needs, apart from the engine so that the engine can be collected."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.closed = False
        self._lock = threading.Lock()
        self._running: set[Generation] = set()

    def start(self, payload: dict[str, Any]) -> Generation:
        with self._lock:
            if self.closed:
                raise ModelUnavailable("The model was closed; load it again.")
            generation = Generation(self.server, payload)
            self._running.add(generation)
            generation.start()
            return generation

    def finish(self, generation: Generation) -> None:
        generation.cancel()
        with self._lock:
            self._running = {one for one in self._running if one._thread.is_alive()}

    def shut_down(self) -> None:
        with self._lock:
            self.closed = True
            running = list(self._running)
        for generation in running:
            generation.cancel()
        for generation in running:
            generation.join()
        self.server = None


def _start_server(path: Path, size: EngineSize, key: str, chat_template: str | None) -> Any:
    xllamacpp = import_backend()
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.verbosity = -1
    params.n_parallel = size.slots
    params.n_ctx = size.slots * size.slot_tokens
    params.n_batch = _BATCH_TOKENS
    params.n_ubatch = _BATCH_TOKENS
    params.ctx_shift = False
    params.warmup = False
    params.cache_ram_mib = size.prompt_cache_mib
    params.cpuparams.n_threads = size.threads
    params.cpuparams_batch.n_threads = size.threads
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_threads_http = size.slots + 2
    params.api_keys = [key]
    params.endpoint_slots = False
    params.ui = False
    params.chat_template = chat_template or ""
    params.sse_ping_interval = -1
    try:
        return xllamacpp.Server(params)
    except Exception as error:
        raise ModelUnavailable(
            f"llama.cpp can't load the model file {path}: it is damaged, cut short or of an unknown kind; "
            "fetch it again."
        ) from error


def _usable_cores() -> int:
    import psutil

    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = min(cores, len(os.sched_getaffinity(0)))
    return max(1, cores)


def _to_json(body: dict[str, Any] | None) -> bytes | None:
    return None if body is None else json.dumps(body).encode("utf-8")
