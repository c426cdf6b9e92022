"""`reasonflux train`: one file a command, and the options they share."""

import typer

from reasonflux.commands import console
from training.commands import dpo, evaluate, pairs, pipeline, problems, reward, sft, structure, trajectories

app = typer.Typer(
    name="train",
    help="Train a planner: on the library's structure, on trajectories, and on preferences.",
    no_args_is_help=True,
    epilog=console.examples(
        "reasonflux train pipeline --recipe laptop --out runs/laptop",
        "reasonflux train structure --model smollm2-135m --out runs/structure",
        "reasonflux train sft --rows rows.jsonl --mix structure --model hf:runs/structure/model --out runs/sft",
        "reasonflux train dpo --pairs pairs.jsonl --model hf:runs/sft/model --out runs/dpo",
    ),
)
app.command("pipeline", epilog=pipeline.EPILOG)(pipeline.pipeline)
app.command("problems", epilog=problems.EPILOG)(problems.problems)
app.command("structure", epilog=structure.EPILOG)(structure.structure)
app.command("trajectories", epilog=trajectories.EPILOG)(trajectories.trajectories)
app.command("sft", epilog=sft.EPILOG)(sft.sft)
app.command("reward", epilog=reward.EPILOG)(reward.reward)
app.command("pairs", epilog=pairs.EPILOG)(pairs.pairs)
app.command("dpo", epilog=dpo.EPILOG)(dpo.dpo)
app.command("eval", epilog=evaluate.EPILOG)(evaluate.evaluate)
