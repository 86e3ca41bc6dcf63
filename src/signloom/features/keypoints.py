"""What finds the joints of a signer in a picture, whoever does it."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from signloom.features.footage import Picture
from signloom.poses.skeleton import UPPER_BODY_50


class Keypoints(NamedTuple):
    """The joints of one signer in one picture.

    Attributes:
        points: float32 [50, 3] in pixels, x to the right and y down; depth in pixels too, 0 where
            it is not known, that of a hand relative to its wrist.
        confidence: 0 (not seen) to 1, float32 [50].
    """

    points: NDArray[np.float32]
    confidence: NDArray[np.float32]

    @staticmethod
    def nobody() -> Keypoints:
        """Give what is seen where no one is."""
        joints = UPPER_BODY_50.num_joints
        return Keypoints(np.zeros((joints, 3), np.float32), np.zeros(joints, np.float32))


@runtime_checkable
class KeypointEstimator(Protocol):
    """Finds the joints of the signer in pictures that follow one another."""

    def reset(self) -> None:
        """Forget the pictures so far: another film begins."""

    def estimate(self, picture: Picture) -> Keypoints:
        """Find the joints in the next picture, uint8 [height, width, 3]."""
        ...
