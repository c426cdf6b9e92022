"""Where things are: flags first, then the environment, then `reasonflux.toml` in the home folder, then defaults."""

import tomllib
from pathlib import Path
from typing import Any

from reasonflux.errors import ConfigError, UsageError

SETTINGS_FILE = "reasonflux.toml"
TABLES = ("solve", "lint")
"""The tables that the settings file may hold."""


def home_dir(flag: Path | None) -> Path:
    """Return the folder of runs, libraries and settings (the platform's user-data folder by default)."""
    if flag is not None:
        return flag.expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("reasonflux", appauthor=False))


def weights_dir(flag: Path | None) -> Path:
    """Return the folder of model weights (the platform's user-cache folder by default)."""
    if flag is not None:
        return flag.expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_cache_dir("reasonflux", appauthor=False)) / "weights"


def library_path(flag: str | None, home: Path) -> Path:
    """Return the database file of a library given by name or path.

    A value with a path separator or the suffix `.db` is a path, anything else a name under `home/libraries`.

    Raises:
        UsageError: the value is empty.
    """
    value = "default" if flag is None else flag
    if not value.strip():
        raise UsageError("--library is empty; give the name or the path of a library.")
    if "/" in value or "\\" in value or value.endswith(".db"):
        return Path(value).expanduser().absolute()
    return home / "libraries" / f"{value}.db"


def library_name(flag: str | None, home: Path) -> str | None:
    """Return the library that was asked for, else the one in the table [solve] of the settings file, else None.

    Raises:
        ConfigError: the file can't be used, or names the library by anything but a text.
    """
    if flag is not None:
        return flag
    found = read_settings(home).get("solve", {}).get("library")
    if found is not None and (not isinstance(found, str) or not found.strip()):
        where = f"[solve] of {home / SETTINGS_FILE}"
        raise ConfigError(f"Setting library in {where} can't be used: it is no text, or an empty one.")
    return found


def read_settings(home: Path) -> dict[str, Any]:
    """Return the settings file's content, empty when there is none.

    Raises:
        ConfigError: the file is not TOML or can't be read, or holds anything but known tables.
    """
    path = home / SETTINGS_FILE
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"The settings file {path} can't be read: {error}.") from error
    for name, table in found.items():
        if name not in TABLES:
            known = " and ".join(f"[{known}]" for known in TABLES)
            raise ConfigError(f"Setting {name} in {path} is unknown; settings stand under {known}.")
        if not isinstance(table, dict):
            raise ConfigError(f"Setting {name} in {path} can't be used: it is no table.")
    return found
