"""Change a pose's frame rate or its speed, by linear interpolation between frames."""

from __future__ import annotations

import math

import numpy as np

from signloom.errors import FormatError
from signloom.poses.pose import MAX_FPS, Pose

MAX_FRAMES = 1_000_000


def resample(pose: Pose, fps: float) -> Pose:
    """Give the same movement at another frame rate; its duration holds to half a frame.

    Raises:
        FormatError: The frame rate is not above 0 and at most 240, or gives too many frames.
    """
    if not 0 < fps <= MAX_FPS:
        raise FormatError(f"`fps` must be above 0 and at most {MAX_FPS:g}, but is {fps}.")
    return pose if fps == pose.fps else _stepped(pose, step=pose.fps / fps, fps=fps)


def change_speed(pose: Pose, factor: float) -> Pose:
    """Give the same movement faster (factor above 1) or slower (below 1), at its frame rate.

    Raises:
        FormatError: The factor is not above 0 and finite, or gives too many frames.
    """
    if not (math.isfinite(factor) and factor > 0):
        raise FormatError(f"`factor` must be above 0 and finite, but is {factor}.")
    return _stepped(pose, step=factor, fps=pose.fps)


def _stepped(pose: Pose, *, step: float, fps: float) -> Pose:
    """Take a frame every `step` frames."""
    count = max(1, round(pose.num_frames / step))
    if count > MAX_FRAMES:
        raise FormatError(f"At most {MAX_FRAMES} frames can be made, but {count} were asked for.")
    places = np.minimum(np.arange(count) * step, pose.num_frames - 1)
    before = np.floor(places).astype(np.int64)
    after = np.minimum(before + 1, pose.num_frames - 1)
    share = (places - before).astype(np.float32)[:, None]
    confidence = (1 - share) * pose.confidence[before] + share * pose.confidence[after]
    # A joint that only one of the two frames has stays where that frame has it.
    weight_before = (1 - share) * (pose.confidence[before] > 0)
    weight_after = share * (pose.confidence[after] > 0)
    total = weight_before + weight_after
    pull = (weight_after / np.where(total > 0, total, 1))[..., None]
    frames = (1 - pull) * pose.frames[before] + pull * pose.frames[after]
    return Pose(frames, np.where(total > 0, confidence, 0), fps, pose.skeleton)
