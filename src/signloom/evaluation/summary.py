"""From words to the figures of a row, with 95 % bootstrap intervals over words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from signloom.evaluation.bootstrap import Estimate, estimate_ratio
from signloom.evaluation.measures import WordMeasures
from signloom.metrics.motion import Jerk
from signloom.metrics.text import EditCounts


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The figures of one row. Percentages are of 100; ratios are generated over reference."""

    letter_error: Estimate
    """Letter error in per cent, a look-alike pair counted as one letter."""
    strict_letter_error: Estimate
    """Letter error in per cent, every letter by itself."""
    exact: Estimate
    """Words read without an error, per cent."""
    doubled_exact: Estimate
    """The same among words with a doubled letter."""
    arm_dtw: Estimate
    """DTW-MJE of the signing arm and hand, shoulder widths."""
    hand_dtw: Estimate
    """DTW-MJE of the signing hand relative to its wrist, shoulder widths."""
    motion_ratio: Estimate
    """Ratio of the ways travelled by the signing arm and hand."""
    last_third_motion_ratio: Estimate
    """The same in the last third of each utterance."""
    jerk_ratio_raw: float
    """Jerk at block edges over that elsewhere, before the output filter."""
    jerk_ratio: float
    """The same in what a user gets."""
    bone_ratio: float
    """Mean length ratio of the bones of the signing arm and hand."""
    bone_ratio_least: float
    """Length ratio of the bone that is shortest for its reference."""
    bone_ratio_most: float
    """Length ratio of the bone that is longest for its reference."""
    length_ratio: Estimate
    """Ratio of the mean lengths."""
    length_error: Estimate
    """Mean relative length error of a word, per cent."""
    stray_motion: float
    """Way that a joint off the signing arm travels a frame, shoulder widths."""
    exact_passes: float | None
    """Share of words that took exactly the passes of the model's schedule; None if not decoded."""

    def numbers(self) -> dict[str, float | None]:
        """Give the figures without their intervals, None for what is undefined."""
        values = {}
        for field in fields(self):
            found = getattr(self, field.name)
            value = found.value if isinstance(found, Estimate) else found
            values[field.name] = None if value is None or np.isnan(value) else value
        return values


def summarise(words: Sequence[WordMeasures], *, seed: int = 0) -> Summary:
    """Put the words of a row together; rates and ratios are ratios of sums.

    Args:
        words: What was measured, at least one word.
        seed: Fixes the resampling.
    """
    over = _Resampler(words, seed)
    least, mean, most = _bone_ratios(words)
    return Summary(
        letter_error=over.error(lambda word: word.letters),
        strict_letter_error=over.error(lambda word: word.strict_letters),
        exact=over.mean(_exact),
        doubled_exact=_Resampler([word for word in words if word.is_doubled], seed).mean(_exact),
        arm_dtw=over.mean(lambda word: word.arm_error),
        hand_dtw=over.mean(lambda word: word.hand_error),
        motion_ratio=over.ratio(lambda word: word.path),
        last_third_motion_ratio=over.ratio(lambda word: word.last_path),
        jerk_ratio_raw=sum((word.jerk_raw for word in words), Jerk()).ratio,
        jerk_ratio=sum((word.jerk_filtered for word in words), Jerk()).ratio,
        bone_ratio=mean,
        bone_ratio_least=least,
        bone_ratio_most=most,
        length_ratio=over.ratio(lambda word: word.frames),
        length_error=over.mean(_length_error),
        stray_motion=float(np.mean([word.stray_motion for word in words])),
        exact_passes=_exact_passes(words),
    )


class _Resampler:
    """Figures over the same words with the same seed."""

    def __init__(self, words: Sequence[WordMeasures], seed: int) -> None:
        self.words, self.seed = words, seed

    def mean(self, pick: Callable[[WordMeasures], float]) -> Estimate:
        return estimate_ratio([pick(word) for word in self.words], seed=self.seed)

    def ratio(self, pick: Callable[[WordMeasures], tuple[float, float]]) -> Estimate:
        made, true = zip(*(pick(word) for word in self.words), strict=True)
        return estimate_ratio(made, true, seed=self.seed)

    def error(self, pick: Callable[[WordMeasures], EditCounts]) -> Estimate:
        return self.ratio(lambda word: (100 * pick(word).errors, pick(word).length))


def _exact(word: WordMeasures) -> float:
    return 100.0 * (word.letters.errors == 0)


def _length_error(word: WordMeasures) -> float:
    made, true = word.frames
    return 100 * abs(made - true) / true


def _exact_passes(words: Sequence[WordMeasures]) -> float | None:
    shares = [float(taken == due) for word in words if word.passes for taken, due in (word.passes,)]
    return float(np.mean(shares)) if shares else None


def _bone_ratios(words: Sequence[WordMeasures]) -> tuple[float, float, float]:
    """Give least, mean and most over the bones of each bone's mean over the words."""
    bones = np.stack([word.bones for word in words])
    ratios = bones[:, ~np.isnan(bones).any(axis=0)].mean(axis=0)
    return float(ratios.min()), float(ratios.mean()), float(ratios.max())
