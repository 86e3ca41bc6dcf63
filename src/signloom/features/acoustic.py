"""What a speech model reads of a sound: log-mel energies and, behind them, pitch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from signloom.features.fbank import fbank
from signloom.features.pitch.extract import pitch

NUM_PITCH = 3


@dataclass(frozen=True, kw_only=True)
class Acoustics:
    """How sound becomes features.

    Attributes:
        rate: Samples a second.
        num_mels: Mel filters.
        pitch: Whether the three pitch features of Kaldi follow.
    """

    rate: int
    num_mels: int = 80
    pitch: bool = True

    @property
    def num_features(self) -> int:
        """Numbers of one frame."""
        return self.num_mels + NUM_PITCH * self.pitch

    def compute(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give the features of a sound [frames, num_features], a frame every 10 ms.

        Args:
            samples: Sound from -1 to 1 [samples], finite.
        """
        energies = fbank(samples, rate=self.rate, num_mels=self.num_mels)
        if not self.pitch:
            return energies
        tones = pitch(samples, rate=self.rate)
        count = min(len(energies), len(tones))
        return np.concatenate([energies[:count], tones[:count]], axis=1)
