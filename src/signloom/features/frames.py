"""Any array to features of frames, checked before memory is taken for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.features.bounded import MAX_BYTES

MAX_FRAMES = 50_000
"""Most frames of a sequence: 33 minutes at 25 fps."""


def as_features(values: NDArray[Any], place: str, *, max_frames: int) -> NDArray[np.float32]:
    """Copy an array as features.

    Args:
        values: Any array.
        place: What messages call it.
        max_frames: Most frames.

    Returns:
        float32 [frames, features]; perhaps of no frame.

    Raises:
        FormatError: It is not [frames, features] of finite real numbers with at least one feature,
            or has too many frames.
    """
    if values.ndim != 2 or values.dtype.kind not in "fiu" or not values.shape[1]:
        raise FormatError(
            f"{place} must be real numbers [frames, features], but is {values.dtype} "
            f"{list(values.shape)}."
        )
    if len(values) > max_frames:
        raise FormatError(
            f"{place} must have at most {max_frames} frames, but has {len(values)}. "
            "Cut the video into utterances."
        )
    if 4 * values.size > MAX_BYTES:
        raise FormatError(
            f"{place} must have at most {MAX_BYTES // 4} numbers, but has {values.size}."
        )
    with np.errstate(over="ignore"):  # what overflows is refused as not finite
        features = np.array(values, dtype=np.float32, order="C")
    finite = np.isfinite(features).all(axis=1)
    if not finite.all():
        raise FormatError(
            f"{place} must hold finite numbers, but frame {int(finite.argmin())} does not."
        )
    return features
