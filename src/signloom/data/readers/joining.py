"""Clips of single signs put one after the other: sentences that nobody signed as a whole.

Between two clips the arms move by minimum jerk and the bones of the hands turn, as in the
fingerspelling corpus; head and shoulders slide. A joint is unseen in a transition if either clip
does not show it there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.motion import blend
from signloom.poses.completion import ARMS, complete
from signloom.poses.pose import Pose
from signloom.poses.skeleton import BODY
from signloom.poses.transition import minimum_jerk

Frames = NDArray[np.float32]
RIGHT_FIRST = ARMS[::-1]


def join(clips: Sequence[Pose], *, transition_frames: int) -> Pose:
    """Join clips of one frame rate.

    Args:
        clips: Poses of our 50 joints, one or more.
        transition_frames: Frames between two clips, 0 or more.

    Returns:
        The clips as they are, with transitions between them.
    """
    filled = [complete(clip).frames for clip in clips]
    frames, confidence = [clips[0].frames], [clips[0].confidence]
    way = minimum_jerk(np.arange(1, transition_frames + 1) / (transition_frames + 1))
    for number, (before, after) in enumerate(pairwise(clips), 1):
        if transition_frames:
            frames.append(_between(filled[number - 1][-1], filled[number][0], way))
            seen = np.minimum(before.confidence[-1], after.confidence[0])
            confidence.append(np.repeat(seen[None], transition_frames, axis=0))
        frames.append(after.frames)
        confidence.append(after.confidence)
    return Pose(np.concatenate(frames), np.concatenate(confidence), clips[0].fps)


def _between(start: Frames, end: Frames, way: NDArray[np.float32]) -> Frames:
    """Move from one frame [50, 3] to another."""
    count = len(way)
    starts, ends = (np.repeat(_arms(frame)[None], count, axis=0) for frame in (start, end))
    arms = blend(starts, ends, way)
    frames = np.empty((count, 50, 3), dtype=np.float32)
    frames[:, BODY] = start[BODY] + way[:, None, None] * (end - start)[BODY]
    for side, (_, elbow, wrist, hand) in enumerate(RIGHT_FIRST):
        frames[:, [elbow, wrist]] = arms[:, side, :2]
        frames[:, hand] = arms[:, side, 2:] + arms[:, side, 1:2]
    return frames


def _arms(frame: Frames) -> Frames:
    """Give both arms of a frame [2, 23, 3] as `corpora.motion` has them, the right one first."""
    return np.stack(
        [
            np.concatenate([frame[[elbow, wrist]], frame[hand] - frame[wrist]])
            for _, elbow, wrist, hand in RIGHT_FIRST
        ]
    )
