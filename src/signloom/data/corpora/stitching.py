"""Letters put one after the other: holds, and the transitions between them.

A doubled letter is signed again a little further out, where the hand stays until the next letter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.clips import sample
from signloom.data.corpora.motion import Arms, blend, slide, smooth_121
from signloom.data.corpora.pacing import LOWER_FRAMES, RAISE_FRAMES, transition_frames
from signloom.poses.transition import minimum_jerk
from signloom.tokens.alphabet import REPEAT, SPACE

REPEAT_SLIDE = 0.15
"""How far the hand slides outwards for a doubled letter, in shoulder widths."""


class Stitcher:
    """Puts clips together.

    Args:
        clips: The arms of each token but `<rep>`, float32 [frames, arms, 23, 3].
        rest: The arms at rest [1, arms, 23, 3].
    """

    def __init__(self, clips: Mapping[str, Arms], rest: Arms) -> None:
        self._clips = clips
        self._rest = rest
        self._holds: dict[tuple[str, int], Arms] = {}

    def stitch(self, tokens: Sequence[str], counts: NDArray[np.int64]) -> Arms:
        """Raise, sign each token in its number of frames, lower.

        Args:
            tokens: What to sign.
            counts: Frames of each token, transition included.

        Returns:
            The arms; `RAISE_FRAMES` and `LOWER_FRAMES` longer than the counts say.
        """
        moves = transition_frames(counts)
        # The raise leads to the first letter, which is held the longer for it.
        moves[0] = 0
        holds = self._hold_all(tokens, counts - moves)
        starts = np.concatenate([self._rest, *(hold[-1:] for hold in holds)])
        ends = np.concatenate([*(hold[:1] for hold in holds), self._rest])
        lengths = np.array([RAISE_FRAMES, *moves[1:], LOWER_FRAMES])
        transition = np.repeat(np.arange(len(lengths)), lengths)
        between = blend(starts[transition], ends[transition], _ways(lengths))
        pieces = np.split(between, lengths.cumsum()[:-1])
        in_turn = [piece for pair in zip(pieces, holds, strict=False) for piece in pair]
        return smooth_121(np.concatenate([*in_turn, pieces[-1]]))

    def _hold_all(self, tokens: Sequence[str], lengths: NDArray[np.int64]) -> list[Arms]:
        holds, letter, repeats = [], SPACE, 0
        for token, length in zip(tokens, lengths.tolist(), strict=True):
            repeats = repeats + 1 if token == REPEAT else 0
            letter = letter if token == REPEAT else token
            hold = self._hold(letter, length)
            holds.append(slide(hold, _slide_distance(repeats)) if repeats else hold)
        return holds

    def _hold(self, letter: str, length: int) -> Arms:
        """Play a letter's clip in `length` frames."""
        key = letter, length
        if key not in self._holds:
            self._holds[key] = resample(self._clips[letter], length)
        return self._holds[key]


def token_edges(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the frames at which tokens begin and end."""
    return np.concatenate([[0], counts.cumsum()]) + RAISE_FRAMES


def _ways(lengths: NDArray[np.int64]) -> NDArray[np.float32]:
    """Give the way covered in each frame of the transitions.

    The raise begins at rest itself and the lowering ends there; moves have both ends outside.
    """
    starts = np.repeat(lengths.cumsum() - lengths, lengths)
    steps = np.arange(len(starts)) - starts + 1
    parts = np.repeat(lengths + 1, lengths)
    steps[:RAISE_FRAMES] -= 1
    parts[:RAISE_FRAMES] = RAISE_FRAMES
    parts[-LOWER_FRAMES:] = LOWER_FRAMES
    return minimum_jerk(steps / parts)


def resample(arms: Arms, length: int) -> Arms:
    """Play arms in `length` frames, linear between neighbours."""
    times = np.linspace(0, len(arms) - 1, length)
    return sample(arms, times).astype(np.float32)


def _slide_distance(repeats: int) -> float:
    """Give how far out the hand is; a fourth, fifth ... time it goes back and forth."""
    return REPEAT_SLIDE * (repeats if repeats <= 3 else 2 + repeats % 2)
