"""`reasonflux library lint`, `verify` and `dedupe`: is what a library holds well made, right, and there once?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import assemble_library, console, settings
from reasonflux.commands.arguments import MathCommand, argument_text
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption, WeightsOption
from reasonflux.commands.library_options import DryRunOption, FieldOption, StatusChoice, TopicOption, opened, path_of
from reasonflux.commands.library_subjects import Subjects, refusals, subjects_of
from reasonflux.errors import UsageError

if TYPE_CHECKING:
    from library.dedupe import Group
    from library.lint import Finding, Rules
    from library.merging import Merger
    from library.verify import CheckResult
    from reasonflux.config import LintSettings

app = typer.Typer()

FilesArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[FILES]...", help="Files of templates, looked at instead of the library."),
]
StatusFilter = Annotated[
    StatusChoice | None,
    typer.Option("--status", help="Only templates of this status.", show_default="active and draft"),
]


@app.command(
    epilog=console.examples(
        "reasonflux library lint",
        "reasonflux library lint templates.yaml --tags tags.yaml --strict",
        "reasonflux library lint --select STP,SCO --ignore STP02 --json",
        "reasonflux library lint --list-rules",
    )
)
def lint(
    files: FilesArgument = None,
    select: Annotated[
        list[str] | None, typer.Option("--select", help="Only these rules, by code or its beginning; repeatable.")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", help="Not these rules, by code or its beginning; repeatable.")
    ] = None,
    tags: Annotated[
        Path | None, typer.Option("--tags", help="A YAML file of the tags that may be used.", show_default=False)
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail as well.")] = False,
    list_rules: Annotated[bool, typer.Option("--list-rules", help="List the rules and end.")] = False,
    field: FieldOption = None,
    topic: TopicOption = None,
    status: StatusFilter = None,
    library: LibraryOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Check how templates are written. Exit code 1 where a rule of severity error fails, or any with --strict.

    The table [lint] of reasonflux.toml holds the same settings, and the limits that rules measure against.
    """
    with console.reporting(debug=debug):
        if list_rules:
            _list_rules(as_json=as_json)
            return
        from library.lint import lint_templates

        configured, rules = rules_of(settings.home_dir(home), select, ignore, tags)
        subjects = subjects_of(files, path_of(library, home), field=field, topic=topic, status=status)
        found = lint_templates([subject.template for subject in subjects.found], rules)
        failed = _report_lint(subjects, found, strict=strict or configured.strict, as_json=as_json)
        if failed:
            raise typer.Exit(console.EXIT_FAILED)


def _list_rules(*, as_json: bool) -> None:
    from library.lint import RULES

    if as_json:
        rows = [{"code": rule.code, "severity": rule.severity, "summary": rule.summary} for rule in RULES]
        console.write_json({"rules": rows})
        return
    for rule in RULES:
        console.write(f"{rule.code}  {rule.severity:7}  {rule.summary}")


def rules_of(
    home: Path, select: list[str] | None = None, ignore: list[str] | None = None, tags: Path | None = None
) -> "tuple[LintSettings, Rules]":
    """Return the settings file's table about linting, and the rules that it and the options given leave on.

    Raises:
        ConfigError: the settings file can't be read, or a setting is unknown or out of range.
        LibraryError: a code is the beginning of no rule's, or the file of tags can't be read.
    """
    from dataclasses import fields

    from library.lint import Limits, chosen
    from library.vocabulary import read_vocabulary
    from reasonflux.config import read_lint_table

    file = home / settings.SETTINGS_FILE
    configured = read_lint_table(settings.read_settings(home).get("lint", {}), f"[lint] of {file}")
    limits = Limits(**{limit.name: getattr(configured, limit.name) for limit in fields(Limits)})
    vocabulary = tags or (file.parent / configured.tags if configured.tags else None)
    return configured, chosen(
        _codes(select) or configured.select,
        _codes(ignore) or configured.ignore,
        limits=limits,
        vocabulary=read_vocabulary(vocabulary) if vocabulary else None,
    )


def _codes(given: list[str] | None) -> list[str]:
    return [code for value in given or [] for code in argument_text(value).replace(",", " ").split()]


def _report_lint(subjects: Subjects, found: "list[list[Finding]]", *, strict: bool, as_json: bool) -> bool:
    listed = [(subject, finding) for subject, own in zip(subjects.found, found, strict=True) for finding in own]
    errors = sum(finding.severity == "error" for _, finding in listed)
    warnings = len(listed) - errors
    if as_json:
        rows = [
            {
                "template": subject.slug,
                "location": subject.label,
                "code": finding.code,
                "severity": finding.severity,
                "where": finding.where,
                "message": finding.message,
            }
            for subject, finding in listed
        ]
        counts = {"templates": len(found), "errors": errors, "warnings": warnings}
        console.write_json({**subjects.source, **counts, "findings": rows, "refused": subjects.refused})
    else:
        for line in refusals(subjects):
            console.note(console.clean(line))
        for subject, finding in listed:
            where = f"{finding.where} " if finding.where else ""
            text = f"{subject.label}: {finding.code} {finding.severity}: {where}{finding.message}"
            console.write(" ".join(console.clean(text).split()))
        refused = f", {len(subjects.refused)} records refused" if subjects.refused else ""
        console.write(f"{len(found)} templates: {errors} errors, {warnings} warnings{refused} ({subjects.place}).")
    return bool(errors or subjects.refused or (strict and warnings))


@app.command(
    epilog=console.examples(
        "reasonflux library verify",
        "reasonflux library verify --template halve-it --json",
        "reasonflux library verify templates.yaml --jobs 4",
        "reasonflux library verify --mutants --field geometry",
        "reasonflux library verify --mutants --changes 2 --seed 7",
    )
)
def verify(
    files: FilesArgument = None,
    template: Annotated[
        list[str] | None, typer.Option("--template", help="Only this template, by slug or name; repeatable.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, max=64, help="Programs at a time.", show_default="one a processor")
    ] = None,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Change each check, a constant or operator at a time, instead.")
    ] = False,
    changes: Annotated[
        int | None,
        typer.Option(
            "--changes", min=1, help="With --mutants: changes of one check, at most, drawn.", show_default="all"
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="With --changes: which are drawn.")] = 0,
    min_killed: Annotated[
        float, typer.Option("--min-killed", min=0, max=1, help="With --mutants: share of changes that must show.")
    ] = 0.95,
    field: FieldOption = None,
    topic: TopicOption = None,
    status: StatusFilter = None,
    library: LibraryOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Run the programs of worked examples in the sandbox and compare what they print with the answers.

    Exit code 1 where one does not print its example's answer. With --mutants, each check is run with one constant or
    operator changed at a time: a change that leaves what it prints as it was survives, and exit code 1 means that too
    many do.
    """
    with console.reporting(debug=debug):
        from library.verify import jobs_of, verify_all
        from reasonflux.grading import Grader
        from reasonflux.verification import GradingComparer, SandboxRunner

        names = [argument_text(name) for name in template or []]
        subjects = subjects_of(files, path_of(library, home), field=field, topic=topic, status=status, names=names)
        waiting = [job for subject in subjects.found for job in jobs_of(subject.template, subject.slug)]
        if mutants:
            from reasonflux.commands.library_mutants import report_mutants

            report_mutants(
                subjects,
                waiting,
                jobs or _processors(),
                most=changes,
                seed=seed,
                min_killed=min_killed,
                as_json=as_json,
            )
            return
        results: list[CheckResult] = []
        with (
            Grader() as grader,
            assemble_library.progress(f"Running {len(waiting)} programs", quiet=as_json) as advance,
        ):
            parallel = jobs or _processors()
            for result in verify_all(waiting, SandboxRunner(), GradingComparer(grader), parallel=parallel):
                results.append(result)
                advance(len(results), len(waiting))
        _report_verify(subjects, results, as_json=as_json)
        if subjects.refused or not all(result.passed for result in results):
            raise typer.Exit(console.EXIT_FAILED)


def _processors() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _report_verify(subjects: Subjects, results: "list[CheckResult]", *, as_json: bool) -> None:
    from dataclasses import asdict

    counts = dict.fromkeys(("right", "wrong", "undecided", "failed"), 0)
    for result in results:
        counts[result.outcome] += 1
    examples = [example for subject in subjects.found for example in subject.template.examples]
    idle = sum(not (example.program or example.check) for example in examples)
    if as_json:
        totals = {"templates": len(subjects.found), "programs": len(results), **counts, "examples_without": idle}
        rows = [asdict(result) for result in results]
        console.write_json({**subjects.source, **totals, "results": rows, "refused": subjects.refused})
        return
    for line in refusals(subjects):
        console.note(console.clean(line))
    for result in results:
        if not result.passed:
            console.write(" ".join(console.clean(_failure(result)).split()))
    listed = ", ".join(f"{number} {outcome}" for outcome, number in counts.items() if number or outcome == "right")
    also = f"; {idle} examples have none" if idle else ""
    console.write(f"{len(results)} programs of {len(subjects.found)} templates: {listed}{also} ({subjects.place}).")


def _failure(result: "CheckResult") -> str:
    place = f"{result.template}: example {result.example}, {result.part}"
    reason = f" ({result.reason})" if result.reason else ""
    if result.outcome == "failed":
        return f"{place} failed: {result.reason}"
    printed = f'printed "{_short(result.printed)}"' if result.printed else "printed no answer"
    return f'{place} is {result.outcome}: it {printed}, the answer is "{_short(result.expected)}"{reason}'


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:199] + "…"


@app.command(
    cls=MathCommand,
    epilog=console.examples(
        "reasonflux library dedupe",
        "reasonflux library dedupe halve-it --min-vectors 0.6",
        "reasonflux library dedupe --merge halve-it divide-by-two --dry-run",
    ),
)
def dedupe(
    templates: Annotated[
        list[str] | None,
        typer.Argument(help="Only groups with these, by slug or name; with --merge the one to keep, then the others."),
    ] = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="Give the first template the others' tags and examples; retire those.")
    ] = False,
    min_vectors: Annotated[
        float, typer.Option("--min-vectors", min=0.1, max=1, help="Least nearness of the vectors.")
    ] = 0.7,
    min_words: Annotated[float, typer.Option("--min-words", min=0, max=1, help="Least likeness of the words.")] = 0.4,
    dry_run: DryRunOption = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Find templates that say the same, by meaning and by wording, and merge them."""
    with console.reporting(debug=debug):
        names = [argument_text(name) for name in templates or []]
        path = path_of(library, home)
        if merge:
            if len(names) < 2:
                raise UsageError("--merge needs the template to keep and at least one other.")
            from library.merging import merge as merge_templates

            with opened(path) as store:
                merger = merge_templates(
                    store,
                    names[0],
                    names[1:],
                    embedder=lambda: assemble_library.load_embedder(settings.weights_dir(weights), quiet=as_json),
                    who=assemble_library.user_name(),
                    dry_run=dry_run,
                )
            _report_merger(merger, path, dry_run=dry_run, as_json=as_json)
            return
        if dry_run:
            raise UsageError("--dry-run is for --merge; without it dedupe changes nothing.")
        from library.dedupe import near_duplicates

        with opened(path) as store:
            wanted = {store.get(name).slug for name in names}
            with assemble_library.progress("Looking for near-duplicates", quiet=as_json) as advance:
                groups = near_duplicates(store, min_vectors=min_vectors, min_words=min_words, progress=advance)
        if wanted:
            groups = [group for group in groups if wanted & {stored.slug for stored in group.members}]
        _report_groups(groups, path, as_json=as_json)


def _report_groups(groups: "list[Group]", path: Path, *, as_json: bool) -> None:
    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "keep": group.members[0].slug,
                "others": [stored.slug for stored in group.members[1:]],
                "pairs": [
                    {"one": pair.one, "other": pair.other, "vectors": pair.vectors, "words": pair.words}
                    for pair in group.pairs
                ],
            }
            for group in groups
        ]
        console.write_json({"library": str(path), "groups": rows})
        return
    for number, group in enumerate(groups, start=1):
        console.write(f"Group {number}")
        for stored in group.members:
            console.write(console.clean(f'  {stored.slug}  "{stored.template.name}"'))
        for pair in group.pairs:
            console.write(f"    vectors {pair.vectors:.2f}, words {pair.words:.2f}: {pair.one} and {pair.other}")
        slugs = " ".join(stored.slug for stored in group.members)
        console.write(f"  To merge: reasonflux library dedupe --merge {slugs}")
    console.write(f"{len(groups)} groups of near-duplicates ({path}).")


def _report_merger(merger: "Merger", path: Path, *, dry_run: bool, as_json: bool) -> None:
    from dataclasses import asdict

    if as_json:
        console.write_json({"library": str(path), "dry_run": dry_run, **asdict(merger)})
        return
    prefix = "Dry run, nothing was changed: " if dry_run else ""
    tags = ", ".join(merger.tags) or "none"
    retired = ", ".join(merger.retired) or "none"
    console.write(
        console.clean(
            f"{prefix}{merger.kept} takes over {len(merger.examples)} examples and the tags {tags}; retired: {retired}."
        )
    )
    if merger.change is not None:
        console.note(f"This is change {merger.change}; `reasonflux library undo {merger.change}` takes it back.")
