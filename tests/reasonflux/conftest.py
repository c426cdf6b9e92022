"""What the tests here share: a scripted OpenAI-compatible endpoint on loopback, and the library's command line.

The endpoint counts calls and keeps request bodies; the command line has an embedder that needs no weights.
"""

import http.server
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from reasonflux.commands import assemble_library, library
from tests.library.hashing_embedder import HashingEmbedder


@dataclass
class Answer:
    """One HTTP answer: an object or text, or the chunks of a stream (`cut` drops the connection after them)."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    chunks: list[Any] | None = None
    cut: bool = False


def chat(content: Any = "ok", *, finish: str | None = "stop", usage: Any = None, **message: Any) -> Answer:
    """Return an ordinary chat completion."""
    counted = usage if usage is not None else {"prompt_tokens": 7, "completion_tokens": 3}
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
    return Answer(body={"choices": [choice], "usage": counted})


def delta(content: Any = None, *, finish: str | None = None, **more: Any) -> dict[str, Any]:
    """Return one chunk of a stream."""
    return {"choices": [{"index": 0, "delta": {"content": content, **more}, "finish_reason": finish}]}


class FakeServer:
    """Answers `/v1/chat/completions` from `script`: a list used in order (the last repeats), or a function."""

    def __init__(self) -> None:
        self.script: list[Answer] | Callable[[dict[str, Any]], Answer] = [chat()]
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.bodies.append(body)
                server.keys.append(self.headers.get("Authorization"))
                self._send(server._next(body))

            def _send(self, answer: Answer) -> None:
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                if answer.chunks is not None:
                    self.send_header("Content-Type", "text/event-stream")
                    self.send_header("Connection", "close")
                    if answer.cut:
                        self.send_header("Content-Length", "1000000")
                    self.end_headers()
                    for chunk in answer.chunks:
                        data = chunk if isinstance(chunk, str) else json.dumps(chunk)
                        self.wfile.write(f"data: {data}\n\n".encode())
                    if not answer.cut:
                        self.wfile.write(b"data: [DONE]\n\n")
                    self.close_connection = True
                    return
                data = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data.encode())))
                self.end_headers()
                self.wfile.write(data.encode())

            def log_message(self, *args: Any) -> None:
                """Stay quiet."""

        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def calls(self) -> int:
        return len(self.bodies)

    def _next(self, body: dict[str, Any]) -> Answer:
        if callable(self.script):
            return self.script(body)
        return self.script[min(len(self.bodies), len(self.script)) - 1]

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@pytest.fixture
def fake_server() -> Iterator[FakeServer]:
    server = FakeServer()
    yield server
    server.close()


@pytest.fixture(name="chat")
def chat_fixture() -> Callable[..., Answer]:
    return chat


@pytest.fixture(name="delta")
def delta_fixture() -> Callable[..., dict[str, Any]]:
    return delta


@pytest.fixture(name="answer")
def answer_fixture() -> type[Answer]:
    return Answer


@pytest.fixture
def without_weights(monkeypatch: pytest.MonkeyPatch) -> HashingEmbedder:
    """Give every command an embedder that needs no weights."""
    embedder = HashingEmbedder()
    monkeypatch.setattr(assemble_library, "load_embedder", lambda weights_dir, quiet=False: embedder)
    return embedder


@pytest.fixture
def app() -> typer.Typer:
    """Return a program with the library's commands alone, which prints errors as plain text."""
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    library.app.rich_markup_mode = None
    app.add_typer(library.app, name="library")
    return app


@pytest.fixture
def run_library(app: typer.Typer, without_weights: HashingEmbedder) -> Callable[..., Result]:
    """Return a way to run `library ARGUMENTS` that looks at the exit code, None for any."""

    def invoke(*arguments: str, code: int | None = 0, input: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(app, ["library", *arguments], input=input)
        assert code is None or result.exit_code == code, (result.stdout, result.stderr)
        assert "Traceback" not in result.output
        return result

    return invoke
