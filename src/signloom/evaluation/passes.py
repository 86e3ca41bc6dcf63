"""Passes of refinement of a transcriber, chosen on validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from signloom.data.speech.utterance import Utterance
from signloom.errors import ConfigError
from signloom.evaluation.tuning import rewritten
from signloom.metrics.text import error_rate
from signloom.pipelines.transcribe import Transcriber
from signloom.runtime.package import Package

PASSES = (0, 1, 2, 5, 10)


@dataclass(frozen=True)
class TunedPasses:
    """What was best on validation.

    Attributes:
        iterations: Passes of refinement at most; 0 takes what CTC hears.
        error: The error rate by it, percent.
        table: Error rates by passes, percent.
    """

    iterations: int
    error: float
    table: Mapping[int, float]


def tune_passes(
    package: Package,
    utterances: Sequence[Utterance],
    *,
    passes: Sequence[int] = PASSES,
    done: Callable[[int], None] | None = None,
) -> TunedPasses:
    """Transcribe a validation set with every number of passes; of equal ones the fewest are taken.

    Args:
        package: The transcriber; its own number is not looked at.
        utterances: The validation set, at the package's rate.
        passes: Numbers to try.
        done: Told how many utterances each number has finished.

    Raises:
        ConfigError: There is no utterance or no number.
    """
    if not utterances or not passes:
        raise ConfigError(
            "Tuning must have an utterance and a number of passes, but has "
            f"{len(utterances)} and {len(passes)}."
        )
    sounds = [one.read() for one in utterances]
    table = {}
    for iterations in sorted(passes):
        heard = Transcriber(package.path, iterations=iterations).hear(sounds)
        pairs = zip((one.tokens for one in heard), (one.tokens for one in utterances), strict=True)
        table[iterations] = 100 * error_rate(pairs)
        if done:
            done(len(sounds))
    best = min(table, key=lambda iterations: table[iterations])
    return TunedPasses(best, table[best], table)


def set_passes(package: Package, tuned: TunedPasses) -> Package:
    """Write a package anew, with what was best as its own number.

    Raises:
        PackageError: The folder holds something else beside the package, or cannot be written.
    """
    rates = ", ".join(f"{rate:.2f} % with {passes}" for passes, rate in tuned.table.items())
    said = (
        f"Errors on validation by passes of refinement at most: {rates}. So it runs "
        f"{tuned.iterations} unless asked otherwise."
    )
    return rewritten(package, {"iterations": tuned.iterations}, f"## Refinement\n\n{said}")
