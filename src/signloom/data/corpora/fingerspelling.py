"""Fingerspelled utterances, stitched from one real clip a letter, built on the fly.

A word is: rest, raise, letter after letter, lower, rest. Each letter is its trimmed clip at the
pace of the utterance, reached by a minimum-jerk transition from the letter before. A doubled
letter is signed again a little further out, where the hand stays until the next letter. Between
two words the hand sinks and relaxes. There is no face and no grammar, and only one clip a letter:
a model can at best be as good as this script.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.clips import FPS, IndexRow, read_clip, read_index
from signloom.data.corpora.motion import Arms
from signloom.data.corpora.motion import jitter as jitter_arms
from signloom.data.corpora.pacing import (
    LETTER_FRAMES,
    LOWER_FRAMES,
    MAX_FRAMES,
    MAX_TOKENS,
    RAISE_FRAMES,
    draw_pace,
    fixed_pace,
    share,
)
from signloom.data.corpora.signer import Signer
from signloom.data.corpora.statistics import fit_standardiser
from signloom.data.corpora.stitching import Stitcher, resample, token_edges
from signloom.data.corpora.texts import TextSampler
from signloom.data.corpora.words import LANGUAGES_KEPT, SPLITS, load_splits, sample_held_out
from signloom.data.example import Example, Span
from signloom.errors import ConfigError, FormatError, MissingExtraError, TextError
from signloom.poses.normalize import Standardiser
from signloom.tokens.alphabet import REPEAT, SPACE, Alphabet
from signloom.tokens.languages import SIGN_LANGUAGES, SignLanguage
from signloom.tokens.spelling import spell
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import Unit

HELD_OUT_LETTERS = (3, 12)
Frames = NDArray[np.float32]


@dataclass(frozen=True)
class Excluded:
    """A clip that is not used, and why."""

    letter: str
    path: Path
    reason: str


class Fingerspelling:
    """The fingerspelling of one sign language.

    Args:
        language: ISO 639-3 code; `ase` is American Sign Language.
        lexicon: Folder with `index.csv` and clips; by default the one of `spoken-to-signed`.

    Attributes:
        alphabet: The letters that have a usable clip.
        vocabulary: Their ids.
        excluded: Clips that quality control refused.
        max_tokens: Most tokens of one utterance; `build` then stays within 300 frames.

    Raises:
        MissingExtraError: No lexicon is given and `spoken-to-signed` is not installed.
        FormatError: The lexicon cannot be read or has no usable clip of the language.
    """

    kind = "fingerspelling"
    unit: Unit = "letters"
    max_tokens = MAX_TOKENS
    max_frames = MAX_FRAMES
    fps = FPS

    def __init__(self, language: str = "ase", lexicon: Path | None = None) -> None:
        folder = _installed_lexicon() if lexicon is None else lexicon
        rows = read_index(folder, language)
        known = SIGN_LANGUAGES.get(language) if lexicon is None else None
        if known:
            rows = _usable(rows, known)
        clips = [read_clip(row.path, row.letter) for row in rows]
        if known and known.hand == "left":
            clips = [clip.mirrored() for clip in clips]
        self.excluded = tuple(
            Excluded(clip.letter, clip.path, clip.fault) for clip in clips if clip.fault
        )
        usable = [clip for clip in clips if clip.fault is None]
        if not usable:
            raise FormatError(
                f"The lexicon {folder} must have a usable clip of `{language}`, but the first of "
                f"{len(clips)} {self.excluded[0].reason}."
            )
        letters = tuple(clip.letter for clip in usable)
        self.alphabet = Alphabet(language, rows[0].spoken_language, letters)
        self.vocabulary = Vocabulary.of(self.alphabet)
        self.language = language
        self.spoken_language = self.alphabet.spoken_language
        self._signer = Signer.of(usable)
        arms = {clip.letter: self._signer.arms(clip.frames, clip.seen) for clip in usable}
        arms[SPACE] = self._signer.arms(self._signer.pause[None])
        self._rest = self._signer.arms(self._signer.rest[None])
        self._stitcher = Stitcher(arms, self._rest)

    @property
    def rest_frame(self) -> Frames:
        """Both arms hanging: the first and the last frame of every utterance [50, 3]."""
        return np.asarray(self._signer.compose(self._rest)[0])

    @cached_property
    def standardiser(self) -> Standardiser:
        """Mean and spread of the features over training utterances."""
        return fit_standardiser(self)

    def build(
        self,
        text: str,
        rng: np.random.Generator,
        *,
        jitter: bool = False,
        pace: float | None = None,
    ) -> Example:
        """Build an utterance at a drawn pace.

        Args:
            text: Cleaned text of at most `max_tokens` tokens.
            rng: Draws pace and jitter.
            jitter: Whether to turn, scale and shift the signing a little, for training.
            pace: Frames of every letter; by default drawn, with 15 % of variation.

        Raises:
            TextError: The text is empty, too long, or not in the alphabet.
        """
        tokens = self._spell(text)
        if len(tokens) > self.max_tokens:
            raise TextError(
                f"An utterance must have at most {self.max_tokens} tokens, but {text!r} has "
                f"{len(tokens)}. Cut it into several."
            )
        counts = draw_pace(len(tokens), rng) if pace is None else fixed_pace(len(tokens), pace)
        arms = self._stitcher.stitch(tokens, counts)
        if jitter:
            arms = jitter_arms(arms, rng)
        return self._example(text, tokens, arms, edges=token_edges(counts))

    def stitched(self, text: str, frames: int) -> Example:
        """Build an utterance of exactly `frames` frames at one even pace, without chance.

        When there are fewer than six frames a letter, a faster one is resampled.

        Raises:
            TextError: The text is empty or not in the alphabet, or `frames` is below 1.
        """
        if frames < 1:
            raise TextError(f"`frames` must be at least 1, but is {frames}.")
        tokens = self._spell(text)
        wanted = frames - RAISE_FRAMES - LOWER_FRAMES
        counts = share(len(tokens), max(wanted, LETTER_FRAMES[0] * len(tokens)))
        arms, edges = self._stitcher.stitch(tokens, counts), token_edges(counts)
        if len(arms) > frames:
            edges = np.rint(edges * frames / len(arms)).astype(np.int64)
            arms = resample(arms, frames)
        return self._example(text, tokens, arms, edges=edges)

    def random_text(self, rng: np.random.Generator) -> str:
        """Draw a training text; see `texts` for the distribution."""
        return self._sampler.draw(rng)

    def sample(self, rng: np.random.Generator) -> Example:
        """Draw a training utterance, without jitter."""
        return self.build(self.random_text(rng), rng)

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Example]:
        """Build a batch: training texts, jittered; of other splits single words.

        See `Corpus` for the arguments.
        """
        if split == "train":
            texts = sorted((self.random_text(rng) for _ in range(size * pool)), key=len)
            first = size * int(rng.integers(pool))
            return [self.build(text, rng, jitter=True) for text in texts[first : first + size]]
        words = rng.choice(self.words(split), size, replace=False)
        return [self.build(str(word), rng) for word in words]

    def check_batch(self, size: int) -> None:
        """Refuse a batch that has more utterances than the words of validation.

        Raises:
            ConfigError: It has.
        """
        most = len(self.words("dev"))
        if size > most:
            raise ConfigError(
                f"`task.batch_size` must be at most {most}, the words of validation, but is {size}."
            )

    def words(self, split: str) -> tuple[str, ...]:
        """List the words of a split, sorted.

        Args:
            split: `train`, `dev` or `test`.

        Raises:
            ConfigError: The split is unknown.
            MissingExtraError: The dictionary is not installed.
        """
        if split not in SPLITS:
            raise ConfigError(f"A split must be one of {', '.join(SPLITS)}, but is `{split}`.")
        return self._splits[split]

    def heldout_texts(
        self, split: str, count: int, *, doubled: int = 0, seed: int = 0
    ) -> tuple[str, ...]:
        """Draw words of 3 to 12 letters, at least `doubled` of them with a doubled letter.

        Raises:
            ConfigError: The split is unknown or has too few words.
        """
        shortest, longest = HELD_OUT_LETTERS
        words = [word for word in self.words(split) if shortest <= len(word) <= longest]

        def is_doubled(word: str) -> bool:
            return REPEAT in self._spell(word)

        return sample_held_out(words, count, doubled=doubled, is_doubled=is_doubled, seed=seed)

    @cached_property
    def _splits(self) -> dict[str, tuple[str, ...]]:
        return _splits_of(self.alphabet)

    @cached_property
    def _sampler(self) -> TextSampler:
        return _sampler_of(self.alphabet, self.max_tokens)

    def _spell(self, text: str) -> tuple[str, ...]:
        tokens = spell(text, self.alphabet)
        if not tokens:
            raise TextError("A text to spell must have at least one letter, but is empty.")
        return tokens

    def _example(
        self, text: str, tokens: tuple[str, ...], arms: Arms, *, edges: NDArray[np.int64]
    ) -> Example:
        spans = tuple(Span(start, end) for start, end in pairwise(edges.tolist()))
        return Example(text, text, tokens, self._signer.compose(arms), spans, self.fps)


def _splits_of(alphabet: Alphabet) -> dict[str, tuple[str, ...]]:
    return load_splits(alphabet.spoken_language, alphabet.characters)


@lru_cache(maxsize=LANGUAGES_KEPT)
def _sampler_of(alphabet: Alphabet, max_tokens: int) -> TextSampler:
    return TextSampler(_splits_of(alphabet)["train"], alphabet, max_tokens=max_tokens)


def _usable(rows: list[IndexRow], known: SignLanguage) -> list[IndexRow]:
    """Keep the rows of a language's letters; refuse a language whose clips are known to be bad."""
    if known.fault:
        raise FormatError(
            f"The clips of `{known.code}` must show its letters, but {known.fault}. "
            "Give a lexicon of your own."
        )
    return [row for row in rows if row.letter in known.letters]


def _installed_lexicon() -> Path:
    package = importlib.util.find_spec("spoken_to_signed")
    if package is None or package.origin is None:
        raise MissingExtraError("data", "Building fingerspelling from real clips")
    return Path(package.origin).parent / "assets" / "fingerspelling_lexicon"
