import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import cli

FAKE = Path(__file__).with_name("fake_bench.py")


def commands(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every group and command of the command line."""
    command = command or typer.main.get_command(cli.app)
    yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, (*path, name))


def run_apart(redirection: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Run the command line with a shell's redirection of its streams."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, str(FAKE), *args],
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_every_help_shows_command_lines_to_copy(path: tuple[str, ...]) -> None:
    done = CliRunner().invoke(cli.app, [*path, "--help"], prog_name="reasonflux")
    _, examples, shown = done.stdout.partition("\n  Examples:\n")
    assert examples
    lines = [line.strip() for line in shown.strip().splitlines()]
    assert len(lines) >= 2
    assert all(" ".join(("reasonflux", *path)) in line for line in lines)


def test_the_version() -> None:
    done = CliRunner().invoke(cli.app, ["--version"])
    assert (done.exit_code, done.stdout) == (0, f"reasonflux {version('reasonflux')}\n")


@pytest.mark.skipif(sys.platform == "win32", reason="uses a shell")
class TestStreams:
    def test_a_closed_stdout_ends_nothing(self) -> None:
        done = run_apart(">&-", "solve", "say 5")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    def test_a_closed_stderr_ends_nothing(self) -> None:
        done = run_apart("2>&-", "solve", "--json", "say 5")
        assert done.returncode == 0
        assert '"answer": "5"' in done.stdout

    def test_a_closed_stdin_is_told(self) -> None:
        done = run_apart("<&-", "solve", "-")
        assert (done.returncode, done.stderr) == (2, "Error: stdin is closed; give the problem in quotes.\n")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
    @pytest.mark.parametrize("args", [["--help"], ["solve", "say 5"], ["solve", "--quiet", "--json", "say 5"]])
    def test_a_full_disk_is_one_sentence(self, args: list[str]) -> None:
        done = run_apart(">/dev/full", *args)
        assert (done.returncode, done.stderr) == (
            1,
            "Error: The output can't be written: No space left on device.\n",
        )

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
    def test_notes_that_can_not_be_written_never_cost_the_result(self, tmp_path: Path) -> None:
        (tmp_path / "in.jsonl").write_text('{"problem": "say 9"}\n', encoding="utf-8")
        files = ["--file", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "out.jsonl")]
        done = run_apart("2>/dev/full", "solve", *files, "--json")
        assert done.returncode == 0
        assert '"answered": 1' in done.stdout

    def test_a_reader_that_goes_early_is_no_error_message(self) -> None:
        done = run_apart("| head -c 1 >&2", "solve", "say 5")
        assert done.stderr == "P"


def test_an_option_and_more_in_one_argument() -> None:
    done = CliRunner().invoke(cli.app, ["solve", "--seed 4"])
    assert done.exit_code == 2
    assert "--seed is an option, but more text stands with it in one argument; give them apart." in done.stderr


def test_an_error_never_carries_terminal_sequences() -> None:
    done = CliRunner().invoke(cli.app, ["library", "show", "x", "--library", "\x1b[31mred\x1b[0m"])
    assert done.exit_code == 1
    assert "\x1b" not in done.stderr
    assert "red.db" in done.stderr
