"""Which frame each slot of a decoder is fed: slot `i` gets frame `i - shift`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]


def slot_frames(position: int, slots: int, *, shift: int, velocity_span: int) -> Ids:
    """List the frames that a pass is fed: for slot `i` frame `i - shift`, after the span before.

    Indices before the sequence are clipped to its first frame, so that the first velocity is zero.
    Training and decoding both use this function.

    Example:
        >>> slot_frames(8, 3, shift=8, velocity_span=2).tolist()
        [0, 0, 0, 1, 2]
        >>> slot_frames(5, 1, shift=1, velocity_span=3).tolist()
        [1, 2, 3, 4]
    """
    first = position - shift - velocity_span
    return np.maximum(np.arange(first, position - shift + slots), 0)
