"""Fixtures every test shares: a throw-away home, and the real small weights fetched once."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says something of the machine, nothing of the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(autouse=True)
def throw_away_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty home, so that none reads or writes the developer's own."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("REASONFLUX_HOME", str(home))
    monkeypatch.delenv("REASONFLUX_LIBRARY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return home


def _real_weights(name: str) -> Path:
    from reasonflux.commands.settings import weights_dir
    from reasonflux.models import weights

    outer = os.environ.get("REASONFLUX_WEIGHTS")
    return weights.pull(name, weights_dir(Path(outer) if outer else None))


@pytest.fixture(scope="session")
def small_model_path() -> Path:
    """Return the GGUF file of the smallest chat model, fetched on a machine's first run."""
    return _real_weights("smollm2-135m")


@pytest.fixture(scope="session")
def embedder_path() -> Path:
    """Return the folder of the default embedder, fetched on a machine's first run."""
    return _real_weights("all-minilm-l6-v2")


@pytest.fixture(scope="session", autouse=True)
def signals_as_in_a_terminal() -> None:
    """Let children be ended by signals also where the tests were started in the background, which ignores some."""
    for name in ("SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL)
