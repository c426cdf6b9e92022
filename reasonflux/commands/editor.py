"""Editing a template in the user's own editor: nothing is lost, whatever the editor, the form or the library refuse."""

import os
import secrets
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from library.errors import NameConflict, TemplateInvalid
from reasonflux.commands import console, template_form
from reasonflux.errors import ReasonFluxError

if TYPE_CHECKING:
    from library.template import Template

_T = TypeVar("_T")
_ROUNDS = 50


def chosen_editor() -> str | None:
    """Return the editor the environment names, None where it names none."""
    return next((os.environ[name] for name in ("VISUAL", "EDITOR") if os.environ.get(name, "").strip()), None)


def compose(text: str, accept: "Callable[[Template], _T]", *, folder: Path, name: str) -> _T | None:
    """Let the user edit a form until `accept` takes the template; return what it returned.

    A form that is wrong comes back with the reason as a comment. None means that it came back as it was, or empty.

    Args:
        text: the form.
        accept: stores the template; what it refuses as wrong goes back into the form.
        folder: where the draft lies while it is edited. It stays there when the edit fails, which is said on stderr.
        name: how the draft is called.

    Raises:
        ReasonFluxError: there is no editor, it failed, or a wrong form came back unchanged.
        LibraryError: whatever else `accept` raises.
        OSError: the draft can't be written or read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{name[:60]}-{secrets.token_hex(3)}.yaml"
    draft.write_text(text, encoding="utf-8")
    begun = draft.read_bytes()
    settled = False
    try:
        for _ in range(_ROUNDS):
            shown = draft.read_bytes()
            _run(draft)
            if draft.read_bytes() == shown:
                settled = shown == begun
                if settled:
                    return None
                raise ReasonFluxError("The form came back with its error still in it; nothing was changed.")
            plain = template_form.unmarked(_text(draft))
            if template_form.is_blank(plain):
                settled = True
                return None
            draft.write_text(plain, encoding="utf-8")
            problem = template_form.read_form(draft)
            if not isinstance(problem, template_form.Problem):
                try:
                    result = accept(problem)
                except (TemplateInvalid, NameConflict) as error:
                    problem = template_form.Problem(1, str(error))
                else:
                    settled = True
                    return result
            console.note(console.clean(f"Line {problem.line}: {problem.reason}."))
            draft.write_text(template_form.marked(plain, problem), encoding="utf-8")
        raise ReasonFluxError(f"The form was wrong {_ROUNDS} times; nothing was changed.")
    finally:
        if settled or not draft.exists() or draft.read_bytes() == begun:
            draft.unlink(missing_ok=True)
        else:
            console.note(console.clean(f"Your text is kept in {draft}; --from {shlex.quote(str(draft))} reads it."))


def _text(draft: Path) -> str:
    try:
        return draft.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReasonFluxError(f"The editor saved {draft} in another encoding than UTF-8; save it as UTF-8.") from error


def _run(draft: Path) -> None:
    from shutil import which

    chosen = chosen_editor() or next((name for name in ("sensible-editor", "nano", "vi", "notepad") if which(name)), "")
    try:
        command = shlex.split(chosen, posix=os.name == "posix")
    except ValueError as error:
        raise ReasonFluxError(f"$VISUAL or $EDITOR can't be read as a command ({error}): {chosen}.") from error
    if not command:
        raise ReasonFluxError("There is no editor; set $VISUAL or $EDITOR to one, or use the command's options.")
    try:
        code = subprocess.run([*command, str(draft)], check=False).returncode
    except OSError as error:
        raise ReasonFluxError(
            f"The editor {command[0]} can't be started: {error.strerror or error}; set $VISUAL or $EDITOR to another."
        ) from error
    if code != 0:
        raise ReasonFluxError(f"The editor {command[0]} ended with exit code {code}; nothing was changed.")
    if not draft.exists():
        raise ReasonFluxError(f"The editor {command[0]} removed its file {draft}; nothing was changed.")
