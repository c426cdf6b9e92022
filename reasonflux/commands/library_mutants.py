"""What `reasonflux library verify --mutants` does: change each check, run it, and list the changes that do not show."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import typer

from reasonflux.commands import assemble_library, console
from reasonflux.commands.library_subjects import Subjects, refusals

if TYPE_CHECKING:
    from library.mutants import Mutation
    from library.verify import Job

# The limits are for all the changes of one check together.
_WALL_SECONDS = 300.0
_CPU_SECONDS = 120.0


def report_mutants(
    subjects: Subjects,
    jobs: "Sequence[Job]",
    parallel: int,
    *,
    most: int | None,
    seed: int,
    min_killed: float,
    as_json: bool,
) -> None:
    """Change the checks among `jobs`, each at most `most` times, and say what came of it.

    Raises:
        typer.Exit: with 1 where less than `min_killed` of the changes show, a check can't be parsed, or a file was
            refused.
    """
    from library.mutants import mutate
    from reasonflux.tools.sandbox import Limits
    from reasonflux.verification import SandboxRunner

    runner = SandboxRunner(Limits(wall_seconds=_WALL_SECONDS, cpu_seconds=_CPU_SECONDS, output_bytes=2**20))
    checks = [job for job in jobs if job.part == "check"]
    broken: list[str] = []

    def outcome(job: "Job") -> "Mutation | None":
        try:
            return mutate(job.source, runner, most=most, seed=seed)
        except SyntaxError as error:
            broken.append(f"{_place(job)}: the check can't be parsed ({error.msg}).")
            return None

    found: list[tuple[Job, Mutation]] = []
    with (
        assemble_library.progress(f"Changing {len(checks)} checks", quiet=as_json) as advance,
        ThreadPoolExecutor(max_workers=parallel, thread_name_prefix="mutants") as pool,
    ):
        for number, (job, mutation) in enumerate(zip(checks, pool.map(outcome, checks), strict=True), start=1):
            if mutation is not None and mutation.runs:
                found.append((job, mutation))
            elif mutation is not None:
                broken.append(f"{_place(job)}: the check fails or takes too long as it stands; see `library verify`.")
            advance(number, len(checks))
    total = sum(mutation.total for _, mutation in found)
    survivors = [(job, mutant) for job, mutation in found for mutant in mutation.survivors]
    killed = (total - len(survivors)) / total if total else None
    if as_json:
        rows = [
            {"template": job.template, "example": job.number, "line": m.line, "text": m.text, "change": m.change}
            for job, m in survivors
        ]
        numbers = {"checks": len(checks), "changes": total, "killed": killed, "min_killed": min_killed, "seed": seed}
        console.write_json(
            {**subjects.source, **numbers, "survivors": rows, "broken": broken, "refused": subjects.refused}
        )
    else:
        for line in (*refusals(subjects), *broken):
            console.note(console.clean(line))
        for job, mutant in survivors:
            line = f"{_place(job)}, line {mutant.line}: {mutant.change} changes nothing: {mutant.text}"
            console.write(" ".join(console.clean(line).split()))
        share = "there is nothing to change" if killed is None else f"{killed:.1%} show"
        console.write(f"{total} changes of {len(checks)} checks: {share}, {len(survivors)} do not ({subjects.place}).")
    if subjects.refused or broken or (killed is not None and killed < min_killed):
        raise typer.Exit(console.EXIT_FAILED)


def _place(job: "Job") -> str:
    return f"{job.template}: example {job.number}, check"
