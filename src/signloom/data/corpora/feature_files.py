"""Features and sentences in files of neccam/slt: PHOENIX-2014-T as translators are trained on it.

Each file holds one split; see `signloom.features.slt_file`. Where every training sequence has its
glosses, the encoder may be asked to recognise them on the way.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.split_pairs import SplitPairs, path_of
from signloom.data.corpora.words import SPLITS
from signloom.data.pair import Pair
from signloom.errors import ConfigError, FormatError
from signloom.features.sequences import FeatureSequence, read_sequences
from signloom.tokens.targets import END, START
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import Unit, known_tokens, learn_vocabulary, split_glosses

STD_FLOOR = 0.01
"""Least spread of a feature, as a share of the mean spread of all."""
_LEAST_STD = 1e-5
_log = logging.getLogger(__name__)


class FeatureFiles(SplitPairs):
    """A corpus of feature sequences and what they mean.

    Args:
        source: Path of the files, with `{split}` for `train`, `dev` and `test`.
        language: ISO 639-3 code of the sign language.
        spoken_language: ISO 639-1 code of the sentences.
        least: How often a word or gloss must occur in training not to be `<unk>`.
        max_tokens: Sequences with longer sentences are left out of training.
        max_frames: Longer sequences are left out of training.

    Raises:
        ConfigError: The path has no `{split}`, or no training sequence is left.
        FormatError: A file is missing or damaged, a sequence has no frame or no text, or the files
            have different widths.
    """

    kind = "signing"
    unit: Unit = "words"
    source_kind: Literal["features"] = "features"
    source_vocabulary = None

    def __init__(
        self,
        source: str,
        *,
        language: str = "gsg",
        spoken_language: str = "de",
        least: int = 1,
        max_tokens: int = 100,
        max_frames: int = 1000,
    ) -> None:
        self.languages = (language,)
        self.spoken_language = spoken_language
        raw = {split: read_pairs(path_of(source, split, name="source")) for split in SPLITS}
        train = [
            pair
            for pair in raw["train"]
            if pair.length <= max_frames and len(pair.tokens) <= max_tokens
        ]
        if not train:
            raise ConfigError(
                f"{source} must have a training sequence of at most {max_frames} frames and "
                f"{max_tokens} tokens, but has none. Raise `corpus.max_frames`."
            )
        if len(train) < len(raw["train"]):
            _log.warning(
                "%d of %d training sequences are left out: over %d frames or %d tokens",
                *(len(raw["train"]) - len(train), len(raw["train"]), max_frames, max_tokens),
            )
        raw["train"] = train
        self.num_features = _one_width(raw, source)
        self.mean, self.std = _measure([np.asarray(pair.source) for pair in train])
        self.vocabulary: Vocabulary = learn_vocabulary(
            (pair.tokens for pair in train), least=least, special=(START, END)
        )
        self.gloss_vocabulary = (
            learn_vocabulary((pair.glosses for pair in train), least=least)
            if all(pair.glosses for pair in train)
            else None
        )
        super().__init__({split: list(map(self._known, pairs)) for split, pairs in raw.items()})

    def _known(self, pair: Pair) -> Pair:
        """Put `<unk>` for what the vocabularies do not have."""
        glosses = self.gloss_vocabulary
        return Pair(
            pair.name,
            pair.source,
            known_tokens(pair.tokens, self.vocabulary),
            pair.text,
            glosses=known_tokens(pair.glosses, glosses) if glosses else (),
        )


def read_pairs(path: Path) -> list[Pair]:
    """Read the sequences of one file and what they mean.

    Raises:
        FormatError: The file is missing or damaged, or a sequence has no frame or no text.
    """
    return [_pair(sequence, path) for sequence in read_sequences(path)]


def _pair(sequence: FeatureSequence, path: Path) -> Pair:
    tokens = split_glosses(sequence.text)
    for what, there in (("frame", sequence.num_frames), ("text", tokens)):
        if not there:
            raise FormatError(
                f"{path} sequence {sequence.name[:80]!r} must have a {what}, "
                "but has none. Leave it out of the file."
            )
    glosses = split_glosses(" ".join(sequence.glosses))
    return Pair(sequence.name, sequence.features, tokens, " ".join(tokens), glosses=glosses)


def _one_width(splits: dict[str, list[Pair]], source: str) -> int:
    widths = {split: int(np.shape(pairs[0].source)[1]) for split, pairs in splits.items()}
    if len(set(widths.values())) > 1:
        raise FormatError(
            f"{source} must have features of one width in every split, but has "
            f"{', '.join(f'{width} in {split}' for split, width in widths.items())}."
        )
    return widths["train"]


def _measure(
    sequences: Sequence[NDArray[np.float32]],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give mean and floored spread of each feature, one sequence in memory after another."""
    count = sum(map(len, sequences))
    mean = sum(rows.sum(axis=0, dtype=np.float64) for rows in sequences) / count
    squares = sum(np.square(rows - mean).sum(axis=0) for rows in sequences)
    std = np.sqrt(squares / count)
    floor = max(STD_FLOOR * float(std.mean()), _LEAST_STD)
    return mean.astype(np.float32), np.maximum(std, floor).astype(np.float32)
