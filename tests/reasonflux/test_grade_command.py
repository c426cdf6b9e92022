"""`reasonflux grade` on the command line."""

import json

import pytest
import typer
from typer.testing import CliRunner

from reasonflux.commands.grade import grade

app = typer.Typer(rich_markup_mode=None)
app.command("grade")(grade)


@app.command("other")
def other() -> None:
    """Keep `grade` a subcommand."""


def _run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["grade", *arguments])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--gold", "-5", "--answer", "-5"),
        ("--gold=-5", "--answer=-5"),
        ("--gold", r"-\frac{1}{2}", "--answer", r"-\frac{1}{2}"),
        ("--gold", r"-\frac{1}{2}", "--answer=-0.5"),
        ("--gold", "2,3", "--answer", r"\boxed{2} and \boxed{3}"),
    ],
)
def test_values_that_begin_with_a_dash(arguments: tuple[str, ...]) -> None:
    code, out, _ = _run(*arguments, "--json")

    assert code == 0
    assert json.loads(out)["correct"] is True


def test_wrong_and_undecided() -> None:
    assert _run("--gold", "5", "--answer", "-5")[:2] == (0, "wrong\n")
    code, out, _ = _run("--gold", "foo", "--answer", "foo")
    assert code == 1
    assert out.startswith("undecided: ")
    assert _run("--gold", "foo", "--answer", "foo", "--grader", "text")[:2] == (0, "right\n")


def test_json_is_one_document_with_the_text_unchanged() -> None:
    code, out, err = _run("--gold", "[red]2[/red]", "--answer", "x in [a,b]", "--json")
    document = json.loads(out)

    assert set(document) == {"correct", "note", "gold", "answer", "grader", "seconds"}
    assert (document["gold"], document["answer"]) == ("[red]2[/red]", "x in [a,b]")
    assert err == ""
    assert code in (0, 1)


def test_a_mistyped_option_is_an_error() -> None:
    code, out, err = _run("--gold", "5", "--answer", "5", "--jsno")

    assert (code, out) == (2, "")
    assert "--json" in err


def test_an_unknown_grader_is_an_error() -> None:
    code, _, err = _run("--gold", "5", "--answer", "5", "--grader", "llm")

    assert code == 2
    assert "math or text" in err
