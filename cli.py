"""The front door: one Typer app that mounts the command groups, and nothing else."""

import typer

from reasonflux.commands import console, library, models, runs
from reasonflux.commands.arguments import MathCommand
from reasonflux.commands.doctor import doctor
from reasonflux.commands.grade import grade
from reasonflux.commands.plan import plan
from reasonflux.commands.solve import solve

# Plain help and errors: they hold text of the user's, which rich would read as markup.
app = typer.Typer(
    name="reasonflux",
    help="Solve mathematics problems with plans made of thought templates.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("solve", cls=MathCommand)(solve)
app.command("plan", cls=MathCommand)(plan)
app.command("grade")(grade)
app.command("doctor")(doctor)
for name, group in {"library": library.app, "models": models.app, "runs": runs.app}.items():
    group.rich_markup_mode = None
    app.add_typer(group, name=name)


def main() -> None:
    """Run the command line."""
    console.safe_streams()
    app()


if __name__ == "__main__":
    main()
