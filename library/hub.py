"""Dataset repositories on the Hugging Face Hub: fetched into a folder, or written from one."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from library.dataset_card import CARD
from library.errors import ExportRefused, ImportRefused, LibraryError
from library.formats import SUFFIXES

MAX_DOWNLOAD_BYTES = 2**30
_ADDRESS = re.compile(r"hf://datasets/(?P<repo>[\w.-]+/[\w.-]+)(?:@(?P<revision>[^@\s]+?))?/?")
_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class HubAddress:
    """A dataset repository, and the revision of it that is meant."""

    repo: str
    revision: str | None = None

    @classmethod
    def parse(cls, text: str) -> "HubAddress":
        """Return the repository that `hf://datasets/OWNER/NAME[@REVISION]` names.

        Raises:
            LibraryError: the text has another form.
        """
        match = _ADDRESS.fullmatch(text)
        if match is None:
            raise LibraryError(f"{text[:200]} names no dataset; write hf://datasets/OWNER/NAME.")
        return cls(match["repo"], match["revision"])

    def __str__(self) -> str:
        return f"hf://datasets/{self.repo}" + (f"@{self.revision}" if self.revision else "")


def fetch(address: HubAddress, folder: Path, api: Any = None) -> None:
    """Download a repository's card and its files of templates into a folder.

    Args:
        address: the repository.
        folder: where its files go.
        api: what to ask instead of the Hub, with the methods of `huggingface_hub.HfApi`.

    Raises:
        ImportRefused: the repository can't be reached or read, or its files are too large.
    """
    api = api or _api()
    with _explaining(address, "fetched", ImportRefused):
        info = api.dataset_info(address.repo, revision=address.revision, timeout=_SECONDS, files_metadata=True)
        wanted = [file for file in info.siblings if file.rfilename == CARD or file.rfilename.lower().endswith(SUFFIXES)]
        total = sum(file.size or 0 for file in wanted)
        if total > MAX_DOWNLOAD_BYTES:
            raise ImportRefused(
                f"The files of {address} have {total} bytes, more than the {MAX_DOWNLOAD_BYTES} that are fetched; "
                "download what you need and import the file."
            )
        api.snapshot_download(
            address.repo,
            repo_type="dataset",
            revision=info.sha,
            local_dir=folder,
            allow_patterns=[_literal(file.rfilename) for file in wanted],
        )


def publish(address: HubAddress, folder: Path, *, force: bool, public: bool, api: Any = None) -> None:
    """Upload a dataset folder as one commit, making the repository where it is missing.

    Args:
        address: the repository.
        folder: the folder with its card.
        force: whether a repository that has files of templates already gets these in their place.
        public: whether a new repository can be read by all.
        api: what to ask instead of the Hub, with the methods of `huggingface_hub.HfApi`.

    Raises:
        ExportRefused: the repository has such files already, or can't be reached or written.
    """
    api = api or _api()
    with _explaining(address, "written", ExportRefused):
        if api.repo_exists(address.repo, repo_type="dataset"):
            there = api.list_repo_files(address.repo, repo_type="dataset", revision=address.revision)
            if not force and any(name.lower().endswith(SUFFIXES) for name in there):
                raise ExportRefused(f"{address} holds data already; replace it with --force, or give another name.")
        else:
            api.create_repo(address.repo, repo_type="dataset", private=not public, exist_ok=True)
        api.upload_folder(
            repo_id=address.repo,
            folder_path=folder,
            repo_type="dataset",
            revision=address.revision,
            commit_message="Update the templates",
            delete_patterns=["data/templates.*"],
        )


def _api() -> Any:
    from huggingface_hub import HfApi
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    return HfApi(library_name="reasonflux")


def _literal(name: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", name)


@contextmanager
def _explaining(address: HubAddress, done: str, refusal: type[LibraryError]) -> Iterator[None]:
    from huggingface_hub import errors

    try:
        yield
    except errors.RepositoryNotFoundError as error:
        raise refusal(
            f"{address} can't be {done}: the Hub has no such dataset, or you may not see it; check the name, or log in "
            "with `hf auth login`."
        ) from error
    except errors.RevisionNotFoundError as error:
        raise refusal(
            f'{address} can\'t be {done}: it has no revision "{address.revision}"; check the name.'
        ) from error
    except errors.HFValidationError as error:
        raise refusal(f"{address} can't be {done}: {_first_line(error)}") from error
    except errors.OfflineModeIsEnabled as error:
        raise refusal(
            f"{address} can't be {done}: HF_HUB_OFFLINE forbids the Hub; unset it, or use a folder."
        ) from error
    except errors.HfHubHTTPError as error:
        status = getattr(getattr(error, "response", None), "status_code", None)
        hint = "log in with `hf auth login`" if status in (401, 403) else "try again later"
        raise refusal(f"{address} can't be {done}: the Hub said {_first_line(error)}; {hint}.") from error
    except _transport_errors() as error:
        raise refusal(
            f"{address} can't be {done}: the Hugging Face Hub does not answer ({_first_line(error)}); check the "
            "network, or use a local folder."
        ) from error


def _transport_errors() -> tuple[type[BaseException], ...]:
    """Return what the client's HTTP library raises; which library that is depends on the client's version."""
    from huggingface_hub.errors import HfHubHTTPError

    general = (HfHubHTTPError, Exception, BaseException, object)
    return (OSError, *(base for base in HfHubHTTPError.__mro__ if base not in general))


def _first_line(error: BaseException) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__).strip().rstrip(".")[:200]
