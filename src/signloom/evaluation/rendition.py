"""What one system made of one text, and the rows of a report that systems are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Frames = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Rendition:
    """A text as poses.

    Attributes:
        frames: What a user gets, positions [frames, 50, 3] in shoulder widths.
        raw: The same before the output filter, if there is one.
        num_passes: Decoder passes that it took, if it was decoded.
        due_passes: What its model's schedule takes for so many frames.
    """

    frames: Frames
    raw: Frames | None = None
    num_passes: int | None = None
    due_passes: int | None = None

    @property
    def unfiltered(self) -> Frames:
        """The frames before the output filter, or as they are if there is none."""
        return self.frames if self.raw is None else self.raw


Row = Callable[[Sequence[str]], list[Rendition]]
