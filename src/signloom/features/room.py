"""Room around a passage that was cut in the middle of sound, as recordings of one word often are.

Models learn words with something before and behind them. What begins or ends at once is therefore
given a moment of its own faintest noise there.
"""

from __future__ import annotations

import numpy as np

from signloom.features.loudness import FRAME_S
from signloom.features.resampling import Samples

ROOM_S = 0.1
"""Enough: of 300 single digits of development 251 are heard without it, 291 with it."""
ABRUPT = 2**0.5
"""An edge that is so much louder than the faintest moment, 3 dB, is in the middle of sound."""


def with_room(samples: Samples, *, rate: int, most: int) -> tuple[Samples, int]:
    """Give a passage room where it begins or ends abruptly.

    Args:
        samples: The passage, from -1 to 1 [samples].
        rate: Samples a second.
        most: Samples of the longest that may come of it; there is no room beyond it.

    Returns:
        The passage itself, or with what was put around it, and how many samples come before it.
    """
    frame = max(1, round(FRAME_S * rate))
    room = min(round(ROOM_S * rate), (most - len(samples)) // 2)
    if room < 1 or len(samples) < frame:
        return samples, 0
    whole = samples[: len(samples) // frame * frame].reshape(-1, frame)
    faintest = whole.std(axis=1).min()
    before, behind = (
        room if edge.std() > ABRUPT * faintest else 0
        for edge in (samples[:frame], samples[-frame:])
    )
    # The same every time, so that a recording is always heard alike.
    noise = faintest * np.random.default_rng(0).standard_normal(before + behind, dtype=np.float32)
    return np.concatenate([noise[:before], samples, noise[before:]]), before
