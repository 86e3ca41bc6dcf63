"""Strings of spoken digits, joined of the recordings of FSDD, one speaker a string.

A recording is `<digit>_<speaker>_<index>` (.flac or .wav) with 50 of each digit a speaker. Indices
0 to 4 are for testing, as the makers split them; of the others 5 to 9 are for development. Half of
the strings of two digits or more end in a check digit, the sum of the others modulo ten, so that
context says something. Between digits and around them there are 50 to 250 ms of faint noise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.drawing import SPLIT_SEEDS, draw_utterances
from signloom.data.speech.utterance import Utterance
from signloom.errors import ConfigError, FormatError
from signloom.features.sound import read_sound
from signloom.tokens.alphabet import PAD
from signloom.tokens.targets import END, START
from signloom.tokens.transcripts import SpokenUnit
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import UNKNOWN

DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
SPLITS = {"test": range(5), "dev": range(5, 10), "train": range(10, 50)}
MAX_DIGITS = 8
CHECKED_SHARE = 0.5
GAP_S = (0.05, 0.25)
NOISE_DB = (-75.0, -55.0)
"""Level of the noise under a string, dB of full scale."""
RATE = 8000
_NAME = re.compile(r"(\d)_([^_]+)_(\d+)")

Samples = NDArray[np.float32]


class DigitStrings:
    """A corpus of digit strings.

    Args:
        folder: Where the recordings are.
        seed: Decides the strings.
        num_train: Strings of `train`.
        num_dev: Strings of `dev`.
        num_test: Strings of `test`.
        held_out: A speaker who is tested alone, by every recording, and not learned.

    Raises:
        ConfigError: The speaker is not among the recordings.
        FormatError: The folder lacks a digit of a speaker in one of the splits.
    """

    source = (
        "Free Spoken Digit Dataset (Z. Jackson and others, "
        "https://github.com/Jakobovski/free-spoken-digit-dataset), strings of 1 to 8 digits"
    )
    licence = "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/)"
    spoken_language = "en"
    unit: SpokenUnit = "words"
    rate = RATE
    vocabulary = Vocabulary((PAD, UNKNOWN, START, END, *DIGITS))
    max_s = MAX_DIGITS * 1.5

    def __init__(
        self,
        folder: Path,
        *,
        seed: int = 2026,
        num_train: int = 4000,
        num_dev: int = 300,
        num_test: int = 1000,
        held_out: str = "",
    ) -> None:
        self._seed, self._counts = seed, {"train": num_train, "dev": num_dev, "test": num_test}
        self._sounds: dict[Path, Samples] = {}
        found = _find(folder)
        speakers = sorted({speaker for _, speaker, _ in found})
        if held_out and held_out not in speakers:
            raise ConfigError(
                f"`corpus.held_out` must be one of {', '.join(speakers)}, but is {held_out!r}."
            )
        self._takes = {split: _takes(found, split, held_out=held_out) for split in SPLITS}
        for split, takes in self._takes.items():
            _refuse_gaps(takes, split, folder)
        self._strings = {split: self._listed(split) for split in self._counts}

    def examples(self, split: str) -> Sequence[Utterance]:
        """List the strings of a split."""
        return self._strings[split]

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Utterance]:
        """Draw a batch of strings; see `SpeechCorpus`."""
        rows = self._strings[split]
        return draw_utterances(rows, rng, train=split == "train", size=size, pool=pool)

    def _listed(self, split: str) -> list[Utterance]:
        rng = np.random.default_rng([self._seed, SPLIT_SEEDS[split]])
        count = self._counts[split]
        return [self._build(rng, split, name=f"{split}/{place:04d}") for place in range(count)]

    def _build(self, rng: np.random.Generator, split: str, *, name: str) -> Utterance:
        takes = self._takes[split]
        speaker = sorted(takes)[int(rng.integers(len(takes)))]
        digits = rng.integers(10, size=int(rng.integers(1, MAX_DIGITS + 1))).tolist()
        if len(digits) > 1 and rng.random() < CHECKED_SHARE:
            digits[-1] = sum(digits[:-1]) % 10
        paths = []
        for digit in digits:
            choices = takes[speaker][digit]
            paths.append(choices[int(rng.integers(len(choices)))])
        gaps_s = rng.uniform(*GAP_S, size=len(digits) + 1)
        level = 10 ** (float(rng.uniform(*NOISE_DB)) / 20)
        noise_seed = int(rng.integers(2**31))
        tokens = tuple(DIGITS[digit] for digit in digits)
        return Utterance(
            name=name,
            text=" ".join(tokens),
            tokens=tokens,
            read=partial(self._join, tuple(paths), gaps_s, level=level, seed=noise_seed),
            # Durations only sort and filter: most digits take less than half a second.
            duration_s=float(gaps_s.sum()) + 0.5 * len(digits),
            speaker=speaker,
        )

    def _join(
        self, paths: Sequence[Path], gaps_s: NDArray[np.float64], *, level: float, seed: int
    ) -> Samples:
        parts: list[Samples] = []
        for gap_s, path in zip(gaps_s, paths, strict=False):
            parts += [np.zeros(round(gap_s * RATE), dtype=np.float32), self._sound(path)]
        parts.append(np.zeros(round(gaps_s[-1] * RATE), dtype=np.float32))
        sound = np.concatenate(parts)
        noise = np.random.default_rng(seed).standard_normal(len(sound), dtype=np.float32)
        return sound + np.float32(level) * noise

    def _sound(self, path: Path) -> Samples:
        if path not in self._sounds:
            self._sounds[path] = read_sound(path, rate=RATE).samples
        return self._sounds[path]


_Takes = dict[str, dict[int, list[Path]]]


def _find(folder: Path) -> dict[tuple[int, str, int], Path]:
    """Find the recordings by digit, speaker and index."""
    if not folder.is_dir():
        raise FormatError(f"{folder} must be the folder of the recordings, but there is none.")
    found = {}
    for path in sorted(folder.iterdir()):
        match = _NAME.fullmatch(path.stem)
        if match:
            found[int(match[1]), match[2], int(match[3])] = path
    if not found:
        raise FormatError(
            f"{folder} must hold recordings such as 7_jackson_32.wav, but holds none."
        )
    return found


def _takes(found: dict[tuple[int, str, int], Path], split: str, *, held_out: str) -> _Takes:
    takes: _Takes = {}
    for (digit, speaker, index), path in found.items():
        is_held = speaker == held_out
        # Who is held out is tested by all recordings, and nobody else is.
        chosen = is_held if held_out and split == "test" else not is_held and index in SPLITS[split]
        if chosen:
            takes.setdefault(speaker, {}).setdefault(digit, []).append(path)
    return takes


def _refuse_gaps(takes: _Takes, split: str, folder: Path) -> None:
    for speaker, digits in takes.items():
        missing = [digit for digit in range(10) if digit not in digits]
        if missing:
            raise FormatError(
                f"{folder} must hold every digit of {speaker} for `{split}` (indices "
                f"{SPLITS[split].start} to {SPLITS[split].stop - 1}), but lacks {missing[0]}."
            )
    if not takes:
        raise FormatError(f"{folder} must hold recordings for `{split}`, but holds none.")
