"""Turn the decoded features of passages into one movement without a jump.

Each passage is filtered by itself and put back into coordinates; from the last frame of one
passage to the first of the next runs a bridge of minimum jerk. Everything happens as frames
arrive, so what is streamed is what is produced whole.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from signloom.poses.normalize import Standardiser, from_features
from signloom.poses.smooth import SavitzkyGolay
from signloom.poses.transition import between
from signloom.runtime.settings import ProduceSettings

Floats = npt.NDArray[np.float32]

MIN_BRIDGE_FRAMES = 3
MAX_BRIDGE_FRAMES = 50
MAX_BRIDGE_STEP = 0.1
_PEAK_OVER_MEAN_SPEED = 1.875


def bridge(before: Floats, after: Floats) -> Floats:
    """Give the frames between two frames [joints, 3]: a minimum-jerk movement.

    It takes as many frames as keep every joint's step below `MAX_BRIDGE_STEP` shoulder widths,
    from 3 up to 50.
    """
    distance = float(np.linalg.norm(after - before, axis=-1).max())
    steps = int(np.ceil(_PEAK_OVER_MEAN_SPEED * distance / MAX_BRIDGE_STEP))
    num_frames = min(max(steps - 1, MIN_BRIDGE_FRAMES), MAX_BRIDGE_FRAMES)
    return between(before, after, num_frames)


class Joiner:
    """Takes the features of one passage after the other, gives coordinates.

    Attributes:
        starts: First frame of each passage begun so far.
        num_frames: Frames given so far, bridges included.
    """

    def __init__(self, settings: ProduceSettings) -> None:
        self.starts: list[int] = []
        self.num_frames = 0
        self._standardiser = Standardiser.from_dict(dict(settings.features))
        self._filter = SavitzkyGolay() if settings.output_filter else None
        self._last: Floats | None = None
        self._is_inside = False

    def push(self, features: Floats, *, is_last: bool) -> Floats:
        """Take the next features of a passage, give the frames [frames, joints, 3] that are ready.

        Args:
            features: Standardised features [frames, features].
            is_last: Whether the passage ends with them; the next ones begin another.
        """
        if self._filter:
            features = self._filter.push(features)
            if is_last:
                held = self._filter.flush()
                features = np.concatenate([features, held]) if len(features) else held
        frames = from_features(self._standardiser.invert(features))
        if len(frames) and not self._is_inside:
            between = frames[:0] if self._last is None else bridge(self._last, frames[0])
            self.starts.append(self.num_frames + len(between))
            frames = np.concatenate([between, frames])
            self._is_inside = True
        if is_last:
            self._is_inside = False
        if len(frames):
            self._last = frames[-1]
        self.num_frames += len(frames)
        return frames
