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
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.clips import FPS, IndexRow, read_clip, read_index, sample
from signloom.data.corpora.motion import blend, minimum_jerk, smooth_121
from signloom.data.corpora.motion import jitter as jitter_frames
from signloom.data.corpora.pacing import (
    LETTER_FRAMES,
    LOWER_FRAMES,
    MAX_TOKENS,
    RAISE_FRAMES,
    draw_pace,
    fixed_pace,
    share,
    transition_frames,
)
from signloom.data.corpora.signer import Signer
from signloom.data.corpora.statistics import fit_standardiser
from signloom.data.corpora.texts import TextSampler
from signloom.data.corpora.words import SPLITS, load_words, sample_held_out, split_of
from signloom.data.example import Example, Span
from signloom.errors import ConfigError, FormatError, MissingExtraError, TextError
from signloom.poses.normalize import Standardiser
from signloom.poses.skeleton import (
    LEFT_HAND,
    LEFT_WRIST,
    RIGHT_ELBOW,
    RIGHT_HAND,
    RIGHT_WRIST,
)
from signloom.tokens.alphabet import REPEAT, SPACE, Alphabet
from signloom.tokens.spelling import spell
from signloom.tokens.vocabulary import Vocabulary

REPEAT_SLIDE = 0.15
"""How far the hand slides outwards for a doubled letter, in shoulder widths."""
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

    max_tokens = MAX_TOKENS
    fps = FPS

    def __init__(self, language: str = "ase", lexicon: Path | None = None) -> None:
        folder = _installed_lexicon() if lexicon is None else lexicon
        rows = read_index(folder, language)
        clips = [read_clip(row.path, row.letter) for row in rows]
        self.excluded = tuple(
            Excluded(clip.letter, clip.path, clip.fault) for clip in clips if clip.fault
        )
        usable = [clip for clip in clips if clip.fault is None]
        if not usable:
            raise FormatError(
                f"The lexicon {folder} must have a usable clip of `{language}`, but the first of "
                f"{len(clips)} {self.excluded[0].reason}."
            )
        self.alphabet = _alphabet(rows, language, letters=[clip.letter for clip in usable])
        self.vocabulary = Vocabulary.of(self.alphabet)
        self._signer = Signer.of(usable)
        self._clips = {clip.letter: self._signer.dress(clip) for clip in usable}
        self._clips[SPACE] = self._signer.pause[None].astype(np.float32)
        self._holds: dict[tuple[str, int], Frames] = {}

    @property
    def rest_frame(self) -> Frames:
        """Both arms hanging: the first and the last frame of every utterance [50, 3]."""
        return _attach_hands(self._signer.rest[None].astype(np.float32))[0]

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
        frames = self._assemble(tokens, counts)
        if jitter:
            frames = jitter_frames(frames, rng)
        return self._example(text, tokens, frames, counts)

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
        built = self._assemble(tokens, counts)
        if len(built) == frames:
            return self._example(text, tokens, built, counts)
        times = np.linspace(0, len(built) - 1, frames)
        example = self._example(text, tokens, built, counts)
        spans = [
            Span(*(round(edge * frames / len(built)) for edge in span)) for span in example.spans
        ]
        resampled = _attach_hands(sample(built, times).astype(np.float32))
        return Example(text, text, tokens, resampled, tuple(spans), self.fps)

    def random_text(self, rng: np.random.Generator) -> str:
        """Draw a training text; see `texts` for the distribution."""
        return self._sampler.draw(rng)

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
        return sample_held_out(
            words,
            count,
            doubled=doubled,
            seed=seed,
            is_doubled=lambda word: REPEAT in self._spell(word),
        )

    @cached_property
    def _splits(self) -> dict[str, tuple[str, ...]]:
        words = load_words(self.alphabet.spoken_language, self.alphabet.characters)
        splits: dict[str, list[str]] = {split: [] for split in SPLITS}
        for word in words:
            splits[split_of(word)].append(word)
        return {split: tuple(members) for split, members in splits.items()}

    @cached_property
    def _sampler(self) -> TextSampler:
        return TextSampler(self.words("train"), self.alphabet, max_tokens=self.max_tokens)

    def _spell(self, text: str) -> tuple[str, ...]:
        tokens = spell(text, self.alphabet)
        if not tokens:
            raise TextError("A text to spell must have at least one letter, but is empty.")
        return tokens

    def _assemble(self, tokens: tuple[str, ...], counts: NDArray[np.int64]) -> Frames:
        """Put transitions and holds one after the other; hands stay relative to wrists."""
        moves = transition_frames(counts)
        # The raise leads to the first letter, which is held the longer for it.
        moves[0] = 0
        holds = self._hold_all(tokens, counts - moves)
        rest = self._signer.rest.astype(np.float32)[None]
        starts = np.concatenate([rest, *(hold[-1:] for hold in holds)])
        ends = np.concatenate([*(hold[:1] for hold in holds), rest])
        lengths = np.array([RAISE_FRAMES, *moves[1:], LOWER_FRAMES])
        transition = np.repeat(np.arange(len(lengths)), lengths)
        between = blend(
            starts[transition], ends[transition], _ways(moves[1:]), both=self._signer.two_handed
        )
        pieces: list[Frames] = []
        edges = lengths.cumsum()
        for place, hold in enumerate(holds):
            pieces += [between[edges[place] - lengths[place] : edges[place]], hold]
        return smooth_121(np.concatenate([*pieces, between[edges[-2] :]]))

    def _hold_all(self, tokens: tuple[str, ...], lengths: NDArray[np.int64]) -> list[Frames]:
        holds, letter, repeats = [], SPACE, 0
        for token, length in zip(tokens, lengths, strict=True):
            repeats = repeats + 1 if token == REPEAT else 0
            letter = letter if token == REPEAT else token
            hold = self._hold(letter, int(length))
            holds.append(_slide(hold, repeats) if repeats else hold)
        return holds

    def _hold(self, letter: str, length: int) -> Frames:
        """Play a letter's clip in `length` frames."""
        key = letter, length
        if key not in self._holds:
            clip = self._clips[letter]
            times = np.linspace(0, len(clip) - 1, length)
            self._holds[key] = sample(clip, times).astype(np.float32)
        return self._holds[key]

    def _example(
        self, text: str, tokens: tuple[str, ...], frames: Frames, counts: NDArray[np.int64]
    ) -> Example:
        ends = (RAISE_FRAMES + counts.cumsum()).tolist()
        spans = tuple(Span(start, end) for start, end in zip([RAISE_FRAMES, *ends], ends))
        return Example(text, text, tokens, _attach_hands(frames), spans, self.fps)


def _ways(moves: NDArray[np.int64]) -> NDArray[np.float32]:
    """Give the way covered in each frame: raise, the moves between letters, lower.

    The raise begins at rest itself and the lowering ends there; moves have both ends outside.
    """
    times = [np.arange(RAISE_FRAMES) / RAISE_FRAMES]
    times += [np.arange(1, move + 1) / (move + 1) for move in moves]
    times.append(np.arange(1, LOWER_FRAMES + 1) / LOWER_FRAMES)
    return minimum_jerk(np.concatenate(times))


def _slide(hold: Frames, repeats: int) -> Frames:
    """Shift the signing arm outwards; a fourth, fifth ... time it goes back and forth."""
    steps = repeats if repeats <= 3 else 2 + repeats % 2
    slid = hold.copy()
    slid[:, RIGHT_WRIST, 0] -= REPEAT_SLIDE * steps
    slid[:, RIGHT_ELBOW, 0] -= REPEAT_SLIDE * steps / 2
    return slid


def _attach_hands(frames: Frames) -> Frames:
    """Put each hand on its wrist, in place."""
    frames[:, RIGHT_HAND] += frames[:, RIGHT_WRIST : RIGHT_WRIST + 1]
    frames[:, LEFT_HAND] += frames[:, LEFT_WRIST : LEFT_WRIST + 1]
    return frames


def _alphabet(rows: list[IndexRow], language: str, *, letters: list[str]) -> Alphabet:
    return Alphabet(language, rows[0].spoken_language, tuple(letters))


def _installed_lexicon() -> Path:
    package = importlib.util.find_spec("spoken_to_signed")
    if package is None or package.origin is None:
        raise MissingExtraError("data", "Building fingerspelling from real clips")
    return Path(package.origin).parent / "assets" / "fingerspelling_lexicon"
