"""Where things are: flags first, then the environment, then `reasonflux.toml` in the home folder, then defaults."""

import tomllib
from pathlib import Path
from typing import Any

from reasonflux.errors import ConfigError

SETTINGS_FILE = "reasonflux.toml"


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
    """
    value = flag or "default"
    if "/" in value or "\\" in value or value.endswith(".db"):
        return Path(value).expanduser().absolute()
    return home / "libraries" / f"{value}.db"


def read_settings(home: Path) -> dict[str, Any]:
    """Return the settings file's content, empty when there is none.

    Raises:
        ConfigError: the file is not TOML or can't be read.
    """
    path = home / SETTINGS_FILE
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"The settings file {path} can't be read: {error}.") from error
