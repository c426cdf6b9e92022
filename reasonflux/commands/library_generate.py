"""`reasonflux library generate`: fresh problems of a template's kind, with exact answers."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import assemble_library, console
from reasonflux.commands.arguments import MathCommand, argument_text
from reasonflux.commands.console import DebugOption, JsonOption
from reasonflux.errors import ReasonFluxError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from library.generating import Draw, Generator

app = typer.Typer()


@app.command(
    cls=MathCommand,
    epilog=console.examples(
        "reasonflux library generate --list",
        "reasonflux library generate --template reduce-a-power-modulo-n-with-a-cycle-of-residues -n 5 --seed 7",
        "reasonflux library generate -n 4 --difficulty 1 --out problems.jsonl",
    ),
)
def generate(
    template: Annotated[
        list[str] | None,
        typer.Option(
            "--template", metavar="SLUG", help="Draw problems of this template's kind; repeatable.", show_default="all"
        ),
    ] = None,
    number: Annotated[int, typer.Option("-n", "--number", min=1, max=10_000, help="Problems a template.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="Seed: the same one draws the same problems.")] = 0,
    difficulty: Annotated[int, typer.Option("--difficulty", min=1, max=3, help="1 easy, 2 usual, 3 of a contest.")] = 2,
    verify: Annotated[
        bool, typer.Option("--verify/--no-verify", help="Derive every answer by another way, in the sandbox.")
    ] = True,
    out: Annotated[
        Path | None, typer.Option("--out", help="File for the problems, one JSON object a line.", show_default="stdout")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --out.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the templates that problems can be drawn for.")] = False,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Draw fresh problems of templates of the seed library, as records that `solve --file` reads.

    The problems are a function of template, difficulty and seed. An answer that the check does not confirm is an
    error, and nothing is written.
    """
    with console.reporting(debug=debug):
        from library.generating import seed_generators

        known = seed_generators()
        if listing:
            _list(known, as_json=as_json)
            return
        wanted = _chosen(known, [argument_text(slug) for slug in template or []])
        if out is not None and out.exists() and not force:
            raise UsageError(f"{out} is there already; give another name, or --force to replace it.")
        drawn = {generator: list(generator.draws(number, seed=seed, difficulty=difficulty)) for generator in wanted}
        if verify:
            _require_confirmed(drawn, quiet=as_json)
        records = [
            record
            for generator, draws in drawn.items()
            for record in _records(generator, draws, seed=seed, difficulty=difficulty)
        ]
        if as_json and out is None:
            console.write_json({"problems": records})
            return
        lines = [json.dumps(record, ensure_ascii=False) for record in records]
        if out is None:
            for line in lines:
                console.write(line)
            return
        _write(out, lines)
        if as_json:
            console.write_json({"out": str(out), "problems": len(records), "templates": len(wanted)})
        else:
            console.write(f"Wrote {len(records)} problems of {len(wanted)} templates to {out}.")


def _chosen(known: "Mapping[str, Generator]", slugs: "Sequence[str]") -> "list[Generator]":
    import difflib

    from library.template import slug_of

    found: dict[str, Generator] = {}
    for slug in slugs:
        key = slug if slug in known else slug_of(slug)
        if key not in known:
            near = difflib.get_close_matches(key, list(known), n=3, cutoff=0.5)
            hint = f"did you mean {', '.join(near)}?" if near else "`reasonflux library generate --list` shows all."
            raise UsageError(f'No problems can be drawn for the template "{slug}"; {hint}')
        found[key] = known[key]
    return list(found.values() if slugs else known.values())


def _require_confirmed(drawn: "Mapping[Generator, Sequence[Draw]]", *, quiet: bool) -> None:
    from library.generating import disagreements
    from reasonflux.grading import Grader
    from reasonflux.verification import GradingComparer, SandboxRunner

    with Grader() as grader, assemble_library.progress("Checking answers", quiet=quiet) as advance:
        comparer = GradingComparer(grader)
        for done, (generator, draws) in enumerate(drawn.items(), start=1):
            for place, reason in disagreements(generator.check, draws, SandboxRunner(), comparer):
                raise ReasonFluxError(
                    f'A problem drawn for "{generator.template}" is not confirmed ({reason}): '
                    f"{draws[place].problem[:200]}; report it as a fault of the generator, or draw with --no-verify."
                )
            advance(done, len(drawn))


def _records(generator: "Generator", draws: "Sequence[Draw]", *, seed: int, difficulty: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{generator.slug}/{difficulty}/{seed}/{place}",
            "problem": draw.problem,
            "answer": draw.answer,
            "grader": draw.grader,
            "subject": generator.field,
            "level": difficulty,
            "template": generator.slug,
        }
        for place, draw in enumerate(draws, start=1)
    ]


def _write(out: Path, lines: "Sequence[str]") -> None:
    from reasonflux.batch_output import replace_file

    try:
        replace_file(out, "".join(line + "\n" for line in lines).encode("utf-8"))
    except OSError as error:
        raise ReasonFluxError(
            f"The file {out} can't be written: {error.strerror or error}.", stage="generate"
        ) from error


def _list(known: "Mapping[str, Generator]", *, as_json: bool) -> None:
    if as_json:
        rows = [{"template": slug, "name": item.template, "field": item.field} for slug, item in known.items()]
        console.write_json({"generators": rows})
        return
    for slug, item in known.items():
        console.write(f"{item.field:24}{slug}")
    console.write(f"{len(known)} templates.")
