"""A recording is brought to the model's rate and size, and is cut only where it must be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from signloom.errors import ConfigError, FormatError
from signloom.pipelines.extraction import Extraction
from signloom.pipelines.recognition_input import prepare
from signloom.poses.mirror import SWAPPED, mirror_pose
from signloom.poses.normalize import to_features
from signloom.poses.pose import Pose
from signloom.poses.skeleton import LEFT_HAND, Skeleton
from signloom.runtime.recognize_settings import RecognizeSettings
from tests.tiny_translator import spelled

SETTINGS = RecognizeSettings(
    name="tiny", kind="fingerspelling", languages=("ase",), spoken_language="en", max_frames=50
)


def hidden(pose: Pose, joints: slice) -> Pose:
    confidence = pose.confidence.copy()
    confidence[:, joints] = 0
    return Pose(pose.frames, confidence, pose.fps)


def test_joints_that_were_not_seen_are_put_in_and_told() -> None:
    pose = spelled("ab")
    [piece] = prepare(hidden(pose, LEFT_HAND), SETTINGS).pieces
    assert (piece.start, piece.clip.num_frames) == (0, pose.num_frames)
    assert piece.clip.features is not None
    assert np.isfinite(piece.clip.features).all()
    confidence = piece.clip.confidence
    assert confidence is not None
    assert set(np.unique(confidence[:, LEFT_HAND])) == {0.0}
    assert (np.delete(confidence, np.r_[LEFT_HAND], axis=1) == 1).all()


def test_a_recording_is_brought_to_the_frame_rate_of_the_model() -> None:
    pose = spelled("ab", fps=50.0)
    prepared = prepare(pose, SETTINGS)
    [piece] = prepared.pieces
    assert piece.clip.num_frames == round(pose.num_frames / 2)
    assert prepared.duration_s == pytest.approx(pose.num_frames / 50)


def test_a_left_handed_speller_is_turned_round_and_what_was_seen_with_him() -> None:
    pose = hidden(spelled("ab"), LEFT_HAND)
    pictures = np.random.default_rng(0).integers(0, 255, (pose.num_frames, 5, 5, 3), np.uint8)
    inputs = ("poses", "confidence", "pictures")
    settings = replace(SETTINGS, inputs=inputs, picture_px=5)
    [right] = prepare(Extraction(pose, pictures), settings).pieces
    [left] = prepare(Extraction(mirror_pose(pose), pictures), settings).pieces
    assert np.array_equal(left.clip.features, right.clip.features)
    assert np.array_equal(left.clip.confidence, right.clip.confidence)
    assert np.array_equal(left.clip.pictures, pictures[:, :, ::-1])
    assert not np.array_equal(pose.confidence, pose.confidence[:, SWAPPED])
    # Signs differ by hand: only letters are turned round.
    [signed] = prepare(mirror_pose(pose), replace(SETTINGS, unit="glosses")).pieces
    assert not np.array_equal(signed.clip.features, right.clip.features)


def test_only_a_recording_that_is_too_long_is_cut() -> None:
    pose = spelled("ab", "ba", "a")
    settings = replace(SETTINGS, max_frames=pose.num_frames)
    assert len(prepare(pose, settings).pieces) == 1
    pieces = prepare(pose, replace(SETTINGS, max_frames=30)).pieces
    assert len(pieces) == 3
    ends = [piece.start + piece.clip.num_frames for piece in pieces]
    assert all(end <= after.start for end, after in zip(ends, pieces[1:], strict=False))
    for piece, end in zip(pieces, ends, strict=True):
        assert np.array_equal(piece.clip.features, to_features(pose.frames[piece.start : end]))


def test_pictures_are_cut_from_their_middle() -> None:
    pose = spelled("a")
    pictures = np.random.default_rng(0).integers(0, 255, (pose.num_frames, 9, 9, 3), np.uint8)
    settings = replace(SETTINGS, inputs=("pictures",), picture_px=5, resized_px=9)
    prepared = prepare(Extraction(pose, pictures), settings)
    [piece] = prepared.pieces
    assert np.array_equal(piece.clip.pictures, pictures[:, 2:7, 2:7])


@pytest.mark.parametrize("warnings", [(), ("x.mp4 shows nobody.",)])
def test_nobody_is_no_piece_but_a_warning(warnings: tuple[str, ...]) -> None:
    nobody = hidden(spelled("a"), slice(0, 50))
    prepared = prepare(Extraction(nobody, warnings=warnings), SETTINGS)
    assert prepared.pieces == ()
    assert len(prepared.warnings) == 1
    assert "nobody" in prepared.warnings[0].lower()


def test_what_a_model_cannot_read_is_refused() -> None:
    with pytest.raises(ConfigError, match="tiny looks at pictures, but a pose has none"):
        prepare(spelled("a"), replace(SETTINGS, inputs=("poses", "pictures"), picture_px=5))
    with pytest.raises(FormatError, match="at most 30 frames at once, but there are 38 at 25 fps"):
        prepare(spelled("abcd"), replace(SETTINGS, max_frames=30))
    with pytest.raises(FormatError, match="but a piece without a pause has 38 at 25 fps"):
        prepare(spelled("abcd", "a"), replace(SETTINGS, max_frames=30))
    two = Skeleton("two", ("a", "b"), ((0, 1),))
    pose = Pose(np.zeros((3, 2, 3), np.float32), np.ones((3, 2), np.float32), skeleton=two)
    with pytest.raises(FormatError, match="Poses of upper_body_50 can be read, but this one is of"):
        prepare(pose, SETTINGS)
    pictures = np.zeros((31, 5, 5, 3), np.uint8)
    seen = Extraction(Pose.of(np.zeros((31, 50, 3), np.float32)), pictures)
    with pytest.raises(FormatError, match="at most 30 frames at once, but there are 31"):
        prepare(seen, replace(SETTINGS, inputs=("pictures",), picture_px=5, max_frames=30))
