"""Fixtures that every test may use."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

# Two threads crawl on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")

if importlib.util.find_spec("torch") is not None:
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real data that the variable `SIGNLOOM_DATA` names (see CONTRIBUTING)."""
    value = os.environ.get("SIGNLOOM_DATA")
    if not value:
        pytest.skip("SIGNLOOM_DATA is not set: CONTRIBUTING.md says which data it names")
    folder = Path(value)
    if not folder.is_dir():
        pytest.fail(f"SIGNLOOM_DATA must name a folder, but {folder} is none")
    return folder
