"""From joints to the features a model learns, and back.

Hands are taken relative to their own wrist, so that a handshape looks the same wherever the hand
is; the body stays where it is. Each of the 150 dimensions is then standardised, with a floor
under its spread so that a joint that hardly moves is not blown up to noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.skeleton import LEFT_HAND, LEFT_WRIST, RIGHT_HAND, RIGHT_WRIST

NUM_FEATURES = 150
STD_FLOOR = 0.03


def to_features(frames: NDArray[np.float32]) -> NDArray[np.float32]:
    """Make each hand relative to its wrist and flatten the joints.

    Args:
        frames: Positions in shoulder widths [..., 50, 3].

    Returns:
        Features [..., 150], joint after joint.
    """
    joints = np.array(frames, dtype=np.float32)
    joints[..., RIGHT_HAND, :] -= joints[..., RIGHT_WRIST : RIGHT_WRIST + 1, :]
    joints[..., LEFT_HAND, :] -= joints[..., LEFT_WRIST : LEFT_WRIST + 1, :]
    return joints.reshape(*joints.shape[:-2], NUM_FEATURES)


def from_features(features: NDArray[np.float32]) -> NDArray[np.float32]:
    """Put each hand back on its wrist; the inverse of `to_features`.

    Args:
        features: Features [..., 150].

    Returns:
        Positions in shoulder widths [..., 50, 3].
    """
    features = np.asarray(features)
    joints = np.array(features, dtype=np.float32).reshape(*features.shape[:-1], 50, 3)
    joints[..., RIGHT_HAND, :] += joints[..., RIGHT_WRIST : RIGHT_WRIST + 1, :]
    joints[..., LEFT_HAND, :] += joints[..., LEFT_WRIST : LEFT_WRIST + 1, :]
    return joints


@dataclass(frozen=True, eq=False)
class Standardiser:
    """Subtract a mean and divide by a spread, dimension by dimension.

    Attributes:
        mean: float32 [150].
        std: float32 [150], at least `STD_FLOOR` (.03 shoulder widths).
    """

    mean: NDArray[np.float32]
    std: NDArray[np.float32]

    def __post_init__(self) -> None:
        mean = np.asarray(self.mean, dtype=np.float32)
        std = np.asarray(self.std, dtype=np.float32)
        for name, values in (("mean", mean), ("std", std)):
            if values.shape != (NUM_FEATURES,) or not np.isfinite(values).all():
                raise FormatError(
                    f"Feature `{name}` must be {NUM_FEATURES} finite numbers, "
                    f"but has shape {list(values.shape)} or holds NaN or infinity."
                )
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "std", np.maximum(std, np.float32(STD_FLOOR)))

    @classmethod
    def fit(cls, features: NDArray[np.float32]) -> Standardiser:
        """Measure mean and spread over every axis but the last."""
        rows = np.asarray(features, dtype=np.float64).reshape(-1, NUM_FEATURES)
        return cls(rows.mean(axis=0).astype(np.float32), rows.std(axis=0).astype(np.float32))

    def apply(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Standardise features [..., 150]."""
        return ((features - self.mean) / self.std).astype(np.float32, copy=False)

    def invert(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Undo `apply`."""
        return (features * self.std + self.mean).astype(np.float32, copy=False)

    def to_dict(self) -> dict[str, list[float]]:
        """Give plain lists, as `config.json` stores them."""
        return {"mean": self.mean.tolist(), "std": self.std.tolist()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Standardiser:
        """Read what `to_dict` gave.

        Raises:
            FormatError: A list is missing, of the wrong length or not finite.
        """
        try:
            mean, std = (np.asarray(values[key], dtype=np.float32) for key in ("mean", "std"))
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(
                f"Feature statistics must hold the lists `mean` and `std`: {error!r}."
            ) from error
        return cls(mean, std)
