"""The options of every command that trains, and what is done with them around the training itself."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from reasonflux.commands import console, settings
from reasonflux.errors import UsageError

if TYPE_CHECKING:
    from library.template import Template
    from reasonflux.config import Settings
    from training.records import Placed, SftRow
    from training.settings import TrainSettings
    from training.starting import Start

    Kind = TypeVar("Kind", bound=Settings)


class MethodChoice(StrEnum):
    """What is trained."""

    lora = "lora"
    qlora = "qlora"
    full = "full"


class ReporterChoice(StrEnum):
    """Where curves are sent besides the job's folder."""

    none = "none"
    tensorboard = "tensorboard"
    trackio = "trackio"


ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="SPEC",
        help="The model to train: hf:FOLDER, a name of the Hub or of `reasonflux models list`, or a GGUF file.",
    ),
]
AdapterOption = Annotated[
    Path | None,
    typer.Option("--adapter", metavar="FOLDER", help="A LoRA adapter of that model, merged in before training."),
]
OutOption = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="The job's folder: checkpoints and results.")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with an unfinished job in that folder.")]
MethodOption = Annotated[
    MethodChoice | None, typer.Option("--method", help="Train an adapter, or all weights.", show_default="lora")
]
EpochsOption = Annotated[float | None, typer.Option("--epochs", help="Times every row is learned.")]
RateOption = Annotated[float | None, typer.Option("--learning-rate", help="Highest learning rate.")]
BatchOption = Annotated[int | None, typer.Option("--batch-size", help="Rows a step and device.")]
LengthOption = Annotated[int | None, typer.Option("--max-length", help="Tokens a row may have.")]
HeldOutOption = Annotated[
    str | None,
    typer.Option("--held-out", metavar="SHARE|FILE", help="Share of the rows held out, or a file of such rows."),
]
SeedOption = Annotated[int | None, typer.Option("--seed", envvar="REASONFLUX_SEED", help="Seed of split and training.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Any other setting, as docs/training.md lists them; repeatable."),
]
TemplateOption = Annotated[
    Path | None,
    typer.Option("--chat-template", metavar="FILE", help="A Jinja chat template, where the model's won't do."),
]
PadOption = Annotated[str | None, typer.Option("--pad-token", help="The token to pad with, where the model has none.")]
ReportOption = Annotated[
    ReporterChoice | None, typer.Option("--report-to", help="Send curves there too.", show_default="none")
]
PushOption = Annotated[
    str | None,
    typer.Option("--push-to-hub", metavar="OWNER/NAME", help="Upload the result to a private model repository."),
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Show the result only.")]


@dataclass(frozen=True)
class Where:
    """The places a command works in."""

    home: Path
    weights: Path
    library: str | None
    quiet: bool


def places(home: Path | None, weights: Path | None, library: str | None, *, quiet: bool) -> Where:
    """Return the places that flags, environment and defaults name."""
    return Where(settings.home_dir(home), settings.weights_dir(weights), library, quiet)


def settings_from(
    kind: "type[Kind]",
    *,
    given: "dict[str, Any]",
    more: Sequence[str] | None,
    held_out: str | None,
) -> "tuple[Kind, Path | None]":
    """Return the settings of a job, and the file of held-out rows where one was given in place of a share.

    Args:
        kind: the settings' model.
        given: values of flags under the settings' names, None where the flag was not given.
        more: texts `NAME=VALUE`, where a value is JSON or else text.
        held_out: a share or a file.

    Raises:
        ConfigError: a name is unknown or a value can't be used.
        UsageError: a text is no `NAME=VALUE`, or a setting is given twice.
    """
    from training.settings import settings_of

    values = {name: value.value if isinstance(value, StrEnum) else value for name, value in given.items()}
    values = {name: value for name, value in values.items() if value is not None}
    for text in more or []:
        name, separator, value = text.partition("=")
        if not separator:
            raise UsageError(f"--set {text!r} is no NAME=VALUE, for example --set lora_rank=8.")
        name = name.strip().replace("-", "_")
        if name in values:
            raise UsageError(f"The setting {name} is given twice.")
        values[name] = _value(value.strip())
    file: Path | None = None
    if held_out is not None:
        if "held_out" in values:
            raise UsageError("The setting held_out is given twice.")
        try:
            values["held_out"] = float(held_out)
        except ValueError:
            file = Path(held_out).expanduser()
    return settings_of(kind, values), file


def found_start(model: str, adapter: Path | None, where: Where, method: str) -> "Start":
    """Return the model a job starts from, fetching weights of the catalogue that are not here.

    Raises:
        UsageError: there is no such model or adapter, or the method can't be used here.
        WeightsError: the weights can't be fetched.
        ModelUnavailable: the Hub can't be reached, or lacks the model.
    """
    from reasonflux.commands.weights_view import ensure_weights
    from reasonflux.models.catalogue import catalogue
    from training.starting import find_start

    base = model.removeprefix("hf:").removeprefix("llamacpp:").partition("+")[0]
    entry = catalogue().get(base)
    if entry is not None and entry.kind == "chat":
        ensure_weights([base], where.weights, quiet=where.quiet)
    return find_start(model, adapter, where.weights, method=method)


def active_templates(where: Where) -> "list[Template]":
    """Return the active templates of the library; the default one is made where it is missing.

    Raises:
        LibraryError: the library is missing or can't be opened.
        WeightsError: the default library can't be made, since the embedder can't be fetched.
    """
    from library.store import Library
    from reasonflux.commands.assemble_library import create_library

    path = settings.library_path(where.library, where.home)
    if path == settings.library_path(None, where.home) and not path.exists():
        create_library(path, where.weights, seed="maths", quiet=where.quiet)
    with Library.open(path) as store:
        return [stored.template for stored in store.list(status="active")]


def combined(files: Sequence[Path]) -> "list[Placed[SftRow]]":
    """Return the rows of several files.

    Raises:
        RecordError: a file can't be read, or a row stands in two of them.
    """
    from reasonflux.errors import RecordError
    from training.records import SftRow, read_rows

    first: dict[str, str] = {}
    rows = []
    for file in files:
        for placed in read_rows(file, SftRow):
            if placed.row.id in first:
                raise RecordError(f"The row {placed.where} stands at {first[placed.row.id]} too; remove one of them.")
            first[placed.row.id] = placed.where
            rows.append(placed)
    return rows


@contextmanager
def shown(doing: str, where: Where) -> "Iterator[dict[str, Any]]":
    """Yield what a job tells its progress and its messages to: stderr, with a bar on a terminal."""
    from reasonflux.commands.assemble_library import progress
    from training.run_folder import is_main_process

    # Of processes that train together one speaks.
    silent = where.quiet or not is_main_process()

    def message(text: str) -> None:
        if not silent:
            console.note(console.clean(text))

    with progress(doing, quiet=silent) as report:
        yield {"progress": report, "message": message}


@contextmanager
def published(repository: str | None) -> "Iterator[Callable[[dict[str, Any]], None]]":
    """Yield what uploads a result, which does nothing without a repository; the repository is made at once.

    Raises:
        UsageError: the repository's name is none.
        PublishError: the Hub can't be reached or refuses.
    """
    if repository is None:
        yield lambda result: None
        return
    from training.publishing import prepare_repository, upload
    from training.run_folder import is_main_process

    if is_main_process():
        prepare_repository(repository)

    def publish(result: dict[str, Any]) -> None:
        if not is_main_process():
            return
        address = upload(Path(result["model"] or result["adapter"]), repository)
        console.note(f"Uploaded to {address}.")

    yield publish


def run_job(
    train_on: "Callable[..., dict[str, Any]]",
    start: "Start",
    train: "Sequence[Placed[Any]]",
    held_out: "Sequence[Placed[Any]]",
    chosen: "TrainSettings",
    out: Path,
    where: Where,
    *,
    resume: bool,
    chat_template: Path | None,
    pad_token: str | None,
    repository: str | None,
    as_json: bool,
) -> None:
    """Run a job with `train_sft` or `train_dpo` and tell its result; arguments and errors are theirs."""
    with published(repository) as publish, shown("Training", where) as told:
        result = train_on(
            start,
            train,
            held_out,
            chosen,
            out.expanduser().absolute(),
            resume=resume,
            chat_template=chat_template,
            pad_token=pad_token,
            **told,
        )
        publish(result)
    tell(result, out, as_json=as_json)


def tell(result: dict[str, Any], out: Path, *, as_json: bool) -> None:
    """Print a job's result: all but the curve, which stands in the job's folder."""
    from training.run_folder import is_main_process

    if not is_main_process():
        return
    document = {name: value for name, value in result.items() if name != "history"} | {"out": str(out)}
    if as_json:
        console.write_json(document)
        return
    console.write(f"{result['steps']} steps; the weights are those of step {result['best_step']}.")
    if result["loss_before"] is not None:
        console.write(f"Held-out loss: {result['loss_before']:.4f} before, {result['loss_after']:.4f} after.")
    if result.get("heldout_accuracy") is not None:
        interval = result["heldout_interval"]
        range_ = f" ({interval[0]:.3f} to {interval[1]:.3f})" if interval else ""
        console.write(f"Held-out pairs told apart: {result['heldout_accuracy']:.3f}{range_}.")
    for name in ("adapter", "model"):
        if result[name] is not None:
            console.write(console.clean(f"{name.capitalize()}: {result[name]}"))


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
