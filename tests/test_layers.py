"""Running never imports PyTorch: the contracts cover every package, and imports agree."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

RUNNING = ("pipelines", "runtime", "metrics", "search", "features", "poses", "tokens", "errors")
ALSO_WITHOUT_TORCH = ("evaluation", "serving", "cli")
MAY_IMPORT_TORCH = ("signloom.data.collate", "signloom.data.augment")
IMPORT_ALL = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(*sorted({"torch", "lightning", "onnx"} & set(sys.modules)))
"""


def module_names(source: Path, room: str) -> list[str]:
    """Return the dotted names of every module in one room of the package."""
    folder = source / "signloom" / room
    paths = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    parts = [path.relative_to(source).with_suffix("").parts for path in paths if path.is_file()]
    return [".".join(part for part in name if part != "__init__") for name in parts]


def making_libraries_after(names: list[str]) -> str:
    """Import the modules in a fresh interpreter; return the making libraries that came along."""
    command = [sys.executable, "-c", IMPORT_ALL, *names]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def contracts(repository) -> list[dict]:
    with (repository / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["tool"]["importlinter"]["contracts"]


def test_the_contract_names_every_running_package_there_is(repository, contracts):
    present = {f"signloom.{room}" for room in RUNNING if module_names(repository / "src", room)}
    [contract] = [each for each in contracts if each["name"].startswith("Running")]
    assert present - set(contract["source_modules"]) == set()


def test_importing_every_running_module_leaves_torch_out(repository):
    names = [name for room in RUNNING for name in module_names(repository / "src", room)]
    assert "signloom.errors" in names
    assert making_libraries_after(names) == ""


def test_importing_every_data_module_but_two_leaves_torch_out(repository):
    names = set(module_names(repository / "src", "data")) - set(MAY_IMPORT_TORCH)
    assert making_libraries_after(sorted(names)) == ""


def test_importing_the_package_and_its_commands_and_reports_leaves_torch_out(repository):
    source = repository / "src"
    names = [name for room in ALSO_WITHOUT_TORCH for name in module_names(source, room)]
    assert making_libraries_after(["signloom", *names]) == ""
