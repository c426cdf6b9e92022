"""`reasonflux train reward`: how well each trajectory does on problems like the one it was planned for."""

from pathlib import Path
from typing import Annotated, Any

import typer

from reasonflux.commands import console
from training.commands import options as shared
from training.commands import rollouts as rolling

EPILOG = console.examples(
    "reasonflux train reward --trajectories trajectories.jsonl --out rewards.jsonl",
    "reasonflux train reward --trajectories trajectories.jsonl --out rewards.jsonl --follow-mode single -k 6",
    "reasonflux train reward --trajectories t.jsonl --out r.jsonl --similar both --problems train.jsonl",
    "reasonflux train reward --trajectories t.jsonl --out r.jsonl --model openai:qwen@http://a:8000/v1 "
    "--model openai:qwen@http://b:8000/v1 --parallel 32",
)


def reward(
    trajectories: Annotated[
        Path, typer.Option("--trajectories", metavar="FILE", help="What `train trajectories` wrote.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="File for the rewards, a problem a line.")],
    models: rolling.ModelsOption = None,
    similar: Annotated[
        str | None,
        typer.Option(
            "--similar",
            help="Where similar problems come from: problems, generators or both.",
            show_default="generators",
        ),
    ] = None,
    problems: Annotated[
        Path | None, typer.Option("--problems", metavar="FILE", help="Problems with answers to choose similar ones of.")
    ] = None,
    k: Annotated[int | None, typer.Option("-k", help="Similar problems a problem.", show_default="4")] = None,
    difficulty: Annotated[
        int | None, typer.Option("--difficulty", help="Of the problems drawn: 1, 2 or 3.", show_default="2")
    ] = None,
    follow_mode: rolling.FollowOption = None,
    seed: rolling.SeedOption = None,
    store: rolling.StoreOption = None,
    resume: rolling.ResumeOption = False,
    retry_unknown: rolling.RetryOption = False,
    engine: rolling.EngineOption = rolling.EngineChoice.local,
    parallel: rolling.ParallelOption = 1,
    workers: rolling.WorkersOption = 1,
    ray_address: rolling.AddressOption = None,
    gpus: rolling.GpusOption = 0.0,
    more: shared.SetOption = None,
    library: console.LibraryOption = None,
    home: console.HomeOption = None,
    weights: console.WeightsOption = None,
    quiet: shared.QuietOption = False,
    as_json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Follow every trajectory on the problems most similar to its own, and tell how many it got right.

    Each outcome is stored at once, so that a run that was ended goes on where it was, and one with other settings
    uses what still holds. What is not known (out of time, not gradable, a lost worker) is never counted as wrong.
    """
    with console.reporting(debug=debug):
        from reasonflux.commands.assemble_library import open_templates
        from reasonflux.errors import UsageError
        from reasonflux.grading import Grader
        from training.reward import reward_lines, scorings, summary
        from training.rollout_settings import RewardSettings
        from training.rollouts import Marker, run_rollouts
        from training.trajectories import read_trajectories
        from training.writing import write_lines

        out = out.expanduser().absolute()
        given = {"similar": similar, "k": k, "difficulty": difficulty, "follow_mode": follow_mode, "seed": seed}
        settings, _ = shared.settings_from(RewardSettings, given=given, more=more, held_out=None)
        settings = rolling.fitted(settings)
        if out.exists() and not resume:
            raise UsageError(f"{out} exists; add --resume to write it anew, or give another file.")
        where = shared.places(home, weights, library, quiet=quiet)
        lines = read_trajectories(trajectories)
        with (
            open_templates(where.library, home=where.home, weights=where.weights, quiet=quiet) as source,
            Grader() as grader,
            rolling.store_beside(out, store) as outcomes,
        ):
            marker = Marker(grader)
            if problems is not None and settings.similar == "generators":
                raise UsageError("--problems goes with --similar problems or --similar both.")
            plans = scorings(lines, rolling.similar_problems(settings, problems, source, marker, where))
            wanted = [rollout for plan in plans for rollout in plan.rollouts(source)]
            if not wanted:
                raise UsageError(f"There is nothing to follow: {trajectories} holds no valid trajectory.")
            with (
                rolling.engine(
                    models, settings, where, kind=engine, parallel=parallel, workers=workers, address=ray_address,
                    gpus=gpus,
                ) as running,
                shared.shown("Following trajectories", where) as told,
            ):  # fmt: skip
                found = run_rollouts(
                    wanted, running, settings, outcomes, marker, retry_unknown=retry_unknown, progress=told["progress"]
                )
        rewards = reward_lines(plans, found)
        write_lines(out, [line.document() for line in rewards])
        document = summary(rewards) | {"out": str(out), "store": str(outcomes.path)}
        _tell(document, as_json=as_json)


def _tell(document: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        console.write_json(document)
        return
    mean = "none is known" if document["mean_reward"] is None else f"{document['mean_reward']:.3f}"
    console.write(
        f"{document['trajectories']} trajectories of {document['problems']} problems; mean reward: {mean}; "
        f"{document['problems_that_differ']} problems have trajectories of different reward."
    )
    unknown = ", ".join(f"{count} {cause}" for cause, count in document["unknown"].items())
    console.write(f"Outcomes: {document['right']} right, {document['wrong']} wrong, not known: {unknown or 'none'}.")
    console.write(console.clean(f"Rewards: {document['out']}"))
