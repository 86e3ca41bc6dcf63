from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from signloom.errors import ConfigError, FormatError
from signloom.features.keypoints import KeypointEstimator, Keypoints
from signloom.pipelines import extraction
from signloom.pipelines.extraction import is_frames_folder, is_video, pictures_of, pose_of
from signloom.poses.pose import Pose
from signloom.poses.skeleton import (
    LEFT_HAND,
    LEFT_SHOULDER,
    NECK,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    RIGHT_WRIST,
)
from tests.small_films import GREYS, greys, shades, write_film


class Brightness:
    """Sees a signer of 40 pixels where a picture is bright enough, a right hand where brighter."""

    def __init__(self, *, body: int = 0, hand: int = 100) -> None:
        self.body, self.hand = body, hand
        self.seen: list[int] = []
        self.resets = 0

    def reset(self) -> None:
        self.resets += 1

    def estimate(self, picture: np.ndarray) -> Keypoints:
        points, confidence = Keypoints.nobody()
        [grey] = shades([picture])
        self.seen.append(grey)
        if grey >= self.body:
            points[LEFT_SHOULDER], points[RIGHT_SHOULDER] = (60, 30, 0), (20, 30, 0)
            points[RIGHT_WRIST] = (20, 30 + grey, 0)
            confidence[[LEFT_SHOULDER, RIGHT_SHOULDER, RIGHT_WRIST]] = 0.9, 0.8, 0.5
        if grey >= self.hand:
            points[RIGHT_HAND] = points[RIGHT_WRIST] + np.arange(21)[:, None]
            confidence[RIGHT_HAND] = 1
        return Keypoints(points, confidence)


def test_a_film_becomes_a_pose_in_shoulder_widths_and_keeps_how_sure_it_is(tmp_path) -> None:
    path = write_film(tmp_path / "a.mp4", greys(7), fps=12.5)
    estimator = Brightness()
    counted: list[int] = []
    found = pose_of(path, estimator=estimator, advance=counted.append)
    assert isinstance(estimator, KeypointEstimator)
    assert estimator.resets == 1
    assert counted == [1] * 7
    assert (found.pose.num_frames, found.pose.fps) == (7, 12.5)
    assert (found.is_empty, found.warnings, found.pictures) == (False, (), None)
    np.testing.assert_allclose(found.pose.frames[:, RIGHT_SHOULDER], [[-0.5, 0, 0]] * 7)
    heights = np.array(GREYS[:7]) / 40
    np.testing.assert_allclose(found.pose.frames[:, RIGHT_WRIST, 1], heights, rtol=1e-5)
    assert found.pose.confidence[:, NECK] == pytest.approx(0.8)
    assert (found.pose.confidence[:, RIGHT_HAND] > 0).any(axis=1).tolist() == [
        grey >= 100 for grey in GREYS[:7]
    ]
    assert not found.pose.confidence[:, LEFT_HAND].any()


def test_frames_without_a_person_are_missing_and_the_others_stay(tmp_path) -> None:
    path = write_film(tmp_path / "a.mp4", greys(5))
    found = pose_of(path, estimator=Brightness(body=60))
    assert (found.pose.confidence > 0).any(axis=1).tolist() == [False, False, True, True, True]
    assert not found.is_empty
    assert not found.warnings


def test_nobody_at_all_is_an_empty_pose_with_a_warning(tmp_path) -> None:
    path = write_film(tmp_path / "a.mp4", greys(5))
    found = pose_of(path, estimator=Brightness(body=255, hand=255))
    assert found.is_empty
    assert found.warnings == (f"{path} shows nobody: no person is seen in any of its 5 frames.",)
    assert found.pose.num_frames == 5
    for name in ("a.pose", "a.json"):
        found.pose.save(tmp_path / name)
        assert not Pose.load(tmp_path / name).confidence.any()


def test_an_empty_pose_opens_in_the_library_of_its_format(tmp_path) -> None:
    from pose_format import Pose as File

    path = write_film(tmp_path / "a.mp4", greys(5))
    pose_of(path, estimator=Brightness(body=255, hand=255)).pose.save(tmp_path / "a.pose")
    body = File.read((tmp_path / "a.pose").read_bytes()).body
    assert body.data.shape[:2] == (5, 1)
    assert not body.confidence.any()


def test_hands_without_shoulders_cannot_be_placed_and_that_is_said(tmp_path) -> None:
    path = write_film(tmp_path / "a.mp4", greys(5))
    found = pose_of(path, estimator=Brightness(body=255, hand=0))
    assert found.is_empty
    assert "shows nobody who can be placed: both shoulders must be seen" in found.warnings[0]


def test_pictures_come_of_the_same_pass(tmp_path) -> None:
    path = write_film(tmp_path / "a.mp4", greys(5))
    found = pose_of(path, estimator=Brightness(), pictures_px=16)
    assert found.pictures is not None
    assert found.pictures.shape == (5, 16, 16, 3)
    assert shades(list(found.pictures)) == list(GREYS[:5])
    alone = pictures_of(path, side_px=16)
    assert alone.is_empty
    np.testing.assert_array_equal(alone.pictures, found.pictures)


def test_a_frame_that_is_shown_on_is_looked_at_once(tmp_path) -> None:
    path = write_film(tmp_path / "a.mkv", greys(3), times_ms=[0, 200, 240])
    estimator = Brightness()
    found = pose_of(path, fps=25.0, estimator=estimator)
    assert estimator.seen == [20, 40, 60]
    assert found.pose.num_frames == 7
    assert (found.pose.frames[:5] == found.pose.frames[0]).all()


def test_a_folder_of_pictures_is_a_film_at_the_rate_it_is_said_to_have(tmp_path) -> None:
    for number, picture in enumerate(greys(3)):
        Image.fromarray(picture).save(tmp_path / f"{number}.png")
    assert is_frames_folder(tmp_path)
    assert not is_video(tmp_path)
    found = pose_of(tmp_path, fps=50.0, estimator=Brightness())
    assert (found.pose.num_frames, found.pose.fps, found.warnings) == (3, 50.0, ())
    assert "25 is taken" in pose_of(tmp_path, estimator=Brightness()).warnings[0]


def test_what_does_not_hold_is_refused(tmp_path, monkeypatch) -> None:
    path = write_film(tmp_path / "a.mp4", greys(5))
    for fps in (0.0, 241.0, float("nan")):
        with pytest.raises(ConfigError, match=r"`fps` must be from 0.1 to 240"):
            pose_of(path, fps=fps, estimator=Brightness())
    monkeypatch.setattr(extraction, "MAX_PICTURE_BYTES", 4 * 16 * 16 * 3)
    with pytest.raises(FormatError, match="at most 4 frames to be seen at 16 pixels"):
        pose_of(path, estimator=Brightness(), pictures_px=16)
