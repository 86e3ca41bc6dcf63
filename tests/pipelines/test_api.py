"""The model stays loaded, and a path means what it means where we are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import signloom
from signloom.features.keypoints import Keypoints
from tests.tiny_package import write_tiny_package
from tests.tiny_recognizers import film_of, write_pictures, write_tiny_watcher


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


def test_a_film_is_extracted_and_recognised_with_its_warnings(tmp_path: Path) -> None:
    watcher = write_tiny_watcher(tmp_path / "watcher").path
    pictures = write_pictures(tmp_path / "frames", film_of(0, 2, 0, 1))
    assert signloom.recognize(str(pictures), watcher).text == "SUN RAIN"
    dark = write_pictures(tmp_path / "dark", film_of(0))
    with pytest.warns(UserWarning, match="Nothing is read"):
        assert signloom.recognize(dark, watcher).text == ""


def test_a_pose_is_found_in_a_film_by_ones_own_estimator(tmp_path: Path) -> None:
    class Nobody:
        def reset(self) -> None:
            pass

        def estimate(self, picture: np.ndarray) -> Keypoints:
            return Keypoints.nobody()

    pictures = write_pictures(tmp_path / "frames", film_of(1, 2, frames=5))
    with pytest.warns(UserWarning, match="shows nobody"):
        pose = signloom.extract(str(pictures), fps=10.0, estimator=Nobody())
    assert (pose.num_frames, pose.fps, pose.confidence.max()) == (10, 10.0, 0)
