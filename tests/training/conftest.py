"""The tiny random model that training is tried on."""

from pathlib import Path

import pytest

from tests.training.tiny import make_model


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Let a model this small not wait for threads."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tiny random model; nobody writes into it."""
    return make_model(tmp_path_factory.mktemp("model") / "tiny")
