"""`reasonflux library edit`: change a template by options, from a file, or in an editor."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reasonflux.commands import assemble_library, console, editor, library_view, settings, template_form
from reasonflux.commands.arguments import MathCommand, argument_text
from reasonflux.commands.console import DebugOption, HomeOption, JsonOption, LibraryOption, WeightsOption
from reasonflux.commands.library_options import DryRunOption, opened, path_of
from reasonflux.errors import UsageError

if TYPE_CHECKING:
    from library.amending import Amendment
    from library.reading import StoredTemplate
    from library.store import Library
    from library.template import Template

app = typer.Typer()


@app.command(
    cls=MathCommand,
    epilog=console.examples(
        "reasonflux library edit complete-the-square",
        'reasonflux library edit complete-the-square --add-tag series --add-step "Check by expanding."',
        'reasonflux library edit complete-the-square --set "steps[2]=Halve the middle coefficient." --dry-run',
        "reasonflux library edit complete-the-square --set 'examples[1].answer=7' --remove scope",
        "reasonflux library edit complete-the-square --from changed.yaml --json",
    ),
)
def edit(
    template: Annotated[str, typer.Argument(help="The template's slug or name.")],
    name: Annotated[str | None, typer.Option("--name", help="Its new name; the slug stays.")] = None,
    description: Annotated[str | None, typer.Option("--description", help="What it does.")] = None,
    scope: Annotated[str | None, typer.Option("--scope", help="When it applies.")] = None,
    field: Annotated[str | None, typer.Option("--field", help="The field it belongs to.")] = None,
    topic: Annotated[str | None, typer.Option("--topic", help="The topic within the field.")] = None,
    status: Annotated[str | None, typer.Option("--status", help="draft, active or retired.")] = None,
    add_tag: Annotated[list[str] | None, typer.Option("--add-tag", help="A tag to add; repeatable.")] = None,
    remove_tag: Annotated[list[str] | None, typer.Option("--remove-tag", help="A tag to remove; repeatable.")] = None,
    add_step: Annotated[list[str] | None, typer.Option("--add-step", help="A step to append; repeatable.")] = None,
    set_part: Annotated[
        list[str] | None, typer.Option("--set", metavar="PART=VALUE", help="Set a part, such as steps[2]=TEXT.")
    ] = None,
    append: Annotated[
        list[str] | None, typer.Option("--append", metavar="PART=VALUE", help="Append to tags, steps or examples.")
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option("--remove", metavar="PART", help="Remove a part, such as examples[1].program.")
    ] = None,
    source_file: Annotated[
        Path | None, typer.Option("--from", help="Take what the template says from a file.", show_default=False)
    ] = None,
    dry_run: DryRunOption = False,
    library: LibraryOption = None,
    home: HomeOption = None,
    weights: WeightsOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Change a template: by options, from a file, or, without any of them, in $VISUAL or $EDITOR.

    Options are applied in the order name to status, --remove-tag, --add-tag, --add-step, --set, --append, --remove.
    """
    with console.reporting(debug=debug):
        set_options = {
            "name": name,
            "description": description,
            "scope": scope,
            "field": field,
            "topic": topic,
            "status": status,
        }
        amendments = _amendments(
            {key: value for key, value in set_options.items() if value is not None},
            tags=(remove_tag or (), add_tag or ()),
            steps=add_step or (),
            parts=(set_part or (), append or (), remove or ()),
        )
        if source_file is not None and amendments:
            raise UsageError("A template is changed by --from or by the other options, not by both.")
        wanted = argument_text(template)
        path = path_of(library, home)
        with opened(path) as store:
            weights_dir = settings.weights_dir(weights)
            editing = Editing(store, wanted, weights_dir, dry_run=dry_run, quiet=as_json)
            if amendments:
                from library.amending import amended

                outcome = editing.apply(lambda current: amended(current, amendments))
            elif source_file is not None:
                outcome = editing.apply(_replacing(source_file))
            else:
                _require_editor()
                outcome = editing.in_editor(settings.home_dir(home) / "drafts")
        _report(outcome, path, dry_run=dry_run, as_json=as_json)


class Editing:
    """One edit of a template in a library: what is done with the outcome of options, a file or an editor."""

    def __init__(self, library: "Library", slug: str, weights_dir: Path, *, dry_run: bool, quiet: bool) -> None:
        self._library = library
        self._slug = slug
        self._weights_dir = weights_dir
        self._dry_run = dry_run
        self._quiet = quiet

    def apply(self, change: "Callable[[Template], Template]") -> "tuple[StoredTemplate, StoredTemplate]":
        """Make a change and return the template before and after it.

        Raises:
            LibraryError: the change is refused, or can't be stored.
        """
        from dataclasses import replace

        from library.changing import require_free
        from library.curation import edit

        seen: list[Template] = []

        def noting(current: "Template") -> "Template":
            seen.append(current)
            return change(current)

        if self._dry_run:
            with self._library.reading() as reader:
                stored = reader.load([reader.require(self._slug)])[0]
                new = noting(stored.template)
                require_free(reader, new.name, besides=stored.id)
            return stored, replace(stored, template=new, content_hash=new.content_hash)
        after = edit(
            self._library,
            self._slug,
            noting,
            embedder=lambda: assemble_library.load_embedder(self._weights_dir, quiet=self._quiet),
            who=assemble_library.user_name(),
        )
        return replace(after, template=seen[-1]), after

    def in_editor(self, folder: Path) -> "tuple[StoredTemplate, StoredTemplate]":
        """Let the user change the template in an editor.

        Raises:
            ReasonFluxError: there is no editor, or it failed.
            LibraryError: the change can't be stored, or another process changed the template meanwhile.
        """
        opened = self._library.get(self._slug)
        form = template_form.form_of(
            opened.template, title=f"The template {opened.slug} of {self._library.path}", deed="store it"
        )

        def store(new: "Template") -> "tuple[StoredTemplate, StoredTemplate]":
            return self.apply(lambda current: _unless_changed(opened, current, new))

        return editor.compose(form, store, folder=folder, name=opened.slug) or (opened, opened)


def _require_editor() -> None:
    """Refuse to start an editor that nobody asked for where nobody could use it."""
    if editor.chosen_editor() is None and not console.is_terminal():
        raise UsageError("Say what to change with options such as --set, or with --from; --help lists them.")


def _unless_changed(opened: "StoredTemplate", current: "Template", new: "Template") -> "Template":
    from library.errors import ChangeConflict

    if current != opened.template:
        raise ChangeConflict(
            f"{opened.slug} was changed by another process while it was edited, so that nothing was stored; "
            f"`reasonflux library history {opened.slug}` shows the change."
        )
    return new


def _replacing(path: Path) -> "Callable[[Template], Template]":
    from reasonflux.commands.library_add import read_one

    new = read_one(path)
    given = new.model_fields_set

    def change(current: "Template") -> "Template":
        kept = {part: getattr(current, part) for part in ("status", "source", "author") if part not in given}
        return new.model_copy(update=kept)

    return change


def _amendments(
    options: dict[str, str],
    *,
    tags: tuple[Sequence[str], Sequence[str]],
    steps: Sequence[str],
    parts: tuple[Sequence[str], Sequence[str], Sequence[str]],
) -> "list[Amendment]":
    from library.amending import Amendment

    set_parts, appended, removed = parts
    return [
        *(Amendment("set", part, argument_text(value)) for part, value in options.items()),
        *(Amendment("remove", "tags", argument_text(tag)) for tag in tags[0]),
        *(Amendment("append", "tags", argument_text(tag)) for tag in tags[1]),
        *(Amendment("append", "steps", argument_text(step)) for step in steps),
        *(Amendment("set", *_pair(given, "--set")) for given in set_parts),
        *(Amendment("append", *_pair(given, "--append")) for given in appended),
        *(Amendment("remove", *_pair(given, "")) for given in removed),
    ]


def _pair(given: str, option: str) -> tuple[str, str]:
    path, separator, value = argument_text(given).partition("=")
    if option and not separator:
        raise UsageError(f'{option} wants PART=VALUE, such as {option} "steps=Check the result.", not "{path}".')
    return path.strip(), value


def _report(outcome: "tuple[StoredTemplate, StoredTemplate]", library: Path, *, dry_run: bool, as_json: bool) -> None:
    from reasonflux.commands.history_view import difference_lines

    before, after = outcome
    forms = before.template.model_dump(mode="json"), after.template.model_dump(mode="json")
    if as_json:
        changed = before.template != after.template
        console.write_json(
            {"library": str(library), "dry_run": dry_run, "changed": changed, **library_view.document(after)}
        )
        return
    if before.template == after.template:
        console.write(console.clean(f"{after.slug} says this already; nothing was changed."))
        return
    deed = "Would change" if dry_run else "Changed"
    console.write(console.clean(f"{deed} {after.slug}:"))
    for line in difference_lines(*forms):
        console.write(line)
