"""The model stays loaded, and a path means what it means where we are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import signloom
from tests.tiny_package import write_tiny_package


def test_one_relative_path_in_two_folders_is_two_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poses = []
    for place, spread in (("here", 0.5), ("there", 0.25)):
        features = {"mean": [0.0] * 150, "std": [spread] * 150}
        write_tiny_package(tmp_path / place / "tiny", features=features)
        monkeypatch.chdir(tmp_path / place)
        poses.append(signloom.produce("hi", "./tiny"))
    assert not np.array_equal(poses[0].frames, poses[1].frames)
