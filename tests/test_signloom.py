"""The public surface is small, imported when used, and free of what makes models."""

from __future__ import annotations

import subprocess
import sys

import pytest

import signloom


def test_every_public_name_is_there_and_listed() -> None:
    for name in signloom.__all__:
        assert getattr(signloom, name) is not None
        assert name in dir(signloom)
    assert len(signloom.__all__) <= 20


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'produces'"):
        _ = signloom.produces


def modules_after(code: str) -> set[str]:
    code += "\nimport sys; print(*(name.split('.')[0] for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_signloom_imports_nothing_heavy() -> None:
    heavy = {"numpy", "onnxruntime", "rich", "tempfile", "pose_format", "PIL", "av", "torch"}
    assert modules_after("import signloom") & heavy == set()


def test_the_command_line_imports_nothing_heavy_before_it_runs_a_verb() -> None:
    heavy = {"numpy", "onnxruntime", "rich", "tempfile", "pose_format", "PIL", "av", "torch"}
    assert modules_after("import signloom.cli.app") & heavy == set()


def test_running_never_imports_what_makes_models() -> None:
    making = {"torch", "lightning", "pydantic", "jaxtyping", "onnx", "spoken_to_signed"}
    code = "import signloom; [getattr(signloom, name) for name in signloom.__all__]"
    code += "\nimport signloom.cli.single, signloom.cli.batch, signloom.cli.translating"
    code += ", signloom.cli.recognizing, signloom.cli.extracting, signloom.cli.transcribing"
    code += ", signloom.cli.captioning"
    assert modules_after(code) & making == set()
