"""Fixtures every test shares: a throw-away home, and the real small weights fetched once."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def throw_away_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty home, so that none reads or writes the developer's own."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("REASONFLUX_HOME", str(home))
    monkeypatch.delenv("REASONFLUX_LIBRARY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return home
