"""METEOR is that of pycocoevalcap where Java is there; what is not there is not 0."""

from __future__ import annotations

import shutil
import sys

import pytest

from signloom.metrics.java_captions import java_measures
from tests.metrics.golden_captions import read_golden

ABSENT = {"meteor": None, "spice": None}
PAIR = ([["a", "cat"]], [[["a", "cat"], ["the", "cat"]]])
FAILING = """class Meteor:
    def compute_score(self, wanted, found):
        raise BrokenPipeError(32, "Broken pipe")
"""


def write_program(folder) -> None:
    (folder / "java").write_text("#!/bin/sh\nexit 1\n")
    (folder / "java").chmod(0o755)


def test_without_java_there_are_none(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert java_measures(*PAIR) == ABSENT


def test_a_java_that_fails_is_named_and_measures_nothing(tmp_path, monkeypatch, caplog) -> None:
    write_program(tmp_path)
    (tmp_path / "pycocoevalcap/meteor").mkdir(parents=True)
    (tmp_path / "pycocoevalcap/spice").mkdir()
    (tmp_path / "pycocoevalcap/meteor/meteor.py").write_text(FAILING)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.startswith("pycocoevalcap")]:
        monkeypatch.delitem(sys.modules, name)
    assert java_measures(*PAIR) == ABSENT
    assert "METEOR is not available" in caplog.text
    assert "Broken pipe" in caplog.text
    for name in [name for name in sys.modules if name.startswith("pycocoevalcap")]:
        del sys.modules[name]


def test_captions_of_coco_measure_as_by_pycocoevalcap(data_dir) -> None:
    pytest.importorskip("pycocoevalcap.meteor.meteor", reason="pycocoevalcap is not installed")
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    _, found, wanted, values = read_golden(data_dir)
    expected = values["first200_by_id"]["METEOR"]
    assert java_measures(found[:200], wanted[:200])["meteor"] == pytest.approx(expected, abs=1e-4)
