"""Fixtures that every test may use."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

# Two threads crawl on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")

if importlib.util.find_spec("torch") is not None:
    import torch

    torch.set_num_threads(1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep the tests of a module together, but give each document to whoever is free."""
    if config.getvalue("dist") != "loadscope":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByDocument(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            document = "test_every_block_of_a_document_runs" in nodeid
            return nodeid if document else super()._split_scope(nodeid)

    return ByDocument(config, log)


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


@pytest.fixture(scope="session")
def clean_variables() -> dict[str, str]:
    """What the environment says, less what could lead back to the checkout."""
    dropped = ("PYTHONPATH", "SIGNLOOM_MODELS", "SIGNLOOM_DATA", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in dropped}


@pytest.fixture(scope="session")
def wheel(repository, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    done = subprocess.run([*build, str(repository)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    [path] = folder.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def clean_scripts(wheel, clean_variables, tmp_path_factory) -> Path:
    """Folder of the programs of a new environment in which the wheel is installed."""
    folder = tmp_path_factory.mktemp("clean") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    install = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", str(wheel)]
    done = subprocess.run(install, env=clean_variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "bin"
