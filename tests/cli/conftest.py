"""The real program, run in this process, with one small model package to be found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from signloom.cli.app import main
from tests.tiny_package import write_tiny_package


@dataclass(frozen=True)
class Outcome:
    """What a run left on the terminal."""

    code: int
    stdout: str
    stderr: str


Run = Callable[..., Outcome]


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write_tiny_package(folder / "tiny")
    return folder


@pytest.fixture
def run(
    models: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run `signloom` in an empty folder; arguments are converted to strings."""
    monkeypatch.setenv("SIGNLOOM_MODELS", str(models))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)

    def run_program(*arguments: object, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run_program
