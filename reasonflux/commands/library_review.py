"""`reasonflux library review`: a person's word on each draft, one key each, or by options off a terminal."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from reasonflux.commands import assemble_library, console, library_edit, library_quality, library_view, settings
from reasonflux.commands.arguments import argument_text
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption, WeightsOption
from reasonflux.commands.library_options import DryRunOption, opened, path_of
from reasonflux.errors import ReasonFluxError, UsageError

if TYPE_CHECKING:
    from library.lint import Finding, Rules
    from library.nearest import Likeness
    from library.reading import StoredTemplate
    from library.store import Library
    from library.template import Template

app = typer.Typer()

_KEYS = "a accept, e edit, r reject, s skip, q quit"
Deed = Literal["accept", "reject", "purge"]


@app.command(
    epilog=console.examples(
        "reasonflux library review",
        "reasonflux library review --json",
        "reasonflux library review --accept add-the-parts --reject guess-the-total",
        "reasonflux library review --all --dry-run",
    )
)
def review(
    accept: Annotated[
        list[str] | None, typer.Option("--accept", metavar="SLUG", help="Make this draft active; repeatable.")
    ] = None,
    reject: Annotated[
        list[str] | None, typer.Option("--reject", metavar="SLUG", help="Retire this draft; repeatable.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Accept every draft that is not rejected here.")] = False,
    purge: Annotated[bool, typer.Option("--purge", help="Delete what is rejected instead of retiring it.")] = False,
    dry_run: DryRunOption = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Walk through the drafts on a terminal, one key each; off it, decide with options, or list them with --json.

    Each draft is shown with where it comes from, how it did in its trial, what lint finds and the template most like
    it. A rejected draft is retired: its name stays taken, so that distilling the same again does not bring it back.
    Every decision is a change of its own, which `reasonflux library undo` takes back.
    """
    with console.reporting(debug=debug):
        decided = bool(accept or reject or every)
        if not decided and not as_json and not console.is_terminal():
            raise UsageError("Off a terminal, decide with --accept, --reject or --all, or list the drafts with --json.")
        if dry_run and not decided:
            raise UsageError("--dry-run goes with --accept, --reject or --all.")
        path = path_of(library, home)
        home_dir = settings.home_dir(home)
        with opened(path) as store:
            desk = _Desk(store, library_quality.rules_of(home_dir)[1], purge=purge)
            if decided:
                wanted = _wanted(desk, accept or [], reject or [], every=every)
                _report(path, desk.decide_all(wanted, dry_run=dry_run), desk, dry_run=dry_run, as_json=as_json)
            elif as_json:
                console.write_json({"library": str(path), "drafts": [desk.document(slug) for slug in desk.slugs()]})
            else:
                _walk(desk, Path(home_dir) / "drafts", settings.weights_dir(weights))


class _Desk:
    """The drafts of a library, what is known of them, and the decisions on them."""

    def __init__(self, store: "Library", rules: "Rules", *, purge: bool) -> None:
        from library.nearest import Neighbours

        self.store = store
        self._rules = rules
        self._neighbours = Neighbours(store)
        self.refusal: Deed = "purge" if purge else "reject"

    def slugs(self) -> list[str]:
        """Return the slugs of the drafts in order of name."""
        return [stored.slug for stored in self.store.list(status="draft")]

    def require(self, given: str) -> str:
        """Return the slug of a draft given by slug or name.

        Raises:
            TemplateNotFound: there is no such template.
            UsageError: it is no draft.
        """
        stored = self.store.get(argument_text(given))
        if stored.template.status != "draft":
            raise UsageError(f"{stored.slug} is {stored.template.status}, not a draft; nothing was changed.")
        return stored.slug

    def known(self, slug: str) -> "tuple[StoredTemplate, list[Finding], Likeness | None]":
        """Return a draft with what lint finds in it and the template most like it."""
        from library.lint import lint_template

        stored = self.store.get(slug)
        nearest = next(iter(self._neighbours.of_stored(stored, 1)), None)
        return stored, lint_template(stored.template, self._rules), nearest

    def document(self, slug: str) -> dict[str, Any]:
        """Return what is known of a draft as a JSON document."""
        from dataclasses import asdict

        from reasonflux.distill_provenance import trial_of

        stored, findings, nearest = self.known(slug)
        return library_view.document(stored) | {
            "trial": trial_of(stored.template.source),
            "findings": [asdict(finding) for finding in findings],
            "nearest": asdict(nearest) | {"is_duplicate": nearest.is_duplicate} if nearest else None,
        }

    def decide(self, slug: str, deed: Deed) -> None:
        """Accept, reject or purge a draft, as a change of its own.

        Raises:
            LibraryError: it is gone or no draft any more, or the change can't be stored.
        """
        from library.curation import edit, remove
        from library.errors import ChangeConflict

        def changed(current: "Template") -> "Template":
            if current.status != "draft":
                raise ChangeConflict(f"{slug} is {current.status} meanwhile, no draft any more; it was left as it is.")
            return current.model_copy(update={"status": "active" if deed == "accept" else "retired"})

        who = assemble_library.user_name()
        if deed == "purge":
            remove(self.store, [slug], how="purge", who=who)
        else:
            edit(self.store, slug, changed, embedder=_no_new_text, who=who, action=deed)

    def decide_all(self, wanted: Sequence[tuple[str, Deed]], *, dry_run: bool) -> list[dict[str, str]]:
        """Carry decisions out in order and return them."""
        if not dry_run:
            for slug, deed in wanted:
                self.decide(slug, deed)
        return [{"slug": slug, "decision": deed} for slug, deed in wanted]


def _no_new_text() -> Any:
    raise AssertionError("a status is no indexed text")


def _wanted(desk: _Desk, accept: Sequence[str], reject: Sequence[str], *, every: bool) -> list[tuple[str, Deed]]:
    """Return what is to be done with which draft, after a look at all of them.

    Raises:
        UsageError: one is no draft, or both accepted and rejected.
        TemplateNotFound: there is no such template.
    """
    refused = list(dict.fromkeys(desk.require(given) for given in reject))
    accepted = list(dict.fromkeys(desk.require(given) for given in accept))
    both = [slug for slug in accepted if slug in refused]
    if both:
        raise UsageError(f"{both[0]} is both accepted and rejected; nothing was changed.")
    if every:
        accepted += [slug for slug in desk.slugs() if slug not in accepted and slug not in refused]
    return [*((slug, "accept") for slug in accepted), *((slug, desk.refusal) for slug in refused)]


def _report(path: Path, decisions: Sequence[dict[str, str]], desk: _Desk, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        left = desk.store.count(status="draft")
        console.write_json({"library": str(path), "dry_run": dry_run, "decisions": list(decisions), "drafts": left})
        return
    for decision in decisions:
        console.write(console.clean(f"{_DONE[decision['decision']][dry_run]}: {decision['slug']}"))
    if not decisions:
        console.write(f"There are no drafts in {path}.")


_DONE = {
    "accept": ("Accepted", "Would accept"),
    "reject": ("Retired", "Would retire"),
    "purge": ("Deleted", "Would delete"),
}


def _walk(desk: _Desk, folder: Path, weights: Path) -> None:
    """Show the drafts one by one and do what each key says."""
    slugs = desk.slugs()
    for number, slug in enumerate(slugs, start=1):
        while True:
            for line in _page(desk, slug, f"Draft {number} of {len(slugs)}"):
                console.write(line)
            key = _key()
            if key == "q":
                return
            if key != "e":
                break
            _told_errors(lambda slug=slug: _edit(desk, slug, folder, weights))  # type: ignore[misc]
            if slug not in desk.slugs():
                console.write(console.clean(f"{slug} is no draft any more."))
                key = "s"
                break
        if key != "s":
            deed: Deed = "accept" if key == "a" else desk.refusal
            _told_errors(lambda slug=slug, deed=deed: _decide(desk, slug, deed))  # type: ignore[misc]
    console.write("There are no drafts." if not slugs else "That was the last draft.")


def _edit(desk: _Desk, slug: str, folder: Path, weights: Path) -> None:
    library_edit.Editing(desk.store, slug, weights, dry_run=False, quiet=False).in_editor(folder)


def _decide(desk: _Desk, slug: str, deed: Deed) -> None:
    desk.decide(slug, deed)
    console.write(console.clean(f"{_DONE[deed][0]}: {slug}"))


def _told_errors(work: Callable[[], None]) -> None:
    """Let one draft's trouble be told without ending the walk."""
    from library.errors import LibraryError

    try:
        work()
    except (LibraryError, ReasonFluxError) as error:
        console.note(console.clean(f"Error: {error}"))


def _key() -> Literal["a", "e", "r", "s", "q"]:
    """Wait for one of the keys; end of input and Ctrl-D quit."""
    import click

    console.write(f"[{_KEYS}]")
    while True:
        try:
            pressed = click.getchar().casefold()
        except EOFError:
            return "q"
        if pressed in ("a", "e", "r", "s", "q"):
            return pressed  # type: ignore[return-value]
        if pressed in ("", "\x04", "\x1b"):
            return "q"
        console.write(f"[{_KEYS}]")


def _page(desk: _Desk, slug: str, title: str) -> list[str]:
    stored, findings, nearest = desk.known(slug)
    lines = ["", title, "", *library_view.page(stored), ""]
    lines += [f"Lint     {found.severity} {found.code} {found.where} {found.message}" for found in findings]
    lines += [] if findings else ["Lint     nothing found"]
    if nearest is None:
        lines.append("Nearest  none: it would be the only template")
    else:
        twin = "; they count as near-duplicates" if nearest.is_duplicate else ""
        lines.append(
            f'Nearest  "{nearest.name}" ({nearest.slug}, {nearest.status}): vectors {nearest.vectors:.2f}, '
            f"words {nearest.words:.2f}{twin}"
        )
    lines.append(f"Trial    {_told_trial(stored.template.source)}")
    return [console.clean(line) for line in lines]


def _told_trial(source: str) -> str:
    from reasonflux.distill_provenance import trial_of

    numbers = trial_of(source)
    if numbers is None:
        return "none: it was not distilled"
    if numbers["with_template"] is None:
        return f"all {numbers['tried']} solved without it"
    return f"solved {numbers['with_template']} of {numbers['tried']} with it, {numbers['without']} without"
