"""`make demo` spells a phrase; an unfit Python is refused in one line."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.fixture
def clone(repository, tmp_path) -> Path:
    """What a fresh clone would hold: the files that git knows or would take."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=repository, check=True, capture_output=True, text=True)
    for name in filter(None, names.stdout.split("\0")):
        if (repository / name).is_file():
            target = tmp_path / "clone" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(repository / name, target)
    return tmp_path / "clone"


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Not the variables of the `make test` around this test, nor its interpreter's.
    dropped = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "PYTHONPATH", "VIRTUAL_ENV")
    variables = {name: value for name, value in os.environ.items() if name not in dropped}
    return subprocess.run(
        ["make", *arguments], cwd=folder, env=variables, capture_output=True, text=True
    )


@pytest.mark.slow
@pytest.mark.wheel
def test_the_demo_spells_a_phrase_with_the_base_alone(clone, clean_scripts):
    (clone / ".venv").symlink_to(clean_scripts.parent)
    (clone / ".venv/.stamp").touch()
    done = make(clone, "demo")
    assert done.returncode == 0, done.stderr
    for suffix in ("pose", "mp4", "gif", "png"):
        path = clone / "demo_output" / f"phrase.{suffix}"
        assert path.stat().st_size > 0
        assert str(path) in done.stdout


def test_a_missing_python_is_named(clone):
    done = make(clone, "demo", "PYTHON=no-such-python")
    assert done.returncode != 0
    assert "needs Python 3.11 or newer, but `no-such-python` was not found" in done.stderr


def test_an_old_python_is_refused(clone, tmp_path):
    old = tmp_path / "python3.9"
    old.write_text('#!/bin/sh\ntest "$1" = --version && echo "Python 3.9.2"\n', encoding="utf-8")
    old.chmod(0o755)
    done = make(clone, "test", f"PYTHON={old}")
    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stderr
    assert "Python 3.9.2" in done.stderr
    assert not (clone / ".venv-dev").exists()


def test_every_target_is_named_by_help(clone, repository):
    lines = (repository / "Makefile").read_text(encoding="utf-8").splitlines()
    [phony] = [line for line in lines if line.startswith(".PHONY:")]
    said = make(clone).stdout
    assert [name for name in phony.split()[2:] if f"make {name} " not in said] == []
