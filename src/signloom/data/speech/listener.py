"""What a model hears of utterances: as they are, or varied for training."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.words import stable_hash
from signloom.data.speech.utterance import Utterance
from signloom.data.speech.variation import VariationConfig, hide, vary_sound
from signloom.features.acoustic import Acoustics

Features = NDArray[np.float32]


class Listener:
    """Gives the features of utterances [frames, features].

    Args:
        acoustics: How sound becomes features.
        variation: What training utterances are varied by.
        mean: Mean of each feature, which hidden ones become [features].
        kept: Variants of each utterance that are heard once and kept in memory, so that only what
            is hidden is drawn anew; 0 varies sound anew each time.
        frames_a_token: Frames that a token needs at least: what is varied to be shorter stays as it
            is.
        seed: Decides the variants that are kept.
    """

    def __init__(
        self,
        acoustics: Acoustics,
        variation: VariationConfig,
        *,
        mean: Features,
        kept: int = 0,
        frames_a_token: int = 0,
        seed: int = 0,
    ) -> None:
        self.acoustics = acoustics
        self._variation, self._mean, self._seed = variation, mean, seed
        self._num_kept, self._frames_a_token = kept, frames_a_token
        self._kept: dict[tuple[str, int], Features] = {}

    def hear(self, utterance: Utterance) -> Features:
        """Hear an utterance as it is."""
        return self.acoustics.compute(utterance.read())

    def hear_varied(self, utterance: Utterance, rng: np.random.Generator) -> Features:
        """Hear an utterance varied; `rng` draws how."""
        features = self._variant(utterance, rng)
        return hide(
            features, rng, self._variation, num_mels=self.acoustics.num_mels, fill=self._mean
        )

    def _variant(self, utterance: Utterance, rng: np.random.Generator) -> Features:
        if not self._num_kept:
            return self._vary(utterance, rng)
        key = utterance.name, int(rng.integers(self._num_kept))
        if key not in self._kept:
            # Not by `rng`: a resumed run meets the utterance at another step first.
            own = np.random.default_rng([self._seed, stable_hash(key[0]), key[1]])
            self._kept[key] = self._vary(utterance, own)
        return self._kept[key]

    def _vary(self, utterance: Utterance, rng: np.random.Generator) -> Features:
        samples, rate = utterance.read(), self.acoustics.rate
        varied = self.acoustics.compute(vary_sound(samples, rng, self._variation, rate=rate))
        if len(varied) < self._frames_a_token * len(utterance.tokens):
            return self.acoustics.compute(samples)  # too fast for CTC to have a path
        return varied
