"""Uploading a trained model to a repository of the Hugging Face Hub.

The repository is made before training begins, so that a wrong name or a missing token is known before hours are spent.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reasonflux.errors import ReasonFluxError, UsageError

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")


class PublishError(ReasonFluxError):
    """The Hub does not take the model; the message says why and what to do."""


def prepare_repository(name: str, *, api: Any = None) -> None:
    """Make a private model repository unless it is there.

    Args:
        name: `OWNER/NAME`.
        api: what to ask instead of the Hub, with the methods of `huggingface_hub.HfApi`.

    Raises:
        UsageError: the name is none.
        PublishError: the Hub can't be reached or refuses.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"--push-to-hub {name!r} is no repository; write OWNER/NAME.")
    with _explaining(name):
        (api or _api()).create_repo(name, repo_type="model", private=True, exist_ok=True)


def upload(folder: Path, name: str, *, api: Any = None) -> str:
    """Upload a model's folder as one commit and return its address.

    Raises:
        PublishError: the Hub can't be reached or refuses; the folder stays as it is.
    """
    with _explaining(name):
        (api or _api()).upload_folder(
            repo_id=name, folder_path=str(folder), repo_type="model", commit_message="Upload the trained planner"
        )
    return f"https://huggingface.co/{name}"


def _api() -> Any:
    from huggingface_hub import HfApi

    return HfApi(library_name="reasonflux")


@contextmanager
def _explaining(name: str) -> Iterator[None]:
    from huggingface_hub.errors import HfHubHTTPError

    try:
        yield
    except HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else None
        why = {401: "log in with `hf auth login`", 403: "you may not write there"}.get(status or 0, str(error))
        raise PublishError(f"The Hugging Face Hub does not take {name}: {why}.") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise PublishError(
            f"The Hugging Face Hub can't be reached for {name} ({type(error).__name__}); train without --push-to-hub "
            "and upload the folder later."
        ) from error
