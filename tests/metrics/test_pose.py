import time

import numpy as np
import pytest
from numpy.typing import NDArray

from signloom.metrics.pose import (
    align,
    aligned_joint_error,
    arm_joints,
    bone_length_ratios,
    frame_distances,
    signing_arm_error,
    signing_hand_error,
    signing_side,
)
from signloom.poses.skeleton import LEFT_WRIST, RIGHT_HAND, RIGHT_WRIST, UPPER_BODY_50


def random_frames(frames: int, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=(frames, 50, 3)).astype(np.float32)


def naive_cost(distances: NDArray[np.float64]) -> float:
    totals = np.full(np.add(distances.shape, 1), np.inf)
    totals[0, 0] = 0
    for row in range(distances.shape[0]):
        for column in range(distances.shape[1]):
            before = min(totals[row, column], totals[row, column + 1], totals[row + 1, column])
            totals[row + 1, column + 1] = distances[row, column] + before
    return float(totals[-1, -1])


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (7, 1), (3, 11), (13, 5), (9, 9)])
def test_alignment_is_as_cheap_as_the_naive_loop(shape: tuple[int, int]) -> None:
    distances = np.random.default_rng(1).random(shape)
    found = align(distances)
    assert found.cost == pytest.approx(naive_cost(distances))
    assert distances[tuple(found.pairs.T)].sum() == pytest.approx(found.cost)


def test_alignment_runs_from_corner_to_corner_in_legal_steps() -> None:
    pairs = align(np.random.default_rng(2).random((7, 11))).pairs
    assert pairs[0].tolist() == [0, 0]
    assert pairs[-1].tolist() == [6, 10]
    steps = np.diff(pairs, axis=0)
    assert ((steps >= 0) & (steps <= 1)).all()
    assert (steps.sum(axis=1) >= 1).all()


def test_distances_are_those_of_their_norm() -> None:
    first, second = random_frames(3), random_frames(5, seed=1)
    apart = (first[:, None] - second[None]).reshape(3, 5, -1).astype(np.float64)
    np.testing.assert_allclose(
        frame_distances(first, second), np.linalg.norm(apart, axis=-1), rtol=1e-6
    )
    np.testing.assert_allclose(
        frame_distances(first, second, norm="l1"), np.abs(apart).sum(axis=-1), rtol=1e-6
    )


def test_a_slower_copy_has_no_error() -> None:
    frames = random_frames(7)
    slower = np.repeat(frames, 3, axis=0)
    assert aligned_joint_error(slower, frames) == 0.0


def test_a_constant_offset_is_its_own_error_but_not_the_hands() -> None:
    frames = random_frames(11)
    moved = frames.copy()
    moved[:, arm_joints("right")] += np.float32([0.03, 0.04, 0])
    assert signing_arm_error(moved, frames, side="right") == pytest.approx(0.05, rel=1e-4)
    assert signing_arm_error(moved, frames, side="left") == 0.0
    assert signing_hand_error(moved, frames, side="right") == pytest.approx(0.0, abs=1e-6)


def test_the_side_that_moves_signs() -> None:
    frames = np.zeros((5, 50, 3), np.float32)
    frames[:, LEFT_WRIST, 0] = np.arange(5)
    assert signing_side(frames) == "left"
    frames[:, RIGHT_WRIST, 1] = 2 * np.arange(5)
    assert signing_side(frames) == "right"


def test_shrunk_hands_show_in_their_bones_only() -> None:
    frames = random_frames(5)
    frames[:, RIGHT_HAND.start] = frames[:, RIGHT_WRIST]
    shrunk = frames.copy()
    root = shrunk[:, [RIGHT_WRIST]]
    shrunk[:, RIGHT_HAND] = root + np.float32(0.9) * (shrunk[:, RIGHT_HAND] - root)
    ratios = bone_length_ratios(shrunk, frames, UPPER_BODY_50.bones)
    for bone, ratio in zip(UPPER_BODY_50.bones, ratios, strict=True):
        if bone == (RIGHT_WRIST, RIGHT_HAND.start):
            assert np.isnan(ratio)
        else:
            assert ratio == pytest.approx(0.9 if bone[0] in range(8, 29) else 1.0, rel=1e-4)


def test_three_hundred_frames_align_in_tens_of_milliseconds() -> None:
    first, second = random_frames(300), random_frames(300, seed=1)
    took = []
    for _ in range(3):
        start = time.process_time()
        align(frame_distances(first, second))
        took.append(time.process_time() - start)
    assert min(took) < 0.25
