"""`reasonflux library eval`: how well search finds the template that a problem needs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reasonflux.commands import assemble_library, console, settings
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption, WeightsOption
from reasonflux.commands.library_options import opened, path_of

if TYPE_CHECKING:
    from library.evaluation import Evaluation

app = typer.Typer()


@app.command(
    "eval",
    epilog=console.examples(
        "reasonflux library eval",
        "reasonflux plan --queries queries.jsonl && reasonflux library eval --queries queries.jsonl --json",
    ),
)
def evaluate(
    queries: Annotated[
        Path | None,
        typer.Option(
            "--queries", metavar="FILE", help="Use a planner's queries, from `reasonflux plan --queries FILE`."
        ),
    ] = None,
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Measure how well search finds: each probe problem, never indexed, looks for its own template.

    MRR is the mean of 1 / place, recall@k the part of the problems whose template is among the first k. A planner's
    queries count by plan: the best place that one of its steps gives the wanted template.
    """
    with console.reporting(debug=debug):
        from library import evaluation

        path = path_of(library, home)
        with opened(path) as store:
            wanted, left_out = evaluation.probes(store), 0
            if queries is not None:
                wanted, left_out = evaluation.read_queries(queries, store)
            embedder = assemble_library.load_embedder(settings.weights_dir(weights), quiet=as_json)
            with assemble_library.progress("Searching", quiet=as_json) as advance:
                found = evaluation.evaluate(store, embedder, wanted, progress=advance)
        if left_out:
            console.note(f"{left_out} plans of {queries} want no active template of {path}; they are left out.")
        if as_json:
            fields = {field: found.of_field(field).document() for field in _fields(found)}
            document = {"library": str(path), "queries": None if queries is None else str(queries), "fields": fields}
            console.write_json({**document, "left_out": left_out, **found.document()})
            return
        for line in _table(found):
            console.write(console.clean(line))


def _fields(found: "Evaluation") -> list[str]:
    return sorted({query.field for query in found.queries})


def _table(found: "Evaluation") -> list[str]:
    from library.evaluation import RECALL_AT

    names = _fields(found)
    width = max(len(name) for name in [*names, "all fields"])
    lines = [f"{'':<{width}}     n  mode      MRR  recall@1  recall@5  recall@10"]
    for name in ["all fields", *names]:
        part = found if name == "all fields" else found.of_field(name)
        for number, (mode, quality) in enumerate(part.modes.items()):
            title = f"{name:<{width}}  {part.n:>4}" if number == 0 else " " * (width + 6)
            recalls = "     ".join(f"{quality.recall(k):.3f}" for k in RECALL_AT)
            measures = f"{quality.mrr:.3f}     {recalls}"
            lines.append(f"{title}  {mode:<6}  {measures}")
    return lines
