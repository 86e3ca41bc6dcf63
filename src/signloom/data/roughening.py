"""What training clips are roughened by, so that the judge is fair to smoothed and noisy output.

Nothing here pulls handshapes towards each other: the judge stays strict about shape. Numpy only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from signloom.data.example import Example
from signloom.poses.normalize import from_features, to_features
from signloom.poses.skeleton import LEFT_WRIST, RIGHT_WRIST
from signloom.poses.smooth import smooth

KNOT_FRAMES = 6
SMOOTH_NOISE = 0.02
WHITE_NOISE = 0.006
DRIFT = 0.05
STILL_LETTERS = 5
"""Different letters without which a mean pose could still look like one of them."""


def roughen(frames: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Filter, shift and disturb one utterance.

    Half of the utterances pass the output filter of production, half of these twice. All get
    smooth noise, white noise (both on body and hands relative to their wrist) and a constant shift
    of each arm from the wrist on, of strengths drawn anew.

    Args:
        frames: Positions in shoulder widths, float32 [frames, 50, 3].
        rng: Source of chance.
    """
    for _ in range(int(rng.choice(3, p=(0.5, 0.25, 0.25)))):
        frames = smooth(frames)
    features = to_features(frames)
    noise = smooth_noise(features.shape, rng) * rng.uniform(0, SMOOTH_NOISE)
    noise += rng.standard_normal(features.shape, dtype=np.float32) * rng.uniform(0, WHITE_NOISE)
    for joint in (RIGHT_WRIST, LEFT_WRIST):
        noise[:, 3 * joint : 3 * joint + 3] += rng.normal(size=3) * rng.uniform(0, DRIFT)
    return from_features(features + noise.astype(np.float32))


def hold_still(frames: NDArray[np.float32]) -> NDArray[np.float32]:
    """Hold the mean pose of an utterance for as long as the utterance takes.

    A recogniser that never sees this reads some letter in it, so that not moving earns a hit in
    every tenth letter.
    """
    return np.repeat(frames.mean(axis=0, keepdims=True), len(frames), axis=0)


def smooth_noise(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw unit noise [frames, features] at every sixth frame and join it by straight lines."""
    knots = rng.standard_normal((shape[0] // KNOT_FRAMES + 3, shape[1]), dtype=np.float32)
    place = (np.arange(shape[0], dtype=np.float32) + rng.integers(KNOT_FRAMES)) / KNOT_FRAMES
    before = place.astype(np.int64)
    share = (place - before)[:, None].astype(np.float32)
    return np.asarray((1 - share) * knots[before] + share * knots[before + 1])


def roughen_some(
    examples: Sequence[Example], rng: np.random.Generator, *, still_share: float
) -> tuple[list[Example], list[bool]]:
    """Roughen training utterances, a share of them held still; tell which."""
    still = [
        len(set(one.tokens)) >= STILL_LETTERS and rng.random() < still_share for one in examples
    ]
    frames = [
        roughen(hold_still(one.frames) if held else one.frames, rng)
        for one, held in zip(examples, still, strict=True)
    ]
    return [replace(one, frames=row) for one, row in zip(examples, frames, strict=True)], still
