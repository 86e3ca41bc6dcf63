"""How training speech is varied: speed, loudness and noise of the sound, masks over its features.

Speed perturbation (Ko et al. 2015) resamples, which changes tempo and pitch alike; SpecAugment
(Park et al. 2019) hides bands and stretches, without warping time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from signloom.errors import ConfigError
from signloom.features.resampling import resample

Samples = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class VariationConfig:
    """What training utterances are varied by; the defaults are the paper's for AISHELL-1."""

    speeds: tuple[float, ...] = (0.9, 1.0, 1.1)
    """Factors of speed, each as likely; (1.0,) leaves it."""
    gain_db: float = field(default=0.0, metadata={"least": 0, "most": 40})
    """Louder or softer by up to so much, dB."""
    noise_share: float = field(default=0.0, metadata={"least": 0, "most": 1})
    """Share of utterances that white noise is added to."""
    noise_db: tuple[float, float] = (5.0, 30.0)
    """Its distance below the speech, dB, from and to."""
    bands: int = field(default=2, metadata={"least": 0, "most": 20})
    """Bands of frequencies that are hidden."""
    band_width: int = field(default=27, metadata={"least": 0, "most": 200})
    """Widest of them, filters."""
    stretches: int = field(default=2, metadata={"least": 0, "most": 20})
    """Stretches of time that are hidden."""
    stretch_s: float = field(default=0.4, metadata={"least": 0, "most": 10})
    """Longest of them, seconds."""
    stretch_share: float = field(default=0.2, metadata={"least": 0, "most": 1})
    """The same as a share of the utterance."""

    def check(self) -> None:
        """Refuse speeds and noises that are none.

        Raises:
            ConfigError: They are not.
        """
        if not self.speeds or not all(0.5 <= speed <= 2 for speed in self.speeds):
            raise ConfigError(
                f"`variation.speeds` must be numbers from 0.5 to 2, but are {list(self.speeds)}."
            )
        least, most = self.noise_db
        if not -20 <= least <= most <= 100:
            raise ConfigError(
                "`variation.noise_db` must go from -20 or more up to 100 or less, but is "
                f"{list(self.noise_db)}."
            )


def vary_sound(
    samples: Samples, rng: np.random.Generator, config: VariationConfig, *, rate: int
) -> Samples:
    """Change speed, loudness and noise.

    Args:
        samples: Sound from -1 to 1 [samples].
        rng: Draws everything.
        config: How much.
        rate: Samples a second.
    """
    speed = config.speeds[int(rng.integers(len(config.speeds)))]
    if speed != 1:
        samples = resample(samples, rate=round(rate * speed), to=rate)
    if config.gain_db:
        samples = samples * np.float32(10 ** (rng.uniform(-config.gain_db, config.gain_db) / 20))
    if rng.random() < config.noise_share:
        samples = add_noise(samples, rng, below_db=float(rng.uniform(*config.noise_db)))
    return np.clip(samples, -1, 1)


def add_noise(samples: Samples, rng: np.random.Generator, *, below_db: float) -> Samples:
    """Add white noise whose power lies so many dB below that of the sound.

    Example:
        >>> loud = np.ones(10_000, dtype=np.float32)
        >>> noisy = add_noise(loud, np.random.default_rng(0), below_db=20.0)
        >>> round(float((noisy - loud).std()), 2)
        0.1
    """
    power = float(np.mean(np.square(samples, dtype=np.float64))) if len(samples) else 0.0
    scale = np.float32(np.sqrt(power) * 10 ** (-below_db / 20))
    return samples + scale * rng.standard_normal(len(samples), dtype=np.float32)


def hide(
    features: NDArray[np.float32],
    rng: np.random.Generator,
    config: VariationConfig,
    *,
    num_mels: int,
    fill: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Hide bands and stretches (SpecAugment).

    Args:
        features: Features of an utterance [frames, features].
        rng: Draws everything.
        config: How much.
        num_mels: How many of the features are mel filters; the others have no bands.
        fill: What hidden features become [features], their mean.
    """
    features = features.copy()
    count = len(features)
    for _ in range(config.bands):
        width = int(rng.integers(min(config.band_width, num_mels) + 1))
        first = int(rng.integers(num_mels - width + 1))
        features[:, first : first + width] = fill[first : first + width]
    longest = int(min(100 * config.stretch_s, config.stretch_share * count))
    for _ in range(config.stretches):
        width = int(rng.integers(longest + 1))
        first = int(rng.integers(count - width + 1))
        features[first : first + width] = fill
    return features
