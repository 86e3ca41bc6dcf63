"""Sentences of clips: the clips stay as they are, what is between them is smooth."""

from __future__ import annotations

import numpy as np
import pytest

from signloom.data.readers.joining import join
from signloom.poses.completion import complete
from signloom.poses.pose import Pose
from signloom.poses.skeleton import LEFT_HAND, RIGHT_HAND, RIGHT_WRIST
from tests.data.small_corpus import moving_frames


def clip(count: int, seed: int, *, shift: float = 0.0, hidden: slice | None = None) -> Pose:
    frames = np.repeat(moving_frames(1, seed=seed), count, axis=0)
    frames[:, 2:] += np.float32(shift)
    confidence = np.ones((count, 50), dtype=np.float32)
    if hidden is not None:
        confidence[:, hidden] = 0
    return Pose(frames, confidence)


def test_clips_are_kept_bit_for_bit_with_transitions_between_them() -> None:
    clips = [clip(3, 0), clip(5, 1), clip(2, 2)]
    joined = join(clips, transition_frames=7)
    assert joined.num_frames == 3 + 7 + 5 + 7 + 2
    for start, part in zip((0, 10, 22), clips, strict=True):
        np.testing.assert_array_equal(joined.frames[start : start + len(part)], part.frames)


def test_a_transition_moves_in_small_steps_and_keeps_the_length_of_fingers() -> None:
    first, second = clip(1, 0), clip(1, 0, shift=0.8)
    frames = join([first, second], transition_frames=9).frames
    way = np.linalg.norm(second.frames[0, RIGHT_WRIST] - first.frames[0, RIGHT_WRIST])
    steps = np.linalg.norm(np.diff(frames[:, RIGHT_WRIST], axis=0), axis=-1)
    assert steps.max() < 0.25 * way
    assert steps[0] < steps[4] > steps[-1]
    finger = np.linalg.norm(frames[:, 13] - frames[:, 14], axis=-1)
    np.testing.assert_allclose(finger, finger[0], rtol=1e-4)


def test_one_clip_is_itself_and_no_transition_is_a_cut() -> None:
    assert join([clip(3, 0)], transition_frames=4) == clip(3, 0)
    cut = join([clip(3, 0), clip(2, 1)], transition_frames=0)
    np.testing.assert_array_equal(cut.frames[3:], clip(2, 1).frames)


def test_a_hand_that_a_clip_does_not_show_is_missing_there_and_in_the_transition() -> None:
    joined = join([clip(3, 0), clip(2, 1, hidden=LEFT_HAND)], transition_frames=4)
    assert (joined.confidence[:3] == 1).all()
    assert (joined.confidence[3:, LEFT_HAND] == 0).all()
    assert (joined.confidence[3:, RIGHT_HAND] == 1).all()
    filled = complete(joined).frames
    assert np.abs(np.diff(filled[3:, LEFT_HAND], axis=0)).max() < 0.3


@pytest.mark.parametrize("transition_frames", [1, 2, 6])
def test_every_value_is_finite(transition_frames: int) -> None:
    same = clip(2, 3)
    assert np.isfinite(join([same, same], transition_frames=transition_frames).frames).all()
