"""Glosses and sentences in parallel text files: line n of one belongs to line n of the other.

The files of PHOENIX-2014-T as the field hands them round: `phoenix2014T.<split>.gloss` and
`phoenix2014T.<split>.de`, tokens parted by spaces.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.pair_corpus import SourceKind
from signloom.data.corpora.split_pairs import SplitPairs, path_of
from signloom.data.corpora.words import SPLITS
from signloom.data.pair import Pair
from signloom.errors import ConfigError, FormatError
from signloom.poses.formats.plain import read_plain
from signloom.tokens.targets import END, START
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import Unit, known_tokens, learn_vocabulary, split_glosses

MAX_TEXT_BYTES = 2**30
"""Largest file of lines that is read."""
_NOTHING = np.zeros(0, dtype=np.float32)


class ParallelText(SplitPairs):
    """A corpus of text pairs.

    Args:
        source: Path of the glosses, with `{split}` for `train`, `dev` and `test`.
        target: Path of the sentences, likewise.
        language: ISO 639-3 code of the sign language.
        spoken_language: ISO 639-1 code of the sentences.
        least: How often a token must occur in training not to be `<unk>`.
        max_tokens: Longer sentences, and longer sources, are left out of training.

    Raises:
        ConfigError: A path has no `{split}`, or no training pair is left.
        FormatError: A file is missing, is no text, or two files have different numbers of lines.
    """

    kind = "signing"
    unit: Unit = "words"
    source_kind: SourceKind = "glosses"
    num_features = 0
    mean: NDArray[np.float32] = _NOTHING
    std: NDArray[np.float32] = _NOTHING
    gloss_vocabulary = None

    def __init__(
        self,
        source: str,
        target: str,
        *,
        language: str = "gsg",
        spoken_language: str = "de",
        least: int = 1,
        max_tokens: int = 100,
    ) -> None:
        self.languages = (language,)
        self.spoken_language = spoken_language
        raw = {split: _read_pairs(source, target, split) for split in SPLITS}
        raw["train"] = [
            pair
            for pair in raw["train"]
            if 0 < pair.length <= max_tokens and 0 < len(pair.tokens) <= max_tokens
        ]
        if not raw["train"]:
            raise ConfigError(
                f"{source} and {target} must have a training pair of at most {max_tokens} tokens, "
                "but have none. Raise `corpus.max_tokens`, or look into the files."
            )
        train = raw["train"]
        self.source_vocabulary: Vocabulary = learn_vocabulary(
            (_words(pair.source) for pair in train), least=least
        )
        self.vocabulary: Vocabulary = learn_vocabulary(
            (pair.tokens for pair in train), least=least, special=(START, END)
        )
        super().__init__({split: list(map(self._known, pairs)) for split, pairs in raw.items()})

    def _known(self, pair: Pair) -> Pair:
        """Put `<unk>` for what the vocabularies do not have."""
        return Pair(
            pair.name,
            known_tokens(_words(pair.source), self.source_vocabulary),
            known_tokens(pair.tokens, self.vocabulary),
            pair.text,
        )


def _words(source: object) -> tuple[str, ...]:
    return source if isinstance(source, tuple) else ()


def _read_pairs(source: str, target: str, split: str) -> list[Pair]:
    files = path_of(source, split, name="source"), path_of(target, split, name="target")
    return read_pairs(*files, name=split)


def read_pairs(source: Path, target: Path, *, name: str) -> list[Pair]:
    """Read two files of which line n of one belongs to line n of the other.

    Args:
        source: Glosses parted by spaces.
        target: Sentences.
        name: What messages call the pairs, before `line` and its number.

    Raises:
        FormatError: A file is missing, is no text, or they have different numbers of lines.
    """
    lines = [read_lines(file) for file in (source, target)]
    if len(lines[0]) != len(lines[1]):
        raise FormatError(
            f"{source} and {target} must have equally many lines, but have {len(lines[0])} "
            f"and {len(lines[1])}."
        )
    return [
        Pair(f"{name} line {number}", split_glosses(glosses), split_glosses(text), text.strip())
        for number, (glosses, text) in enumerate(zip(*lines, strict=True), 1)
    ]


def read_lines(path: Path) -> list[str]:
    """Read the lines of a text file, which end at line feeds and at no other break of Unicode.

    Raises:
        FormatError: It is missing or no UTF-8 text.
    """
    try:
        lines = read_plain(path, most=MAX_TEXT_BYTES).decode().split("\n")
    except OSError as error:
        raise FormatError(f"{path} must be a text file, but: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} must be UTF-8 text, but is not: {error.reason}.") from error
    return lines if lines[-1] else lines[:-1]
