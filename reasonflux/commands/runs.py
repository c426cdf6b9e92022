"""`reasonflux runs`: the runs that were recorded, and one of them as it was seen."""

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reasonflux.commands import console, settings

if TYPE_CHECKING:
    from reasonflux.runs import RunStore

app = typer.Typer(
    help="Recorded runs.",
    no_args_is_help=True,
    epilog=console.examples("reasonflux runs list", "reasonflux runs show 20260102-030405"),
)

_PROBLEM_CHARACTERS = 60


@app.command("list", epilog=console.examples("reasonflux runs list --limit 5", "reasonflux runs list --json"))
def list_runs(
    limit: Annotated[int, typer.Option("--limit", min=1, help="Show at most this many, the newest first.")] = 20,
    home: console.HomeOption = None,
    json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """List the newest runs."""
    with console.reporting(debug=debug):
        store = _store(home)
        found = store.recent(limit)
        if json:
            console.write_json([dataclasses.asdict(run) for run in found])
            return
        if not found:
            console.note(f"There are no runs in {store.folder} yet.")
        for run in found:
            what = run.note if run.status == "unreadable" else _shortened(run.problem or "")
            answer = f" = {_shortened(run.answer)}" if run.answer is not None else ""
            console.write(console.clean(f"{run.run_id}  {run.status:<11}  {run.strategy or '-':<10}  {what}{answer}"))


@app.command(
    "show",
    epilog=console.examples("reasonflux runs show 20260102-030405", "reasonflux runs show 20260102-030405 --json"),
)
def show_run(
    run_id: Annotated[str, typer.Argument(metavar="ID", help="A run's id, or how it begins.")],
    home: console.HomeOption = None,
    json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Show a run as it was seen when it ran."""
    with console.reporting(debug=debug):
        from reasonflux.commands import live
        from reasonflux.commands.solve import introduce

        run = _store(home).load(run_id)
        if json:
            console.write_json(
                {
                    "run": run.header.model_dump(mode="json"),
                    "status": run.status,
                    "events": [event.model_dump(mode="json") for event in run.events],
                    "unread": list(run.problems),
                }
            )
            return
        with live.view_on(sys.stdout, moving=False) as view:
            introduce(view, run.header)
            for event in run.events:
                view.show(event)
            if run.solution is None:
                view.say("bold yellow", "This run is going on." if run.going_on else "This run was interrupted.")
            else:
                for style, text in live.ending(run.solution):
                    view.say(style, text)
            view.say("", f"Trace: {run.path}")
        for problem in run.problems:
            console.note(f"{run.path.name}: {problem}.")


def _store(home: Path | None) -> "RunStore":
    from reasonflux.runs import RunStore

    return RunStore(settings.home_dir(home))


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _PROBLEM_CHARACTERS else line[: _PROBLEM_CHARACTERS - 3] + "..."
