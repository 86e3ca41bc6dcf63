"""Everything that is measured on one word; `summary` puts the words together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from signloom.data.example import Example
from signloom.evaluation.rendition import Rendition
from signloom.metrics.motion import Jerk, jerk, last_third, path_length
from signloom.metrics.pose import (
    Side,
    arm_joints,
    bone_length_ratios,
    signing_arm_error,
    signing_hand_error,
)
from signloom.metrics.text import EditCounts, edit_counts, fold
from signloom.poses.skeleton import UPPER_BODY_50
from signloom.tokens.alphabet import REPEAT

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class WordMeasures:
    """One word of one row. Lengths in shoulder widths, pairs are (generated, reference)."""

    text: str
    read: tuple[str, ...]
    """Tokens that the judge read."""
    is_doubled: bool
    """Whether the word has a doubled letter."""
    letters: EditCounts
    """Errors with look-alike letters counted as one."""
    strict_letters: EditCounts
    """Errors with every letter by itself."""
    arm_error: float
    """DTW-MJE of the signing arm."""
    hand_error: float
    """DTW-MJE of the signing hand relative to its wrist."""
    path: tuple[float, float]
    """Way travelled by a joint of the signing arm."""
    last_path: tuple[float, float]
    """The same in the last third of each."""
    stray_motion: float
    """Way that a joint off the signing arm travels a frame."""
    jerk_raw: Jerk
    """Third differences before the output filter."""
    jerk_filtered: Jerk
    """Third differences of what a user gets."""
    bones: Floats
    """Length ratio of each bone of the signing arm."""
    frames: tuple[int, int]
    """Frames."""
    passes: tuple[int, int] | None
    """Decoder passes taken, and those that the model's schedule takes."""


def signing_bones(side: Side) -> tuple[tuple[int, int], ...]:
    """List the bones between joints of the signing arm."""
    joints = set(arm_joints(side))
    return tuple(bone for bone in UPPER_BODY_50.bones if joints.issuperset(bone))


def measure_word(
    rendition: Rendition,
    reference: Example,
    *,
    read: Sequence[str],
    side: Side,
    look_alikes: Iterable[Sequence[str]] = (),
    block: int = 8,
) -> WordMeasures:
    """Measure a rendition against its reference.

    Args:
        rendition: What the system made.
        reference: The builder's sample of the same text.
        read: Tokens that the judge read from the rendition.
        side: Which arm signs.
        look_alikes: Groups of letters that look the same in this language.
        block: Frames that a decoder pass completes.
    """
    look_alikes = tuple(look_alikes)
    made, true = rendition.frames, reference.frames
    arm = arm_joints(side)
    others = [joint for joint in range(made.shape[1]) if joint not in arm]
    tokens = reference.tokens
    return WordMeasures(
        text=reference.text,
        read=tuple(read),
        is_doubled=REPEAT in tokens,
        letters=edit_counts(fold(read, look_alikes), fold(tokens, look_alikes)),
        strict_letters=edit_counts(tuple(read), tokens),
        arm_error=signing_arm_error(made, true, side=side),
        hand_error=signing_hand_error(made, true, side=side),
        path=(path_length(made[:, arm]), path_length(true[:, arm])),
        last_path=(path_length(last_third(made)[:, arm]), path_length(last_third(true)[:, arm])),
        stray_motion=path_length(made[:, others]) / max(1, len(made) - 1),
        jerk_raw=jerk(rendition.unfiltered[:, arm], block=block),
        jerk_filtered=jerk(made[:, arm], block=block),
        bones=bone_length_ratios(made, true, signing_bones(side)),
        frames=(len(made), len(true)),
        passes=passes_of(rendition),
    )


def passes_of(rendition: Rendition) -> tuple[int, int] | None:
    """Give the passes taken and those due; None if it was not decoded."""
    if rendition.num_passes is None or rendition.due_passes is None:
        return None
    return rendition.num_passes, rendition.due_passes
