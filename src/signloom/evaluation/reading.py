"""Translators of fingerspelling on the builder's poses of words that nobody has trained on.

Beside what is read of the true poses stands what is read of poses that say nothing: the mean frame
of all words held still, each word's own mean frame held still, and the poses of other words. A
translator that writes words of these guesses. As the judge of production does, it says nothing
about people's signing: one clip a letter is all it has seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

from signloom.errors import ConfigError
from signloom.evaluation.bootstrap import Estimate, estimate_ratio
from signloom.evaluation.calibration import Calibration, calibrate
from signloom.evaluation.held_out_pairs import fingerprint
from signloom.evaluation.read_words import (
    CONTROLS,
    MEAN,
    SHUFFLED,
    STILL,
    TRUTH,
    HeldOutWords,
    ReadWord,
)
from signloom.evaluation.thresholds import Threshold, missed
from signloom.evaluation.translators import TranslatorRow
from signloom.tokens.alphabet import REPEAT
from signloom.tokens.targets import START

FIGURES = (
    ("letter_error", "letter error %", 2),
    ("strict_letter_error", "strict %", 2),
    ("exact", "exact %", 1),
    ("doubled_exact", "doubled exact %", 1),
    ("mean_pose_error", "mean pose, letter error %", 1),
    ("still_error", "held still, letter error %", 1),
    ("shuffled_error", "shuffled, letter error %", 1),
    ("confidence", "confidence", 3),
    ("spread", "spread", 4),
    ("correlation", "confidence ~ accuracy", 2),
    ("seconds", "seconds a word", 4),
    ("words", "words", 0),
    ("doubled", "doubled words", 0),
)
THRESHOLDS = (
    Threshold("letter_error", high=1.0),
    Threshold("mean_pose_error", low=95.0),
    Threshold("still_error", low=95.0),
    Threshold("shuffled_error", low=95.0),
)


@dataclass(frozen=True, kw_only=True)
class ReadingSummary:
    """The figures of one row; percentages are of 100, intervals over words."""

    letter_error: Estimate
    """Letter error in per cent, a look-alike pair counted as one letter."""
    strict_letter_error: Estimate
    """Letter error in per cent, every letter by itself."""
    exact: Estimate
    """Words read without an error, per cent."""
    doubled_exact: Estimate
    """The same among words with a doubled letter."""
    mean_pose_error: Estimate
    """Letter error where the mean frame of all words is held still."""
    still_error: Estimate
    """Letter error where each word is held still at its own mean frame."""
    shuffled_error: Estimate
    """Letter error where the poses are those of other words."""
    confidence: Estimate
    """Geometric mean of the probabilities of a word's tokens, 0 to 1."""
    spread: Estimate
    """How far the members are apart, 0 to 0.5; 0 for one member."""
    correlation: float
    """Rank correlation of a word's confidence with the share of its letters read rightly."""
    seconds: float
    """Time a word takes, batches of many words."""
    words: int
    """Words."""
    doubled: int
    """Words with a doubled letter."""

    def numbers(self) -> dict[str, float | None]:
        """Give the figures without their intervals, None for what is undefined."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        values = {
            name: value.value if isinstance(value, Estimate) else value
            for name, value in found.items()
        }
        return {name: None if math.isnan(value) else value for name, value in values.items()}


@dataclass(frozen=True, kw_only=True)
class ReadingResult:
    """The rows of one evaluation."""

    signature: str
    """Data and conventions in one line; results of two signatures do not compare."""
    summaries: Mapping[str, ReadingSummary]
    """Figures by row: each model over all its languages, then by language where it has several;
    of a single model these are named after their language alone."""
    calibrations: Mapping[str, Calibration]
    """Confidence against outcome, of each model over all its languages."""
    failures: Mapping[str, Sequence[str]]
    """Thresholds missed, by row."""
    shortages: Sequence[str]
    """Languages that have fewer words than were asked for, in words."""


def held_out_words(
    rows: Mapping[str, TranslatorRow],
    *,
    languages: Sequence[str] = (),
    count: int = 300,
    doubled: int = 100,
    seed: int = 0,
) -> dict[str, HeldOutWords]:
    """Build words for each language that translators read, by code.

    Args:
        rows: Translators of fingerspelling by name.
        languages: ISO 639-3 codes; by default all those of every translator.
        count: Words of each language, fewer where there are no more.
        doubled: How many of them, at least, have a doubled letter, likewise.
        seed: Fixes words, references and shuffling.

    Raises:
        ConfigError: A translator reads something else, or not one of the languages.
        MissingExtraError: What fingerspelling is built of is not installed.
    """
    codes = {code for row in rows.values() for code in languages_of(row, languages)}
    return {
        code: HeldOutWords(code, count=count, doubled=doubled, seed=seed) for code in sorted(codes)
    }


def evaluate_reading(
    rows: Mapping[str, TranslatorRow],
    sets: Mapping[str, HeldOutWords],
    *,
    seed: int = 0,
    done: Callable[[int], None] | None = None,
) -> ReadingResult:
    """Let translators read held-out words of each of their languages that there are words of.

    Args:
        rows: Translators of fingerspelling by name.
        sets: What `held_out_words` gave for them.
        seed: What they were built with; fixes resampling.
        done: Told how many readings each batch has finished, of `num_readings`.

    Raises:
        PackageError: A graph fails.
    """
    summaries: dict[str, ReadingSummary] = {}
    calibrations: dict[str, Calibration] = {}
    for name, row in rows.items():
        read = {code: one.read_by(row, done=done) for code, one in _sets_of(row, sets).items()}
        every = [word for words in read.values() for word in words]
        calibrations[name] = calibrate_words(every)
        summaries[name] = summarise(every, calibrations[name], seed=seed)
        for code, words in read.items() if len(read) > 1 else ():
            label = code if len(rows) == 1 else f"{name} {code}"
            summaries[label] = summarise(words, calibrate_words(words), seed=seed)
    signed = ",".join(f"{code}-{len(one.references)}" for code, one in sets.items())
    return ReadingResult(
        signature=(
            f"corpus:fingerspelling|words:{signed}|pairs:{_fingerprint(sets)}|seed:{seed}"
            "|joints:50|fps:25|norm:shoulder|letters:edits-look-alikes-folded"
        ),
        summaries=summaries,
        calibrations=calibrations,
        failures={name: missed(one.numbers(), THRESHOLDS) for name, one in summaries.items()},
        shortages=[one.shortage for one in sets.values() if one.shortage],
    )


def num_readings(rows: Mapping[str, TranslatorRow], sets: Mapping[str, HeldOutWords]) -> int:
    """Say how many readings an evaluation takes."""
    chosen = (one for row in rows.values() for one in _sets_of(row, sets).values())
    return sum(len(CONTROLS) * len(one.references) for one in chosen)


def languages_of(row: TranslatorRow, languages: Sequence[str]) -> tuple[str, ...]:
    """Choose languages of a translator; none are all.

    Raises:
        ConfigError: It reads no fingerspelled poses, or not that language.
    """
    settings = row.settings
    if settings.source != "poses" or settings.kind != "fingerspelling":
        raise ConfigError(
            f"A model to read fingerspelling must read its poses, but {settings.name} reads "
            f"{settings.source} of {settings.kind}. Give it sentences: --source FILE."
        )
    for code in languages:
        if code not in settings.languages:
            raise ConfigError(
                f"`language` must be one of {', '.join(settings.languages)}, which "
                f"{settings.name} reads, but is {code[:40]!r}."
            )
    return tuple(languages) or settings.languages


def calibrate_words(words: Sequence[ReadWord]) -> Calibration:
    """Compare confidence with what was read."""
    return calibrate(
        [word.hypothesis for word in words],
        [word.read[TRUTH] for word in words],
        [word.tokens for word in words],
        [word.quality for word in words],
    )


def summarise(
    words: Sequence[ReadWord], calibration: Calibration, *, seed: int = 0
) -> ReadingSummary:
    """Put words together; rates are ratios of sums."""

    def error(control: str, *, strict: bool = False) -> Estimate:
        counts = [word.errors(control, strict=strict) for word in words]
        letters = [one.length for one in counts]
        return estimate_ratio([100 * one.errors for one in counts], letters, seed=seed)

    def exact(chosen: Sequence[ReadWord]) -> Estimate:
        return estimate_ratio(
            [100.0 * (word.errors(TRUTH).errors == 0) for word in chosen], seed=seed
        )

    doubled = [word for word in words if REPEAT in word.tokens]
    return ReadingSummary(
        letter_error=error(TRUTH),
        strict_letter_error=error(TRUTH, strict=True),
        exact=exact(words),
        doubled_exact=exact(doubled),
        mean_pose_error=error(MEAN),
        still_error=error(STILL),
        shuffled_error=error(SHUFFLED),
        confidence=estimate_ratio([word.hypothesis.confidence for word in words], seed=seed),
        spread=estimate_ratio([word.hypothesis.spread for word in words], seed=seed),
        correlation=calibration.correlation,
        seconds=sum(word.seconds for word in words) / len(words),
        words=len(words),
        doubled=len(doubled),
    )


def _sets_of(row: TranslatorRow, sets: Mapping[str, HeldOutWords]) -> dict[str, HeldOutWords]:
    return {code: sets[code] for code in row.settings.languages if code in sets}


def _fingerprint(sets: Mapping[str, HeldOutWords]) -> str:
    return fingerprint([pair for one in sets.values() for pair in one.pairs(TRUTH, START)])
