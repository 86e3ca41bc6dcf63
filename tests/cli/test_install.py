"""`signloom models install`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run
from tests.tiny_package import write_tiny_package


def test_a_package_is_installed_and_runs_by_name(run: Run) -> None:
    write_tiny_package(Path("made") / "another")
    done = run("models", "install", "made/another", "--json")
    assert done.code == 0
    assert json.loads(done.stdout)["name"] == "another"
    assert run("produce", "hi", "--model", "another", "-o", "x.pose").code == 0
    again = run("models", "install", "made/another")
    assert again.code == 2
    assert "Replace it with --overwrite" in again.stderr
    assert run("models", "install", "made/another", "--overwrite").code == 0


def test_what_is_no_package_is_refused(run: Run) -> None:
    Path("folder").mkdir()
    for source in ("folder", "nothing.zip"):
        done = run("models", "install", source)
        assert (done.code, done.stderr.count("\n")) == (2, 1)
