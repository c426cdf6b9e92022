"""`reasonflux library distill`: draft templates from worked problems."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import assemble, assemble_library, console, library_quality, settings
from reasonflux.commands.arguments import argument_text
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption, WeightsOption
from reasonflux.commands.library_options import DryRunOption, opened, path_of
from reasonflux.commands.options import ModelOption, NoCacheOption, NoToolsOption, SeedOption
from reasonflux.errors import ReasonFluxError

if TYPE_CHECKING:
    from library.store import Library
    from reasonflux.distill import Parts
    from reasonflux.distill_groups import Gathered, Group

app = typer.Typer()

DEFAULT_BUDGET = 200_000
DEFAULT_GROUP = 6


@app.command(
    epilog=console.examples(
        "reasonflux library distill --from worked.jsonl --limit 30",
        "reasonflux library distill --from worked.jsonl --dry-run",
        "reasonflux library distill --from worked.jsonl --out state.jsonl --resume --json",
    )
)
def distill(
    source: Annotated[Path, typer.Option("--from", help="Worked problems: JSONL or a JSON array.", show_default=False)],
    model: ModelOption = None,
    budget: Annotated[
        int, typer.Option("--budget", min=1, metavar="TOKENS", help="Completion tokens of all calls together.")
    ] = DEFAULT_BUDGET,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only the first records.")] = None,
    group_size: Annotated[
        int, typer.Option("--group-size", min=4, max=40, help="Most problems a template is made from and tried on.")
    ] = DEFAULT_GROUP,
    seed: SeedOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="File that holds what is done.", show_default="a file of its own in the home"),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is done already.")] = False,
    keep_ties: Annotated[
        bool, typer.Option("--keep-ties", help="Keep a template that solves as many problems as none does.")
    ] = False,
    field: Annotated[str, typer.Option("--field", help="Field of the drafts.")] = "general",
    topic: Annotated[str, typer.Option("--topic", help="Topic of the drafts.")] = "general",
    no_tools: NoToolsOption = False,
    no_cache: NoCacheOption = False,
    dry_run: DryRunOption = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Make draft templates from worked problems with a chat model.

    Similar problems are grouped. From one half of a group the model writes a template; one that lints badly, says
    what the library says already, or does not raise the number of problems solved in the other half, is rejected.
    `reasonflux library review` then lets a person accept, edit or reject each draft.
    """
    with console.reporting(debug=debug):
        choices = assemble.Choices(
            model=model,
            home=home,
            weights=weights,
            # A strategy without a library: what is solved here is solved in one step with a given template, or none.
            strategy="cot",
            seed=seed,
            tools=not no_tools,
            prompt_cache=not no_cache,
            quiet=as_json,
        )
        path = path_of(library, home)
        with opened(path) as store:
            work = _Work(store, choices, source, keep_ties=keep_ties, budget=budget)
            work.facts = {"field": argument_text(field), "topic": argument_text(topic)}
            gathered, groups, left = work.groups(limit, group_size)
            head: dict[str, Any] = {
                "library": str(path),
                "from": str(source),
                "dry_run": dry_run,
                "problems": len(gathered.worked),
                "skipped": dict(gathered.skipped),
                "groups": len(groups),
                "ungrouped": len(left),
            }
            if dry_run:
                _report_plan(head, groups, as_json=as_json)
                return
            console.note(_told_head(head))
            report = head | work.distil(gathered, groups, out, group_size=group_size, resume=resume)
        if as_json:
            console.write_json(report)
        else:
            for line in _told(report):
                console.write(console.clean(line))
        if report["stopped"] is not None:
            done = len(report["accepted"]) + len(report["rejections"])
            console.fail(f"{done} of {report['groups']} groups are done: {report['stopped']}")


class _Work:
    """One distillation: its input, its parts and its state file."""

    def __init__(
        self, store: "Library", choices: assemble.Choices, source: Path, *, keep_ties: bool, budget: int
    ) -> None:
        self._store = store
        self._choices = choices
        self._source = source
        self._keep_ties = keep_ties
        self._budget = budget
        self._resolved = assemble.resolve(choices)
        self._embedder = assemble_library.load_embedder(self._resolved.weights, quiet=choices.quiet)
        self.facts: dict[str, str] = {}

    def groups(self, limit: int | None, size: int) -> "tuple[Gathered, list[Group], list[Any]]":
        """Return the worked problems of the input, their groups, and what is in none."""
        from itertools import islice

        from library.embedding import embed_all
        from reasonflux.distill_groups import gather, grouped
        from reasonflux.grading import Grader
        from reasonflux.records import read_records

        self._store.require_embedder(self._embedder)
        with Grader() as grader:
            gathered = gather(islice(read_records(self._source), limit), grader)
        if not gathered.worked:
            told = ", ".join(f"{number} {reason}" for reason, number in sorted(gathered.skipped.items()))
            raise ReasonFluxError(
                f"{self._source} holds no worked problem ({told or 'it is empty'}); each record needs a problem, its "
                "solution and its answer."
            )
        texts = [worked.problem for worked in gathered.worked]
        with assemble_library.progress(f"Embedding {len(texts)} problems", quiet=self._choices.quiet):
            vectors = embed_all(self._embedder, texts)
        groups, left = grouped(gathered.worked, vectors, size=size, seed=self._resolved.settings.seed)
        return gathered, groups, left

    def distil(
        self, gathered: "Gathered", groups: "list[Group]", out: Path | None, *, group_size: int, resume: bool
    ) -> dict[str, Any]:
        """Work all groups and return the report.

        A budget that is spent ends the work early; the report says so.

        Raises:
            UsageError: the state file can't be continued.
            ReasonFluxError: the model could not answer; what was finished stands.
            LibraryError: the library can't be read or written; what was finished stands.
        """
        from reasonflux.batch_output import BatchOutput
        from reasonflux.distill import distil, summary
        from reasonflux.errors import BudgetExhausted

        with assemble.workbench(self._choices) as bench:
            config = self._config(bench, gathered, group_size)
            state = out or self._default_state(config)
            parts = self._parts(bench)
            done: list[dict[str, Any]] = []
            counted = {"accepted": 0, "rejected": 0}
            stopped: str | None = None

            def tell(document: dict[str, Any], number: int) -> None:
                console.note(console.clean(" ".join(_told_outcome(document, number, len(groups), counted).split())))

            with BatchOutput(state, config, resume=resume) as output, _resumable(state, done, len(groups)):
                if output.kept:
                    console.note(f"Going on with {state}.")
                try:
                    for document in distil(groups, parts, output, tell):
                        done.append(document)
                        counted[document["status"]] += 1
                except BudgetExhausted as error:
                    stopped = str(error)
        return summary(done) | {
            "state": str(state),
            "budget": self._budget,
            "budget_left": parts.budget.left,
            "finished": stopped is None,
            "stopped": stopped,
        }

    def _parts(self, bench: assemble.Workbench) -> "Parts":
        from reasonflux.distill import Parts
        from reasonflux.models.caller import Budget
        from reasonflux.prompts import prompt_version

        _, rules = library_quality.rules_of(self._resolved.home)
        return Parts(
            context=bench.context("distill"),
            grader=bench.grader,
            library=self._store,
            embedder=self._embedder,
            rules=rules,
            budget=Budget(self._budget),
            file=self._source.name,
            prompt_version=prompt_version(),
            facts=self.facts,
            keep_ties=self._keep_ties,
            who=assemble_library.user_name(),
        )

    def _config(self, bench: assemble.Workbench, gathered: "Gathered", group_size: int) -> dict[str, Any]:
        """Return everything that shapes an outcome: what a resumed run must agree with. The budget is none of it."""
        return bench.config() | {
            "problems": gathered.digest,
            "group_size": group_size,
            "keep_ties": self._keep_ties,
            "facts": self.facts,
            "library": {"path": str(self._store.path.absolute()), "embedder": self._embedder.fingerprint},
        }

    def _default_state(self, config: dict[str, Any]) -> Path:
        from library.template import content_hash

        digest = content_hash(config).partition(":")[2][:12]
        return settings.home_dir(self._choices.home) / "distill" / f"{self._source.stem[:60]}-{digest}.jsonl"


@contextmanager
def _resumable(state: Path, done: list[dict[str, Any]], groups: int) -> Iterator[None]:
    """Say, whatever ends the block early, how far it came and how to go on."""
    try:
        yield
    except BaseException:
        console.note(
            console.clean(f"{len(done)} of {groups} groups are done and kept in {state}; --resume goes on with them.")
        )
        raise


def _told_head(head: dict[str, Any]) -> str:
    skipped = ", ".join(f"{number} {reason}" for reason, number in sorted(head["skipped"].items()))
    return f"{head['problems']} worked problems in {head['groups']} groups, {head['ungrouped']} unlike the others" + (
        f"; passed over: {skipped}." if skipped else "."
    )


def _told_outcome(document: dict[str, Any], number: int, groups: int, counted: dict[str, int]) -> str:
    outcome = document["status"]
    if outcome == "rejected":
        outcome = f"rejected ({document['reason']})"
    name = f' "{document["template"]["name"]}"' if document["template"] else ""
    before = f"before it {counted['accepted']} accepted, {counted['rejected']} rejected"
    tokens = document["usage"].get("completion_tokens", 0)
    return f"Group {number} of {groups}: {outcome}{name}: {document['detail']} [{tokens} tokens; {before}]"


def _report_plan(head: dict[str, Any], groups: "list[Group]", *, as_json: bool) -> None:
    rows: list[dict[str, Any]] = [
        {
            "group": group.number,
            "made_from": [worked.id for worked in group.making],
            "tried_on": [worked.id for worked in group.trying],
        }
        for group in groups
    ]
    if as_json:
        console.write_json(head | {"plan": rows})
        return
    console.write(_told_head(head))
    for row in rows:
        ids = f"from {', '.join(row['made_from'])}; tried on {', '.join(row['tried_on'])}"
        console.write(console.clean(" ".join(f"Group {row['group']}: {ids}".split())))


def _told(report: dict[str, Any]) -> list[str]:
    lines = [f'Draft: "{row["name"]}" ({row["detail"]})' for row in report["accepted"]]
    lines += [
        f'Merge offer: "{offer["template"]["name"]}" into {offer["into"]} (group {offer["group"]})'
        for offer in report["merge_offers"]
    ]
    reasons = ", ".join(f"{number} {reason}" for reason, number in sorted(report["rejected"].items()))
    tokens = report["usage"]["completion_tokens"]
    lines.append(
        f"{report['groups']} groups: {len(report['accepted'])} accepted, {len(report['rejections'])} rejected"
        + (f" ({reasons})" if reasons else "")
        + f"; {tokens} completion tokens, kept in {report['state']}."
    )
    if report["accepted"]:
        lines.append("`reasonflux library review` shows the drafts one by one.")
    return [" ".join(line.split()) for line in lines]
