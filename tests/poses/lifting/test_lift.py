"""Joints are lifted from the image to where they were in space."""

from __future__ import annotations

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses.lifting.bones import CHILDREN, PARENTS
from signloom.poses.lifting.depth import TOLERANCE
from signloom.poses.lifting.lift import lift
from signloom.poses.pose import Pose
from signloom.poses.skeleton import LEFT_ELBOW, LEFT_HAND, LEFT_WRIST, NECK, RIGHT_HAND

SKELS_PER_SHOULDER_WIDTH = 3


def seen_from_front(joints: np.ndarray) -> Pose:
    return Pose.of((joints * [1, 1, 0]).astype(np.float32))


def bone_ratios(frames: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(frames[:, CHILDREN] - frames[:, PARENTS], axis=-1)
    return lengths / lengths.sum(axis=1, keepdims=True)


def distances(found: np.ndarray, true: np.ndarray) -> np.ndarray:
    return np.linalg.norm(found - true, axis=-1)


def test_a_known_signer_gets_its_depth_back(signer):
    lifted = lift(seen_from_front(signer)).frames
    assert distances(lifted, signer).mean() < 0.05
    assert np.abs(signer[..., 2]).mean() > 0.5  # what leaving it flat would cost
    assert np.corrcoef(lifted[..., 2].ravel(), signer[..., 2].ravel())[0, 1] > 0.99


def test_joints_stay_where_the_image_shows_them(signer):
    lifted = lift(seen_from_front(signer)).frames
    assert distances(lifted[..., :2], signer[..., :2]).max() < TOLERANCE + 1e-3
    assert (lifted[:, NECK] == 0).all()


def test_bone_ratios_are_the_same_in_every_frame_whatever_the_noise(signer):
    noise = np.random.default_rng(5).normal(0, 0.01, signer.shape)
    ratios = bone_ratios(lift(seen_from_front(signer + noise)).frames)
    assert (ratios.std(axis=0) / ratios.mean(axis=0)).max() < 1e-4


def test_depth_that_is_there_is_not_looked_at(signer):
    deep = Pose.of(signer.astype(np.float32))
    assert lift(deep) == lift(seen_from_front(signer))


def test_lifting_twice_gives_the_same(signer):
    assert lift(seen_from_front(signer)) == lift(seen_from_front(signer))


@pytest.mark.parametrize(("joint", "away"), [(LEFT_WRIST, 2.0), (LEFT_HAND.start + 8, 0.7)])
def test_an_outlying_joint_is_mended(signer, joint, away):
    broken = signer.copy()
    broken[[31, 32, 77], joint, 0] += away
    mended = lift(seen_from_front(broken))
    off = distances(mended.frames[..., :2], signer[..., :2])
    assert off[[31, 32, 77], joint].max() < 0.05
    assert np.median(mended.confidence[[31, 32, 77], joint]) == 0.5


def test_a_lost_hand_is_carried_by_its_wrist(signer):
    pose = seen_from_front(signer)
    confidence = pose.confidence.copy()
    confidence[100:105, LEFT_HAND] = 0
    lifted = lift(Pose(pose.frames, confidence, pose.fps))
    assert distances(lifted.frames[100:105, LEFT_HAND], signer[100:105, LEFT_HAND]).max() < 0.25
    assert (lifted.confidence[100:105, LEFT_HAND] == 0.5).all()


def test_a_hand_that_is_never_seen_stays_missing(signer):
    pose = seen_from_front(signer)
    confidence = pose.confidence.copy()
    confidence[:, RIGHT_HAND] = 0
    lifted = lift(Pose(pose.frames, confidence, pose.fps))
    assert (lifted.confidence[:, RIGHT_HAND] == 0).all()
    assert (lifted.confidence[:, LEFT_HAND] == 1).all()


def test_a_hand_whose_arm_is_never_seen_is_lifted_on_its_own(signer):
    pose = seen_from_front(signer)
    confidence = np.zeros_like(pose.confidence)
    confidence[:, LEFT_HAND] = 1
    lifted = lift(Pose(pose.frames, confidence, pose.fps)).frames[:, LEFT_HAND]
    assert (lifted[:, 0, 2] == 0).all()
    true = signer[:, LEFT_HAND] - signer[:, LEFT_HAND][:, :1]
    assert np.abs(lifted[..., 2] - true[..., 2]).mean() < 0.1 * np.abs(true[..., 2]).mean()


def test_one_frame_gets_depth_where_a_bone_is_far_too_short(signer):
    pose = seen_from_front(signer[:1])
    frames = pose.frames.copy()
    frames[0, LEFT_ELBOW] = (0.5, 0.1, 0)
    lifted = lift(Pose.of(frames))
    assert lifted.num_frames == 1
    assert lifted.frames[0, LEFT_ELBOW, 2] < -0.3


def test_all_joints_in_one_point_are_still_lifted_to_numbers():
    lifted = lift(Pose.of(np.zeros((3, 50, 3), dtype=np.float32)))
    assert np.isfinite(lifted.frames).all()


def test_a_pose_of_which_nothing_was_seen_is_refused():
    nothing = Pose(np.zeros((7, 50, 3), np.float32), np.zeros((7, 50), np.float32))
    with pytest.raises(FormatError, match="must have a joint that was seen"):
        lift(nothing)


def test_real_sequences_get_most_of_their_depth_back(data_dir):
    folder = data_dir / "sign/phoenix14t_skels_sample"
    lines = [line for path in sorted(folder.glob("*.skels")) for line in path.open()]
    assert len(lines) == 15
    errors, flat_errors, correlations, moved = [], [], [], []
    for line in lines:
        values = np.array(line.split(), dtype=np.float64).reshape(-1, 151)[:, :150]
        # The files' depth grows towards the camera, ours away from it.
        true = values.reshape(-1, 50, 3) * SKELS_PER_SHOULDER_WIDTH * [1, 1, -1]
        lifted = lift(seen_from_front(true)).frames
        errors.append(distances(lifted, true).mean())
        flat_errors.append(np.abs(true[..., 2]).mean())
        correlations.append(np.corrcoef(lifted[..., 2].ravel(), true[..., 2].ravel())[0, 1])
        moved.append(np.quantile(distances(lifted[..., :2], true[..., :2]), 0.95))
    assert np.mean(errors) < 0.08 < 0.4 < np.mean(flat_errors)
    assert np.mean(correlations) > 0.93
    assert max(moved) < 0.01
