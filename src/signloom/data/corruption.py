"""Frames spoiled on purpose, to measure what a recogniser still reads: blurred, misplaced, unseen.

The paper that attention was brought in by names blurred pictures and misplaced keypoints as the
reason (STAMF, fig. 6). Everything follows from the generator alone, so that models with and without
attention see the same damage.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.poses.skeleton import LEFT_HAND, LEFT_WRIST, RIGHT_HAND, RIGHT_WRIST

BLUR = 0.05
"""Spread of the blur as a part of a picture's height."""
REACH = 0.5
"""Shoulder widths that a hand is misplaced by at most."""
JITTER = 0.03
"""Spread of the noise of each joint of a misplaced hand, in shoulder widths."""


def choose_spoiled(num_frames: int, rng: np.random.Generator, *, share: float) -> NDArray[np.bool_]:
    """Choose a share of the frames, rounded to whole frames; bool [frames]."""
    spoiled = np.zeros(num_frames, dtype=np.bool_)
    spoiled[rng.permutation(num_frames)[: round(share * num_frames)]] = True
    return spoiled


def blur(
    film: NDArray[np.uint8], spoiled: NDArray[np.bool_], *, spread: float = BLUR
) -> NDArray[np.uint8]:
    """Blur the pictures of spoiled frames.

    Args:
        film: uint8 [frames, height, width, 3].
        spoiled: Which frames, bool [frames].
        spread: Standard deviation of the blur as a part of the height.
    """
    from PIL import Image, ImageFilter

    gauss = ImageFilter.GaussianBlur(spread * film.shape[1])
    blurred = film.copy()
    for number in np.flatnonzero(spoiled):
        blurred[number] = np.asarray(Image.fromarray(film[number]).filter(gauss))
    return blurred


def misplace_hands(
    frames: NDArray[np.float32],
    spoiled: NDArray[np.bool_],
    rng: np.random.Generator,
    *,
    reach: float = REACH,
    jitter: float = JITTER,
) -> NDArray[np.float32]:
    """Put the hands of spoiled frames elsewhere, as an estimator does that takes them for others.

    Each hand is shifted with its wrist in the plane of the picture, in every frame anew, and its
    joints are then scattered.

    Args:
        frames: Positions in shoulder widths, float32 [frames, 50, 3].
        spoiled: Which frames, bool [frames].
        rng: Source of chance.
        reach: How far at most.
        jitter: Standard deviation of the scatter.
    """
    misplaced = frames.copy()
    where = np.flatnonzero(spoiled)
    for wrist, hand in ((RIGHT_WRIST, RIGHT_HAND), (LEFT_WRIST, LEFT_HAND)):
        joints = [wrist, *range(hand.start, hand.stop)]
        angle = rng.uniform(0, 2 * np.pi, len(where))
        distance = rng.uniform(0, reach, len(where))
        shift = np.stack([np.cos(angle), np.sin(angle), np.zeros(len(where))], axis=-1)
        scatter = rng.normal(scale=jitter, size=(len(where), len(joints), 3))
        moved = (distance[:, None] * shift)[:, None] + scatter
        misplaced[np.ix_(where, joints)] += moved.astype(np.float32)
    return misplaced


def drop_joints(
    confidence: NDArray[np.float32], rng: np.random.Generator, *, share: float
) -> NDArray[np.float32]:
    """Take the confidence of a share of all joints of all frames away.

    Args:
        confidence: float32 [frames, 50].
        rng: Source of chance.
        share: How many, 0 to 1, rounded to whole joints.
    """
    dropped = confidence.copy()
    dropped.flat[rng.permutation(confidence.size)[: round(share * confidence.size)]] = 0
    return dropped
