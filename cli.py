"""The front door: one Typer app that mounts the command groups, and nothing else."""

import typer

app = typer.Typer(name="reasonflux", no_args_is_help=True)


def main() -> None:
    """Run the command line."""
    app()
