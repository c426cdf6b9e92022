"""How long help and usage errors take, against a bare Typer app with as many commands.

Each measurement is a process of its own. Ours and the bare app's are taken in turn, so that whatever else the
machine does falls on both. Usage: python benchmarks/startup.py [RUNS]
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = 1.5

BARE = """
import typer

app = typer.Typer()
{commands}

def main():
    app()

main()
"""


def command_names() -> dict[str, list[str]]:
    """Return the commands of each group of ours; those of no group under an empty name."""
    sys.path.insert(0, str(ROOT))
    import cli

    names = {"": [command.name for command in cli.app.registered_commands]}
    for group in cli.app.registered_groups:
        commands = group.typer_instance.registered_commands
        names[group.name] = [command.name or command.callback.__name__ for command in commands]
    return names


def bare_app() -> str:
    """Return the source of a Typer app with the same groups and commands, each without options."""
    lines = []
    for group, names in command_names().items():
        owner = f"group_{group}" if group else "app"
        if group:
            lines += [f"{owner} = typer.Typer()", f"app.add_typer({owner}, name={group!r})"]
        for name in names:
            lines += [f"@{owner}.command({name!r})", f"def {owner}_{name}():", "    '''A command.'''", ""]
    return BARE.format(commands="\n".join(lines))


def seconds(program: list[str], args: list[str], code: int) -> float:
    """Return how long one run takes; it must end with the exit code expected."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, *program, *args], capture_output=True)
    taken = time.perf_counter() - started
    if done.returncode != code:
        raise SystemExit(f"{program} {args} ended with {done.returncode}: {done.stderr.decode()}")
    return taken


def main() -> None:
    """Measure, print the medians, and exit with 1 when a ratio is over the target."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(bare_app(), encoding="utf-8")
        ours = ["-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); import cli; cli.main()"]
        cases = {
            "--help": (["--help"], 0),
            "library --help": (["library", "--help"], 0),
            "usage error": (["solve", "--no-such-option"], 2),
        }
        for name, (args, code) in cases.items():
            seconds(ours, args, code)
            seconds([str(bare)], args, code)
            pairs = [(seconds(ours, args, code), seconds([str(bare)], args, code)) for _ in range(runs)]
            mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
            worst = max(worst, mine / theirs)
            print(f"{name:<16} ours {mine * 1000:6.0f} ms   bare {theirs * 1000:6.0f} ms   ratio {mine / theirs:.2f}")
    print(f"{'worst':<16} {worst:.2f}, target {TARGET}")
    raise SystemExit(worst > TARGET)


if __name__ == "__main__":
    main()
