"""`library list`, `search` and `eval`, and `plan --queries`, from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import cli
from library.ranking import DENSE_WEIGHT, RRF_K
from library.store import Library
from library.template import Example
from reasonflux.commands import assemble_library
from tests.library.hashing_embedder import HashingEmbedder, template

pytestmark = pytest.mark.usefixtures("without_weights")


@pytest.fixture
def run() -> Any:
    def invoke(*arguments: str, code: int = 0, input: str | None = None) -> Result:
        result = CliRunner().invoke(cli.app, arguments, input=input)
        assert result.exit_code == code, (result.stdout, result.stderr)
        assert "Traceback" not in result.output
        return result

    return invoke


@pytest.fixture
def filled(throw_away_home: Path) -> Path:
    path = throw_away_home / "libraries" / "default.db"
    places = {
        "Complete the square": ("algebra", "equations"),
        "Sum a series": ("algebra", "sequences"),
        "Similar triangles": ("geometry", "figures"),
        "Червоний": ("geometry", "figures"),
    }
    with Library.open(path, create=True) as store:
        for name, (field, topic) in places.items():
            kept = Example(problem=f"Kept back: {name.lower()} once more.", answer="7", role="probe")
            new = template(name, field=field, topic=topic, examples=(kept,))
            store.add(new, embedder=HashingEmbedder(), who="me")
    return path


def test_browsing_goes_from_field_to_topic_to_template(run: Any, filled: Path) -> None:
    assert run("library", "list", "--by", "field").stdout == (
        "algebra (2)\n  equations (1)\n  sequences (1)\ngeometry (2)\n  figures (2)\n"
    )
    document = json.loads(run("library", "list", "--by", "field", "--field", "geometry", "--json").stdout)
    assert document["groups"] == [{"field": "geometry", "count": 2, "topics": [{"topic": "figures", "count": 2}]}]
    assert document["count"] == 2
    assert run("library", "list", "--by", "topic", "--field", "algebra").stdout == (
        "algebra / equations (1)\n  complete-the-square  Complete the square\n"
        "algebra / sequences (1)\n  sum-a-series         Sum a series\n"
    )
    groups = json.loads(run("library", "list", "--by", "topic", "--topic", "figures", "--json").stdout)["groups"]
    assert [[item["slug"] for item in group["templates"]] for group in groups] == [["similar-triangles", "червоний"]]


def test_search_is_hybrid_and_explains(run: Any, filled: Path) -> None:
    document = json.loads(run("library", "search", "complete squares", "--explain", "--json").stdout)
    assert (document["mode"], document["good"], document["nearest"]) == ("hybrid", True, [])
    first = document["hits"][0]
    assert first["slug"] == "complete-the-square"
    assert (first["bm25_rank"], first["terms"], first["coverage"]) == (1, ["complete", "square"], 1.0)
    assert first["fused"] == pytest.approx(DENSE_WEIGHT / (RRF_K + first["dense_rank"]) + 1 / (RRF_K + 1))
    plain = json.loads(run("library", "search", "complete squares", "--json").stdout)["hits"][0]
    assert plain.keys() == {"slug", "name", "rank", "score", "matched", "good"}
    page = run("library", "search", "complete squares", "-k", "1", "--explain").stdout
    for part in (
        "meaning  cosine ",
        "bm25 ",
        "place 1",
        "100% of the text's words by weight: complete, square",
        "fused ",
    ):
        assert part in page


def test_search_by_words_loads_no_embedder(run: Any, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(assemble_library, "load_embedder")
    document = json.loads(run("library", "search", "черв", "--mode", "bm25", "--json").stdout)
    assert [(hit["slug"], hit["score"]) for hit in document["hits"]] == [("червоний", None)]
    assert "червоний" in run("library", "search", "ЧЕРВОНИЙ", "--mode", "bm25", "--explain").stdout
    assert "not looked at" in run("library", "search", "черв", "--mode", "bm25", "--explain").stdout


@pytest.mark.parametrize("mode", ["hybrid", "dense"])
def test_no_good_match_is_an_answer(run: Any, filled: Path, mode: str) -> None:
    document = json.loads(run("library", "search", "gherkin", "--mode", mode, "--json", code=3).stdout)
    assert (document["good"], document["hits"], len(document["nearest"])) == (False, [], 3)
    told = run("library", "search", "gherkin", "--mode", mode, code=3)
    assert told.stdout == ""
    assert "No good match; the nearest templates are:" in told.stderr
    none = run("library", "search", "gherkin", "--status", "draft", code=3)
    assert "no template passes these filters" in none.stderr
    assert json.loads(run("library", "search", "gherkin", "--mode", "bm25", "--json", code=3).stdout)["nearest"] == []


def test_filters_of_search(run: Any, filled: Path) -> None:
    for options, wanted in (
        (("--field", "geometry"), {"similar-triangles", "червоний"}),
        (("--topic", "sequences"), {"sum-a-series"}),
        (("--tag", "ROOTS", "--field", "algebra"), {"complete-the-square", "sum-a-series"}),
    ):
        asked = ["library", "search", "sum of complete similar squares", *options, "--json"]
        document = json.loads(CliRunner().invoke(cli.app, asked).stdout)
        assert {hit["slug"] for hit in document["hits"] or document["nearest"]} == wanted
    assert "did you mean" in run("library", "search", "x", "--field", "geometri", code=2).stderr


@pytest.mark.parametrize(
    "query", ['"', "a AND (b", "name:x*", "{a b}: c", r"\frac{1}{2}", "NEAR(a b)", "'; DROP TABLE tags"]
)
def test_no_query_is_syntax(run: Any, filled: Path, query: str) -> None:
    result = CliRunner().invoke(cli.app, ["library", "search", query, "--mode", "bm25", "--json"])
    assert result.exit_code in (0, 3), result.output
    assert json.loads(result.stdout)["query"] == query


def test_eval_measures_all_modes(run: Any, filled: Path) -> None:
    document = json.loads(run("library", "eval", "--json").stdout)
    assert document["n"] == 4
    for mode in ("dense", "bm25", "hybrid"):
        assert document[mode].keys() == {"mrr", "recall@1", "recall@5", "recall@10"}
    assert document["bm25"] == {"mrr": 1.0, "recall@1": 1.0, "recall@5": 1.0, "recall@10": 1.0}
    assert document["fields"]["geometry"]["n"] == 2
    page = run("library", "eval").stdout
    for part in ("all fields", "recall@10", "bm25", "geometry"):
        assert part in page
    run("library", "init", "--empty", "--library", "none")
    assert "role probe" in run("library", "eval", "--library", "none", code=1).stderr


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    plan = {"steps": [{"template": "Sum a series", "goal": "the sum"}, {"template": "none", "goal": "the rest"}]}
    path = tmp_path / "recording.json"
    path.write_text(json.dumps([{"json": plan, "stage": "plan"}] * 20), encoding="utf-8")
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_planners_queries_are_written_and_measured(run: Any, filled: Path, recording: Path, tmp_path: Path) -> None:
    out = tmp_path / "queries.jsonl"
    planning = ("plan", "--queries", str(out), "--model", f"scripted:{recording}", "--json")
    assert json.loads(run(*planning).stdout) == {"queries": str(out), "plans": 4, "failed": 0, "wanted": 4}
    lines = read(out)
    assert {line["wanted"] for line in lines} == {
        "complete-the-square",
        "sum-a-series",
        "similar-triangles",
        "червоний",
    }
    assert [query["name"] for query in lines[0]["queries"]] == ["Sum a series", ""]
    assert lines[0]["queries"][0]["template"] == "sum-a-series"
    assert all(query.keys() >= {"name", "tags"} for line in lines for query in line["queries"])
    document = json.loads(run("library", "eval", "--queries", str(out), "--json").stdout)
    assert (document["n"], document["left_out"]) == (4, 0)
    assert 0.25 <= document["bm25"]["recall@1"] < 1


def test_planning_goes_on_where_it_was_ended(run: Any, filled: Path, recording: Path, tmp_path: Path) -> None:
    out = tmp_path / "queries.jsonl"
    planning = ("plan", "--queries", str(out), "--model", f"scripted:{recording}")
    run(*planning)
    whole = read(out)
    assert "add --resume" in run(*planning, code=2).stderr
    data = out.read_bytes()
    out.write_bytes(data[: data.index(b"\n", len(data) // 2) + 20])
    resumed = run(*planning, "--resume")
    assert "going on with" in resumed.stderr
    assert read(out) == whole
    assert "was" in run(*planning, "--resume", "--seed", "99", code=2).stderr


def test_problems_of_a_file_are_planned(run: Any, filled: Path, recording: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    records = [{"problem": "Kept back: sum a series once more."}, {"problem": "Another."}, {"problem": "Third."}]
    source.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    planning = ("plan", "--queries", str(out), "--file", str(source), "--model", f"scripted:{recording}")
    assert "2 plans" in run(*planning, "--limit", "2").stdout
    assert [line["wanted"] for line in read(out)] == ["sum-a-series", None]
    document = json.loads(run("library", "eval", "--queries", str(out), "--json").stdout)
    assert (document["n"], document["left_out"]) == (1, 1)
    assert "write to another one" in run("plan", "--queries", str(source), "--file", str(source), code=2).stderr
    source.write_text("{broken\n", encoding="utf-8")
    assert f"{source}:1: " in run(*planning[:-2], "--model", f"scripted:{recording}", "--resume", code=1).stderr


def test_a_plan_that_fails_is_said_and_done_anew(run: Any, filled: Path, recording: Path, tmp_path: Path) -> None:
    out, broken = tmp_path / "out.jsonl", tmp_path / "broken.json"
    good = json.loads(recording.read_text(encoding="utf-8"))[0]
    broken.write_text(json.dumps([good, {"error": "bad_reply"}, good, good]), encoding="utf-8")
    assert "1 failed" in run("plan", "--queries", str(out), "--model", f"scripted:{broken}", code=1).stdout
    assert [line["status"] for line in read(out)].count("failed") == 1
    document = json.loads(run("library", "eval", "--queries", str(out), "--json").stdout)
    assert (document["n"], document["left_out"]) == (3, 1)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("plan", "What?", "--resume"), "go with --queries"),
        (("plan", "What?", "--limit", "3"), "go with --queries"),
        (("plan", "What?", "--queries", "out.jsonl"), "without it"),
        (("library", "search", "x", "--mode", "sparse"), "--mode"),
    ],
)
def test_what_can_not_be_meant(run: Any, filled: Path, arguments: tuple[str, ...], hint: str) -> None:
    assert hint in run(*arguments, code=2).stderr
