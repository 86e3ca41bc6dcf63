"""Recorded speech that a reader lists, as a corpus to learn from.

Tokens are the words of what is said, or its characters. The vocabulary is that of the training
split; what else occurs is `<unk>`. Sound is read when it is asked for, from where it is.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from signloom.data.corpora.drawing import draw_utterances
from signloom.data.corpora.words import SPLITS
from signloom.data.speech.listed import list_recorded
from signloom.data.speech.utterance import Utterance
from signloom.errors import ConfigError
from signloom.tokens.targets import END, START
from signloom.tokens.transcripts import SpokenUnit
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import UNKNOWN, known_tokens, learn_vocabulary

_log = logging.getLogger(__name__)
LEAST_S = 0.1
_NAMED = 20


class RecordedSpeech:
    """A corpus of recordings, tokenised.

    Args:
        reader: Name of the speech reader.
        folder: Where the data is.
        options: Of the reader, `name=value` each.
        spoken_language: ISO 639-1 code of what is said.
        unit: What a token is.
        rate: Samples a second that sound is brought to.
        least: How often a token must occur in training not to be `<unk>`.
        max_s: Longer utterances are left out of training, as those shorter than 0.1 s are.

    Raises:
        ConfigError: The reader or an option does not hold, the corpus is of another language, or
            no training utterance fits.
        FormatError: The reader can list nothing, or an utterance does not hold.
    """

    def __init__(
        self,
        reader: str,
        folder: Path,
        options: Sequence[str] = (),
        *,
        spoken_language: str,
        unit: SpokenUnit = "characters",
        rate: int = 16000,
        least: int = 1,
        max_s: float = 20.0,
    ) -> None:
        about, found = list_recorded(
            reader, folder, options, spoken_language=spoken_language, unit=unit, rate=rate
        )
        self.source, self.licence = about.name, about.licence
        self.spoken_language, self.rate = spoken_language, rate
        self.unit: SpokenUnit = unit
        train = [one for one in found["train"] if LEAST_S <= one.duration_s <= max_s]
        self._tell_left_out(found["train"], train, max_s=max_s)
        if not train:
            raise ConfigError(
                f"{folder} must have a training utterance of {LEAST_S:g} to {max_s:g} s, but has "
                "none. Set `corpus.max_s`, or split it otherwise."
            )
        self.max_s = max(one.duration_s for one in train)
        tokens = (one.tokens for one in train)
        self.vocabulary: Vocabulary = learn_vocabulary(tokens, least=least, special=(START, END))
        self._tell_unknown([*found["dev"], *found["test"]])
        self._kept = {
            split: [self._known(one) for one in (train if split == "train" else found[split])]
            for split in SPLITS
        }

    def examples(self, split: str) -> Sequence[Utterance]:
        """List the utterances of a split; of an absent split none."""
        return self._kept[split]

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Utterance]:
        """Draw a batch of utterances; see `SpeechCorpus`."""
        rows = self._kept[split]
        return draw_utterances(rows, rng, train=split == "train", size=size, pool=pool)

    def _known(self, utterance: Utterance) -> Utterance:
        return replace(utterance, tokens=known_tokens(utterance.tokens, self.vocabulary))

    def _tell_left_out(
        self, found: Sequence[Utterance], kept: Sequence[Utterance], *, max_s: float
    ) -> None:
        left = len(found) - len(kept)
        long = sum(one.duration_s > max_s for one in found)
        if left:
            _log.warning(
                f"{self.source}: {left} of {len(found)} training utterances are left out, {long} "
                f"longer than {max_s:g} s and {left - long} shorter than {LEAST_S:g} s."
            )

    def _tell_unknown(self, utterances: Sequence[Utterance]) -> None:
        counts = Counter(token for one in utterances for token in one.tokens)
        unknown = [token for token in counts if token not in self.vocabulary]
        if unknown:
            times = sum(counts[token] for token in unknown)
            named = ", ".join(unknown[:_NAMED]) + ", ..." * (len(unknown) > _NAMED)
            _log.warning(
                f"{self.source}: {len(unknown)} tokens of dev and test, {times} times, are not in "
                f"the vocabulary of training and become {UNKNOWN}: {named}."
            )
