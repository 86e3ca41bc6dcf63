"""The program tells what it is, honestly."""

from __future__ import annotations

import pytest

import signloom
from tests.cli.conftest import Run


@pytest.mark.parametrize("arguments", [("--help",), ("produce", "--help"), ("produce", "-h")])
def test_help_says_that_the_default_model_only_fingerspells(
    run: Run, arguments: tuple[str, ...]
) -> None:
    done = run(*arguments)
    words = " ".join(done.stdout.split())
    assert done.code == 0
    assert "fingerspells" in words
    assert "no face" in words
    assert "no grammar" in words


def test_the_version_is_shown(run: Run) -> None:
    assert run("--version").stdout == f"signloom {signloom.__version__}\n"
