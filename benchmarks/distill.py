"""What distilled templates are worth: problems solved with a library that holds the drafts, and with one that does not.

Templates are distilled from the first records of a file into a copy of a library. Nothing is accepted there: the
drafts are made active in a second copy. Then both the library as it was and the second copy solve other records of
the file, with the same model, seed and settings. Usage:

    python benchmarks/distill.py --from worked.jsonl --work FOLDER [--records 30] [--test 20] [--model SPEC]

All that is finished stands in FOLDER: run the same command again to go on after an interruption. The last line on
stdout is one JSON document.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Distil, measure and print."""
    options = arguments()
    work: Path = options.work
    work.mkdir(parents=True, exist_ok=True)
    base, drafted, active = (work / f"{name}.db" for name in ("base", "drafted", "active"))
    if not base.exists():
        if options.library:
            call("library", "backup", str(base), "--library", options.library)
        else:
            call("library", "init", "--library", str(base))
    if not drafted.exists():
        call("library", "backup", str(drafted), "--library", str(base))
    distilled = distil(options, drafted)
    drafts = [draft["slug"] for draft in call("library", "review", "--json", "--library", str(drafted))["drafts"]]
    without = solve(options, base, work / "without.jsonl")
    with_drafts = None
    if drafts:
        if not active.exists():
            call("library", "backup", str(active), "--library", str(drafted))
            call("library", "review", "--all", "--json", "--library", str(active))
        with_drafts = solve(options, active, work / "with.jsonl")
    result = {
        "distilled": distilled,
        "drafts": drafts,
        "without": without,
        "with": with_drafts,
        "runs_that_used_a_draft": used(work / "with.jsonl", drafts) if drafts else 0,
    }
    sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")


def arguments() -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="source", type=Path, required=True, help="worked problems, JSONL")
    parser.add_argument("--work", type=Path, required=True, help="folder of libraries and results")
    parser.add_argument("--records", type=int, default=30, help="records to distil from, the first of the file")
    parser.add_argument("--test", type=int, default=20, help="records to solve, those that follow")
    parser.add_argument("--library", help="library to begin with (default: the seed content)")
    parser.add_argument("--model", help="model spec (default: the default model)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--group-size", type=int, default=6)
    parser.add_argument("--parallel", type=int, default=1, help="records solved at a time")
    parser.add_argument("--budget", type=int, default=200_000, help="completion tokens of the distillation")
    parser.add_argument("--keep-ties", action="store_true", help="keep templates that raise nothing")
    parser.add_argument("--no-prompt-cache", action="store_true", help="read every prompt anew: equal repeats")
    return parser.parse_args()


def distil(options: argparse.Namespace, library: Path) -> dict[str, Any]:
    """Distil into a library, going on with what is done, and return the numbers of the report."""
    state = options.work / "state.jsonl"
    flags = ["--keep-ties"] if options.keep_ties else []
    report = call(
        "library", "distill", "--from", str(options.source), "--limit", str(options.records),
        "--group-size", str(options.group_size), "--budget", str(options.budget), "--out", str(state),
        "--library", str(library), "--json", *flags, *common(options), *resuming(state),
    )  # fmt: skip
    wanted = ("problems", "skipped", "groups", "ungrouped", "rejected", "usage", "finished", "stopped")
    trials = [row["detail"] for row in (*report["accepted"], *report["rejections"])]
    offers = len(report["merge_offers"])
    return {"accepted": len(report["accepted"]), **{key: report[key] for key in wanted}} | {
        "merge_offers": offers,
        "details": trials,
    }


def solve(options: argparse.Namespace, library: Path, out: Path) -> dict[str, Any]:
    """Solve the records for testing with a library and return the numbers of the summary."""
    summary = call(
        "solve", "--file", str(options.source), "--skip", str(options.records), "--limit", str(options.test),
        "--library", str(library), "--out", str(out), "--parallel", str(options.parallel), "--json",
        *common(options), *resuming(out),
    )  # fmt: skip
    wanted = ("n", "graded", "correct", "accuracy", "failed", "mean_completion_tokens", "mean_seconds")
    return {key: summary[key] for key in wanted}


def used(out: Path, slugs: list[str]) -> int:
    """Return in how many runs a step was given one of these templates."""
    lines = out.read_text(encoding="utf-8").splitlines()
    runs = [json.loads(line) for line in lines]
    return sum(any(step.get("template") in slugs for step in run.get("trajectory") or ()) for run in runs)


def common(options: argparse.Namespace) -> list[str]:
    """Return what every command that calls the model is told."""
    told = ["--seed", str(options.seed)]
    told += ["--model", options.model] if options.model else []
    return told + (["--no-prompt-cache"] if options.no_prompt_cache else [])


def resuming(path: Path) -> list[str]:
    """Return the option that goes on with a file, where it has begun."""
    return ["--resume"] if path.exists() else []


def call(*command: str) -> dict[str, Any]:
    """Run a command of ours and return the document it prints; its progress goes to stderr.

    Raises:
        SystemExit: it failed without a document.
    """
    arguments = list(command) if "--json" in command else [*command, "--json"]
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *arguments], stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    # A spent budget fails with its report, which counts all the same.
    if not done.stdout.strip():
        raise SystemExit(done.returncode or 1)
    return dict(json.loads(done.stdout))


if __name__ == "__main__":
    main()
