"""Recognisers on clips that nobody has trained on: error rates, with S, D and I, and controls.

Clips are held-out phrases of fingerspelling, or the utterances of a corpus. The whole runtime reads
them, as it reads a user's recordings. Beside the true clips stand three that say nothing: the mean
frame of all held still, each clip's own mean frame held still, and the clips of others. A
recogniser that reads of these guesses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from signloom.data.example import Example
from signloom.data.roughening import hold_still
from signloom.errors import ConfigError
from signloom.evaluation.bootstrap import Estimate, estimate_ratio
from signloom.evaluation.controls import deal, mean_pose
from signloom.evaluation.held_out_pairs import digest_parts
from signloom.metrics.text import EditCounts, edit_counts, fold
from signloom.pipelines.extraction import Extraction
from signloom.pipelines.recognition import Recognition
from signloom.pipelines.recognize import Recognizer
from signloom.poses.pose import Pose
from signloom.tokens.languages import SIGN_LANGUAGES

Clean = Callable[[str], tuple[str, ...]]
"""Brings a line of glosses to the tokens that are counted."""
FIGURES = (
    ("error", "error %", 2),
    ("strict_error", "strict %", 2),
    ("exact", "exact %", 1),
    ("substitutions", "substitutions", 0),
    ("deletions", "deletions", 0),
    ("insertions", "insertions", 0),
    ("tokens", "tokens", 0),
    ("mean_pose_error", "mean pose, error %", 1),
    ("still_error", "held still, error %", 1),
    ("shuffled_error", "shuffled, error %", 1),
    ("confidence", "confidence", 3),
    ("milliseconds", "ms a frame", 3),
    ("clips", "clips", 0),
)


@dataclass(frozen=True, kw_only=True)
class RecognitionSummary:
    """The figures of one row; intervals over clips, percentages of 100."""

    error: Estimate
    """Letters or glosses read wrongly, S + D + I over those signed; look-alikes as one letter."""
    strict_error: Estimate
    """The same, every letter by itself."""
    exact: Estimate
    """Clips read without an error."""
    substitutions: int
    """Tokens read as another."""
    deletions: int
    """Tokens not read."""
    insertions: int
    """Tokens read that were not signed."""
    tokens: int
    """Tokens signed."""
    mean_pose_error: Estimate
    """Error where the mean frame of all clips is held still; NaN where clips have pictures."""
    still_error: Estimate
    """Error where each clip is held still at its own mean frame; likewise."""
    shuffled_error: Estimate
    """Error where the clips are those of others."""
    confidence: Estimate
    """Geometric mean of the confidences of a clip's tokens, 0 to 1."""
    milliseconds: float
    """Time a frame, clips read together."""
    clips: int
    """Clips."""


@dataclass(frozen=True, kw_only=True)
class RecognitionResult:
    """The rows of one evaluation."""

    signature: str
    """Data and conventions in one line; results of two signatures do not compare."""
    summaries: Mapping[str, RecognitionSummary]
    """Figures by row: each model, then by language where the clips are of several."""


@dataclass(frozen=True, eq=False)
class _Read:
    """What was read of one clip, by control."""

    example: Example
    found: Mapping[str, Recognition]
    clean: Clean | None

    def errors(self, control: str, *, strict: bool = False) -> EditCounts:
        if self.clean is not None:
            read = self.clean(" ".join(self.found[control].tokens))
            return edit_counts(read, self.clean(self.example.text))
        known = SIGN_LANGUAGES.get(self.example.language)
        groups = known.look_alikes if known and not strict else ()
        wanted = self.example.tokens or self.example.glosses
        return edit_counts(fold(self.found[control].tokens, groups), fold(wanted, groups))


def evaluate_recognition(
    models: Mapping[str, Callable[[str], Recognizer]],
    clips: Sequence[Example],
    *,
    corpus: str,
    clean: Clean | None = None,
    seed: int = 0,
    done: Callable[[int], None] = lambda _: None,
) -> RecognitionResult:
    """Let recognisers read clips.

    Args:
        models: By the name of their row: what opens the recogniser of a language; the language is
            empty where clips do not name theirs.
        clips: What is to be read; tokens, or else glosses, say what is signed.
        corpus: What the clips are, for the signature.
        clean: What the corpus's own evaluation does to a line of glosses, read or annotated
            (then the clips' `text`), before errors are counted.
        seed: Fixes shuffling and resampling.
        done: Told how many more clips are read, of all models and controls.

    Raises:
        ConfigError: There are fewer than two clips.
    """
    if len(clips) < 2:
        raise ConfigError(
            f"There must be at least 2 clips to evaluate on, but there are {len(clips)}."
        )
    controls = _controls(clips, seed=seed)
    summaries: dict[str, RecognitionSummary] = {}
    languages = list(dict.fromkeys(one.language for one in clips))
    for name, opened in models.items():
        read, seconds = _read(opened, clips, controls, clean, done)
        frames = sum(one.num_frames for one in clips)
        summaries[name] = summarise(read, seconds / frames, seed=seed)
        for language in languages if len(languages) > 1 else ():
            part = [one for one in read if one.example.language == language]
            label = language if len(models) == 1 else f"{name} {language}"
            summaries[label] = summarise(part, seconds / frames, seed=seed)
    return RecognitionResult(
        signature=(
            f"corpus:{corpus}|clips:{len(clips)}|data:{_fingerprint(clips)}|seed:{seed}"
            f"|errors:edits-unit-costs-{'cleaned' if clean else 'look-alikes-folded'}"
        ),
        summaries=summaries,
    )


def summarise(
    read: Sequence[_Read], seconds_a_frame: float, *, seed: int = 0
) -> RecognitionSummary:
    """Put clips together; rates are ratios of sums."""

    def error(control: str, *, strict: bool = False) -> Estimate:
        counts = [one.errors(control, strict=strict) for one in read if control in one.found]
        lengths = [one.length for one in counts]
        return estimate_ratio([100 * one.errors for one in counts], lengths, seed=seed)

    counts = [one.errors(TRUTH) for one in read]
    total = sum(counts, EditCounts(0, 0, 0, 0))
    return RecognitionSummary(
        error=error(TRUTH),
        strict_error=error(TRUTH, strict=True),
        exact=estimate_ratio([100.0 * (one.errors == 0) for one in counts], seed=seed),
        substitutions=total.substitutions,
        deletions=total.deletions,
        insertions=total.insertions,
        tokens=total.length,
        mean_pose_error=error(MEAN),
        still_error=error(STILL),
        shuffled_error=error(SHUFFLED),
        confidence=estimate_ratio([one.found[TRUTH].confidence for one in read], seed=seed),
        milliseconds=1000 * seconds_a_frame,
        clips=len(read),
    )


TRUTH, MEAN, STILL, SHUFFLED = "truth", "mean pose", "held still", "shuffled"


def num_readings(models: Mapping[str, object], clips: Sequence[Example]) -> int:
    """Say how many clips an evaluation reads."""
    return len(models) * len(clips) * len(_controls_of(clips))


def _controls_of(clips: Sequence[Example]) -> tuple[str, ...]:
    # A film cannot be held still without saying which frame is to be seen.
    filmed = any(one.pictures is not None for one in clips)
    return (TRUTH, SHUFFLED) if filmed else (TRUTH, MEAN, STILL, SHUFFLED)


def _controls(clips: Sequence[Example], *, seed: int) -> dict[str, list[Example]]:
    """Give what stands in each clip's place."""
    others = [clips[other] for other in deal(len(clips), seed=seed)]
    rows = {TRUTH: list(clips), SHUFFLED: others}
    if MEAN in _controls_of(clips):
        means = mean_pose([one.frames for one in clips])
        rows[MEAN] = [replace(one, frames=row) for one, row in zip(clips, means, strict=True)]
        rows[STILL] = [replace(one, frames=hold_still(one.frames)) for one in clips]
    return rows


def _read(
    opened: Callable[[str], Recognizer],
    clips: Sequence[Example],
    controls: Mapping[str, Sequence[Example]],
    clean: Clean | None,
    done: Callable[[int], None],
) -> tuple[list[_Read], float]:
    """Read every control with the recogniser of each clip's own language; time the true clips."""
    found: list[dict[str, Recognition]] = [{} for _ in clips]
    seconds = 0.0
    for language in dict.fromkeys(one.language for one in clips):
        recognizer = opened(language)
        places = [place for place, one in enumerate(clips) if one.language == language]
        for control, rows in controls.items():
            sources = [_source(rows[place]) for place in places]
            started = time.perf_counter()
            for place, read in zip(
                places, recognizer.recognize_many(sources, done=done), strict=True
            ):
                found[place][control] = read
            seconds += (time.perf_counter() - started) * (control == TRUTH)
    return [_Read(one, row, clean) for one, row in zip(clips, found, strict=True)], seconds


def _source(example: Example) -> Extraction:
    pictures = example.pictures() if example.pictures else None
    return Extraction(Pose(example.frames, example.certainty, example.fps), pictures)


def _fingerprint(clips: Sequence[Example]) -> str:
    return digest_parts(
        part
        for one in clips
        for part in (one.frames.tobytes(), " ".join(one.tokens or one.glosses).encode())
    )
