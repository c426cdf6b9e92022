"""Fetches one file from the Hugging Face Hub, or says quickly that it can't.

Run as a program (`python -m reasonflux.models.hub REPO PATH REVISION FOLDER`) it is the child that downloads;
`fetch` starts that child and watches it.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from reasonflux.models.transfer import run_watched

_ANSWER_SECONDS = 5
_START_SECONDS = 12.0
_STALL_SECONDS = 60.0
_OVERHEAD_BYTES = 64 * 1024 * 1024

_ENVIRONMENT = {
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    # The plain transfer resumes after a kill and writes where we look for progress.
    "HF_HUB_DISABLE_XET": "1",
    "HF_HUB_ETAG_TIMEOUT": str(_ANSWER_SECONDS),
    "HF_HUB_DOWNLOAD_TIMEOUT": "30",
}


class HubUnavailable(Exception):
    """The file can't be had from the Hub; the message says why in a few words."""


def offline() -> bool:
    """Return whether the environment forbids the Hub (`HF_HUB_OFFLINE`)."""
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}


def fetch(repo: str, path: str, revision: str, folder: Path, size: int, on_bytes: Callable[[int], None]) -> Path:
    """Download one file of a repository into `folder` and return where it lies; nothing is verified here.

    A download that was cut short in the same folder is continued.

    Args:
        repo: repository, `owner/name`.
        path: the file's path in it.
        revision: commit of the repository.
        folder: where to put it.
        size: bytes the file should have.
        on_bytes: called with the number of bytes in the folder as it grows.

    Raises:
        HubUnavailable: the Hub is forbidden, can't be reached, is too slow to answer or lacks the file.
    """
    if offline():
        raise HubUnavailable("HF_HUB_OFFLINE is set")
    folder.mkdir(parents=True, exist_ok=True)
    outcome = run_watched(
        # -P keeps the working folder off the import path.
        [sys.executable, "-P", "-m", __name__, repo, path, revision, str(folder)],
        folder,
        environment=_ENVIRONMENT,
        quiet_start=_START_SECONDS,
        quiet_later=_STALL_SECONDS,
        most_bytes=size + _OVERHEAD_BYTES,
        on_bytes=on_bytes,
    )
    if outcome.stopped == "silent":
        raise HubUnavailable("it does not answer")
    if outcome.stopped == "flood":
        raise HubUnavailable("it sent more than the file's size")
    target = folder / path
    if outcome.code != 0 or not target.is_file():
        lines = outcome.log.strip().splitlines()
        raise HubUnavailable(lines[-1][:200] if lines else f"its client ended with status {outcome.code}")
    return target


def _download(repo: str, path: str, revision: str, folder: str) -> None:
    import urllib.error
    import urllib.request

    from huggingface_hub import hf_hub_download, hf_hub_url

    # The client retries a dead network for half a minute; one short question first tells that at once.
    question = urllib.request.Request(hf_hub_url(repo, path, revision=revision), method="HEAD")
    try:
        with urllib.request.urlopen(question, timeout=_ANSWER_SECONDS):
            pass
    except urllib.error.HTTPError as error:
        if error.code in {404, 410}:
            sys.exit(f"it has no {path} at revision {revision}")
        if error.code >= 500:
            sys.exit(f"it answers with status {error.code}")
    except OSError as error:
        sys.exit(f"it can't be reached ({getattr(error, 'reason', error)})")
    hf_hub_download(repo, path, revision=revision, local_dir=folder)


if __name__ == "__main__":
    _download(*sys.argv[1:5])
