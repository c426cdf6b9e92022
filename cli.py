"""The front door: one Typer app that mounts the command groups, and nothing else."""

import typer

from reasonflux.commands import console, doctor, grade, library, models, plan, runs, solve
from reasonflux.commands.arguments import MathCommand
from training import commands as train

# Plain help and errors: they hold text of the user's, which rich would read as markup.
app = typer.Typer(
    name="reasonflux",
    epilog=console.examples("reasonflux doctor", 'reasonflux solve "Find the remainder when 7^100 is divided by 13."'),
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("solve", cls=MathCommand, epilog=solve.EPILOG)(solve.solve)
app.command("plan", cls=MathCommand, epilog=plan.EPILOG)(plan.plan)
app.command("grade", epilog=grade.EPILOG)(grade.grade)
app.command("doctor", epilog=doctor.EPILOG)(doctor.doctor)
for name, group in {"library": library.app, "train": train.app, "models": models.app, "runs": runs.app}.items():
    group.rich_markup_mode = None
    app.add_typer(group, name=name)


@app.callback()
def options(version: console.VersionOption = False) -> None:
    """Solve mathematics problems with plans made of thought templates."""


def main() -> None:
    """Run the command line."""
    console.start(app)


if __name__ == "__main__":
    main()
