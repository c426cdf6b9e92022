"""`reasonflux models`: which weights are known, which are here, fetch them, delete them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import console, settings
from reasonflux.commands.console import DebugOption, JsonOption, WeightsOption
from reasonflux.commands.weights_view import ensure_weights, showing

if TYPE_CHECKING:
    from reasonflux.models.catalogue import CatalogueEntry

__all__ = ["app", "ensure_weights"]

app = typer.Typer(
    name="models",
    help="Fetch, check and delete model weights.",
    no_args_is_help=True,
    epilog=console.examples("reasonflux models list", "reasonflux models pull qwen2.5-coder-1.5b"),
)

NameArgument = Annotated[str, typer.Argument(help="A name that `reasonflux models list` shows.")]


@app.command("list", epilog=console.examples("reasonflux models list", "reasonflux models list --json"))
def list_models(as_json: JsonOption = False, weights: WeightsOption = None, debug: DebugOption = False) -> None:
    """List the models that can be fetched and whether they are here."""
    with console.reporting(debug=debug):
        from rich.filesize import decimal

        from reasonflux.models.weights import catalogue, is_present

        folder = settings.weights_dir(weights)
        entries = list(catalogue().values())
        if as_json:
            console.write_json({"weights": str(folder), "models": [_summary(entry, folder) for entry in entries]})
            return
        width = max(len(entry.name) for entry in entries)
        for entry in entries:
            state = "here" if is_present(entry.name, folder) else "-"
            console.write(
                f"{entry.name:<{width}}  {state:<4}  {decimal(entry.size):>8}  {entry.licence}  {entry.purpose}"
            )
        console.note(f"Weights folder: {folder}")


@app.command(
    epilog=console.examples(
        "reasonflux models pull qwen2.5-coder-1.5b all-minilm-l6-v2",
        "reasonflux models pull smollm2-135m --weights /mnt/weights --json",
    )
)
def pull(
    names: Annotated[list[str], typer.Argument(help="Names that `reasonflux models list` shows.")],
    as_json: JsonOption = False,
    weights: WeightsOption = None,
    debug: DebugOption = False,
) -> None:
    """Fetch models, or check those that are here and mend what is damaged.

    A pull that was interrupted goes on where it stopped when the same command is run again.
    """
    with console.reporting(debug=debug):
        from rich.filesize import decimal

        from reasonflux.models.weights import find_entry, is_present
        from reasonflux.models.weights import pull as fetch

        folder = settings.weights_dir(weights)
        documents = []
        for entry in [find_entry(name) for name in dict.fromkeys(names)]:
            was_here = is_present(entry.name, folder)
            doing = "Checking" if was_here else "Fetching"
            console.note(f"{doing} {entry.name} ({decimal(entry.size)}, {entry.licence}) in {folder}.")
            with showing(entry.name) as progress:
                path = fetch(entry.name, folder, progress=progress, check=was_here)
            documents.append({"name": entry.name, "path": str(path), "size": entry.size, "already_here": was_here})
            if not as_json:
                console.write(str(path))
        if as_json:
            console.write_json({"weights": str(folder), "models": documents})


@app.command(
    epilog=console.examples("reasonflux models show qwen2.5-coder-1.5b", "reasonflux models show smollm2-135m --json")
)
def show(
    name: NameArgument, as_json: JsonOption = False, weights: WeightsOption = None, debug: DebugOption = False
) -> None:
    """Show a model's source, licence and files, and verify the hash of every file that is here."""
    with console.reporting(debug=debug):
        from rich.filesize import decimal

        from reasonflux.models.weights import find_entry, verify

        folder = settings.weights_dir(weights)
        entry = find_entry(name)
        document = _summary(entry, folder)
        exists = Path(document["path"]).exists()
        problems = verify(name, folder) if exists else []
        document["intact"] = not problems if exists else None
        document["problems"] = problems
        document["files"] = [{"path": file.path, "size": file.size, "sha256": file.sha256} for file in entry.file]
        if as_json:
            console.write_json(document)
            return
        state = "not here" if not exists else "damaged" if problems else "here, every hash verified"
        mirror = document["source"]["mirror"]
        rows = {
            "name": entry.name,
            "purpose": entry.purpose,
            "state": state,
            "path": document["path"],
            "size": f"{decimal(entry.size)} ({entry.size} bytes)",
            "licence": entry.licence,
            "source": f"{entry.repo} at {entry.revision}",
            "mirror": ", ".join(mirror) if mirror else "none",
            "sha256": entry.sha256,
        }
        for key, value in rows.items():
            console.write(f"{key:<8} {value}")
        for problem in problems:
            console.write(f"problem  {problem}")
        if problems or not exists:
            console.note(f"Run `reasonflux models pull {entry.name}`.")


@app.command(epilog=console.examples("reasonflux models rm smollm2-135m", "reasonflux models rm smollm2-135m --json"))
def rm(
    name: NameArgument, as_json: JsonOption = False, weights: WeightsOption = None, debug: DebugOption = False
) -> None:
    """Delete a model's files, and what an interrupted pull left behind."""
    with console.reporting(debug=debug):
        from rich.filesize import decimal

        from reasonflux.models.weights import remove

        folder = settings.weights_dir(weights)
        freed = remove(name, folder)
        if as_json:
            console.write_json({"name": name, "weights": str(folder), "removed": freed > 0, "freed": freed})
        elif freed:
            console.write(f"Removed {name} from {folder}, {decimal(freed)} freed.")
        else:
            console.write(f"{name} is not in {folder}; nothing to remove.")


def _summary(entry: "CatalogueEntry", folder: Path) -> dict[str, Any]:
    from reasonflux.models.weights import is_present, weights_path

    packages = dict.fromkeys(part.package for file in entry.file for part in file.parts)
    return {
        "name": entry.name,
        "kind": entry.kind,
        "purpose": entry.purpose,
        "size": entry.size,
        "licence": entry.licence,
        "sha256": entry.sha256,
        "source": {
            "repo": entry.repo,
            "revision": entry.revision,
            "mirror": [f"{package}=={entry.mirror_version}" for package in packages],
        },
        "present": is_present(entry.name, folder),
        "path": str(weights_path(entry.name, folder)),
    }
