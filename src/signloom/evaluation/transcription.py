"""Transcribers on speech that nobody has trained on: error rates, what refinement mends, speed.

The whole runtime hears every utterance, as it is cut in the corpus: one by one, which is timed, and
together. Beside the true ones stand two rows that say nothing: silence as long as each utterance,
and the true transcripts dealt to other utterances. Silence that is transcribed is invented.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from signloom.data.speech.utterance import Utterance
from signloom.errors import ConfigError
from signloom.evaluation.bootstrap import Estimate, Numbers, estimate_ratio
from signloom.evaluation.controls import deal
from signloom.evaluation.held_out_pairs import digest_parts
from signloom.features.resampling import Samples, resample
from signloom.metrics.text import EditCounts, edit_counts
from signloom.pipelines.transcribe import Transcriber
from signloom.pipelines.transcription import Said
from signloom.tokens.transcripts import SpokenUnit, split_transcript

FIGURES = (
    ("error", "error %", 2),
    ("ctc_error", "CTC alone, error %", 2),
    ("reduction", "CERR %", 1),
    ("sentence_error", "sentence error %", 1),
    ("substitutions", "substitutions", 0),
    ("deletions", "deletions", 0),
    ("insertions", "insertions", 0),
    ("tokens", "tokens", 0),
    ("shuffled_error", "shuffled, error %", 1),
    ("silence_tokens", "silence, tokens", 2),
    ("iterations", "iterations", 2),
    ("most_iterations", "at most", 0),
    ("cycles", "cycles %", 2),
    ("real_time_factor", "RTF", 4),
    ("joint_real_time_factor", "RTF, batched", 4),
    ("utterances", "utterances", 0),
)
GROUP = 64
"""Utterances whose sound is in memory at once."""


@dataclass(frozen=True, kw_only=True)
class TranscriptionSummary:
    """The figures of one row; intervals over utterances, percentages of 100."""

    error: Estimate
    """Words or characters read wrongly, S + D + I over those said: WER or CER."""
    ctc_error: Estimate
    """The same of what CTC alone heard."""
    reduction: Estimate
    """Share of CTC's errors that refinement takes away (CERR, NAT-UBD table 3); NaN without any."""
    sentence_error: Estimate
    """Utterances with an error."""
    substitutions: int
    """Tokens read as another."""
    deletions: int
    """Tokens not read."""
    insertions: int
    """Tokens read that were not said."""
    tokens: int
    """Tokens said."""
    shuffled_error: Estimate
    """Error where the transcripts are those of others."""
    silence_tokens: Estimate
    """Tokens read in an utterance of silence."""
    iterations: Estimate
    """Passes of refinement of an utterance."""
    most_iterations: int
    """Passes after which refinement would have ended in any case, J."""
    cycles: Estimate
    """Utterances whose refinement came back to an earlier transcript."""
    real_time_factor: float
    """Time over that of the sound, utterances heard one by one on one thread, from samples to
    text."""
    joint_real_time_factor: float
    """The same, utterances heard together."""
    utterances: int
    """Utterances."""


@dataclass(frozen=True, kw_only=True)
class TranscriptionResult:
    """The rows of one evaluation."""

    signature: str
    """Data and conventions in one line; results of two signatures do not compare."""
    summaries: Mapping[str, TranscriptionSummary]
    """Figures by row, one a model."""


@dataclass
class _Row:
    """What a model heard so far, by utterance."""

    transcriber: Transcriber
    alone: list[Said] = field(default_factory=list)
    silent: list[Said] = field(default_factory=list)
    seconds: float = 0.0
    joint_seconds: float = 0.0
    sound_s: float = 0.0

    @property
    def rate(self) -> int:
        """Samples a second that it hears."""
        return self.transcriber.settings.rate

    def hear(self, samples: Sequence[Samples]) -> None:
        """Hear utterances: each by itself, together, and silence instead."""
        for one in samples:
            started = time.perf_counter()
            self.alone += self.transcriber.hear([one])
            self.seconds += time.perf_counter() - started
        started = time.perf_counter()
        self.transcriber.hear(samples)
        self.joint_seconds += time.perf_counter() - started
        self.silent += self.transcriber.hear([np.zeros_like(one) for one in samples])
        self.sound_s += sum(map(len, samples)) / self.rate


def evaluate_transcription(
    models: Mapping[str, Transcriber],
    utterances: Sequence[Utterance],
    *,
    rate: int,
    corpus: str,
    seed: int = 0,
    done: Callable[[int], None] = lambda _: None,
) -> TranscriptionResult:
    """Let transcribers hear utterances.

    Args:
        models: By the name of their row, each on one thread, so that times compare.
        utterances: What they hear; `text` says what is said, and unknown words count as others do.
        rate: Samples a second of their sound.
        corpus: What the utterances are, for the signature.
        seed: Fixes shuffling and resampling.
        done: Told how many more utterances are heard, of all models.

    Raises:
        ConfigError: There are fewer than two utterances, or the models write not the same.
        FormatError: The sound of an utterance does not hold.
    """
    if len(utterances) < 2:
        raise ConfigError(
            f"There must be at least 2 utterances to evaluate on, but there are {len(utterances)}."
        )
    unit, language = manner_of(models)
    rows = {name: _Row(transcriber) for name, transcriber in models.items()}
    prints: list[str] = []
    for first in range(0, len(utterances), GROUP):
        group = [one.read() for one in utterances[first : first + GROUP]]
        prints += [digest_parts([np.asarray(sound, "<f4").tobytes()]) for sound in group]
        for row in rows.values():
            row.hear([resample(one, rate=rate, to=row.rate) for one in group])
            done(len(group))
    said = [split_transcript(one.text, unit=unit, spoken_language=language) for one in utterances]
    parts = [f"{sound} {one.text}" for sound, one in zip(prints, utterances, strict=True)]
    return TranscriptionResult(
        signature=(
            f"corpus:{corpus}|utterances:{len(utterances)}"
            f"|data:{digest_parts(part.encode() for part in parts)}|seed:{seed}|unit:{unit}"
            "|errors:edits-unit-costs"
        ),
        summaries={name: _summarise(row, said, seed=seed) for name, row in rows.items()},
    )


def manner_of(models: Mapping[str, Transcriber]) -> tuple[SpokenUnit, str]:
    """Give the unit and the spoken language that models have in common.

    Raises:
        ConfigError: They have not.
    """
    manners = {
        (one.settings.unit, one.settings.spoken_language): name for name, one in models.items()
    }
    if len(manners) != 1:
        named = " and ".join(
            f"{name} writes {unit} of {language}" for (unit, language), name in manners.items()
        )
        raise ConfigError(
            "The models must write the same unit of the same language, but "
            f"{named or 'there are none'}. Evaluate each by itself."
        )
    [manner] = manners
    return manner


def _summarise(row: _Row, said: Sequence[Sequence[str]], *, seed: int) -> TranscriptionSummary:
    """Put utterances together; rates are ratios of sums."""
    counts = [edit_counts(one.tokens, true) for one, true in zip(row.alone, said, strict=True)]
    heard = [edit_counts(one.heard, true) for one, true in zip(row.alone, said, strict=True)]
    others = [said[other] for other in deal(len(said), seed=seed)]
    dealt = [edit_counts(one.tokens, other) for one, other in zip(row.alone, others, strict=True)]
    total = sum(counts, EditCounts(0, 0, 0, 0))
    mended = [100 * (ctc.errors - one.errors) for ctc, one in zip(heard, counts, strict=True)]

    def mean(values: Numbers) -> Estimate:
        return estimate_ratio(values, seed=seed)

    return TranscriptionSummary(
        error=_error(counts, seed=seed),
        ctc_error=_error(heard, seed=seed),
        reduction=estimate_ratio(mended, [one.errors for one in heard], seed=seed),
        sentence_error=mean([100.0 * (one.errors > 0) for one in counts]),
        substitutions=total.substitutions,
        deletions=total.deletions,
        insertions=total.insertions,
        tokens=total.length,
        shuffled_error=_error(dealt, seed=seed),
        silence_tokens=mean([len(one.tokens) for one in row.silent]),
        iterations=mean([one.iterations for one in row.alone]),
        most_iterations=row.transcriber.iterations,
        cycles=mean([100.0 * one.was_cycle for one in row.alone]),
        real_time_factor=row.seconds / row.sound_s,
        joint_real_time_factor=row.joint_seconds / row.sound_s,
        utterances=len(said),
    )


def _error(counts: Sequence[EditCounts], *, seed: int) -> Estimate:
    lengths = [one.length for one in counts]
    return estimate_ratio([100 * one.errors for one in counts], lengths, seed=seed)
