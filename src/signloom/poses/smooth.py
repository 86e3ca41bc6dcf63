"""A Savitzky-Golay filter over time (five points, quadratic), whole or frame by frame.

It takes away the seams that a decoder leaves where its blocks meet. Each frame becomes the middle
of the parabola that fits it and its two neighbours on either side best, so that steady, speeding
and slowing motion all pass unchanged: a binomial filter of the same width shortens every gesture
and bends fingers shorter. In streaming it looks two frames ahead; the streamed result equals the
whole one bit for bit, whatever the block sizes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TAPS = (-3 / 35, 12 / 35, 17 / 35, 12 / 35, -3 / 35)
LOOK_AHEAD = len(TAPS) // 2


class SavitzkyGolay:
    """Smooth a stream of frames; its edges are continued by repeating the first and last frame.

    Example:
        >>> stream = SavitzkyGolay()
        >>> [len(stream.push(np.ones((size, 2), np.float32))) for size in (1, 3, 5)]
        [0, 2, 5]
        >>> len(stream.flush())
        2
    """

    def __init__(self) -> None:
        self._window: NDArray[np.float32] | None = None

    def push(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        """Take the next frames [frames, ...] and give those that are ready.

        All but the last two frames pushed so far have been given when this returns.
        """
        block = np.asarray(block, dtype=np.float32)
        if len(block) == 0:
            return block
        if self._window is None:
            self._window = np.repeat(block[:1], LOOK_AHEAD, axis=0)
        window = np.concatenate([self._window, block])
        self._window = window[-2 * LOOK_AHEAD :]
        return _convolve(window)

    def flush(self) -> NDArray[np.float32]:
        """Give the frames still held back and start afresh."""
        if self._window is None:
            return np.zeros(0, dtype=np.float32)
        last = np.repeat(self._window[-1:], LOOK_AHEAD, axis=0)
        window = np.concatenate([self._window, last])
        self._window = None
        return _convolve(window)


def smooth(frames: NDArray[np.float32]) -> NDArray[np.float32]:
    """Smooth a whole sequence [frames, ...]; as many frames come out as go in."""
    stream = SavitzkyGolay()
    ready = stream.push(frames)
    return np.concatenate([ready, stream.flush()]) if len(frames) else ready


def _convolve(window: NDArray[np.float32]) -> NDArray[np.float32]:
    """Filter what has both neighbours: `len(window) - 4` frames, none if that is below 1."""
    ready = len(window) - 2 * LOOK_AHEAD
    if ready <= 0:
        return window[:0]
    result = np.float32(TAPS[0]) * window[:ready]
    for offset in range(1, len(TAPS)):
        result = result + np.float32(TAPS[offset]) * window[offset : offset + ready]
    return result
