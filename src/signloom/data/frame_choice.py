"""Which frames of a clip are taken: one choice for its joints, its confidences and its pictures.

Frames are repeated or left out, never blended, because two pictures cannot be.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def frames_at_rate(num_frames: int, *, fps: float, to_fps: float) -> NDArray[np.int64]:
    """Give the frame that is shown at each moment of another frame rate.

    As many as `poses.retime.resample` gives, int64 [frames].

    Example:
        >>> frames_at_rate(5, fps=30.0, to_fps=15.0).tolist()
        [0, 2]
    """
    count = max(1, round(num_frames * to_fps / fps))
    places = np.round(np.arange(count) * (fps / to_fps))
    return np.minimum(places, num_frames - 1).astype(np.int64)


def vary_frames(
    num_frames: int,
    rng: np.random.Generator,
    *,
    rescale: float = 0.2,
    dropped: float = 0.0,
    least: int = 1,
) -> NDArray[np.int64]:
    """Play a training clip slower or faster, and leave out some of its frames by chance.

    Args:
        num_frames: Its length.
        rng: Source of chance.
        rescale: It becomes longer or shorter by at most this part of its length.
        dropped: Part of the frames that is then left out, the first and the last like any other.
        least: Frames that stay at least, such as those that CTC needs for the glosses of the clip;
            a clip that is shorter to begin with is not made longer for it.

    Returns:
        Indices of frames in order, int64 [frames].
    """
    least = max(1, min(least, num_frames))
    count = max(least, round(num_frames * (1 + rng.uniform(-rescale, rescale))))
    played = np.round(np.linspace(0, num_frames - 1, count)).astype(np.int64)
    kept = max(least, round(count * (1 - dropped)))
    if kept == count:
        return played
    return np.asarray(played[np.sort(rng.permutation(count)[:kept])])
