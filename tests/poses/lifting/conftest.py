"""A signer made of bones whose lengths and depth are known."""

from __future__ import annotations

import numpy as np
import pytest

from signloom.poses.lifting.bones import CHILDREN, PARENTS, template
from signloom.poses.skeleton import HEAD, LEFT_SHOULDER, RIGHT_SHOULDER


def known_signer(frames: int) -> np.ndarray:
    """Make joints [frames, 50, 3] of the template's lengths.

    Every bone swings in the image and now and then leans towards the camera; in between it lies
    flat, so that its length can be seen.
    """
    random = np.random.default_rng(frames)
    times = np.arange(frames)[:, None] / 25
    phases = random.uniform(0, 2 * np.pi, (3, len(CHILDREN)))
    heading = np.full(len(CHILDREN), np.pi / 2)
    heading[CHILDREN == HEAD] = -np.pi / 2
    heading[CHILDREN == LEFT_SHOULDER], heading[CHILDREN == RIGHT_SHOULDER] = 0.0, np.pi
    angles = heading + 0.5 * np.sin(2 * times + phases[0])
    leans = np.maximum(0, 1.2 * np.sin(1.3 * times + phases[1]))
    flat = np.cos(leans)
    directions = np.stack([flat * np.cos(angles), flat * np.sin(angles), -np.sin(leans)], axis=-1)
    joints = np.zeros((frames, 50, 3))
    lengths = template()
    for bone, (parent, child) in enumerate(zip(PARENTS, CHILDREN, strict=True)):
        joints[:, child] = joints[:, parent] + lengths[bone] * directions[:, bone]
    return joints


@pytest.fixture(scope="session")
def signer() -> np.ndarray:
    """Eleven seconds of the known signer."""
    return known_signer(275)
