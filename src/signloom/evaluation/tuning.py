"""Beam and length penalty, chosen on validation over a small grid; here those of a translator."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from signloom.data.pair import Pair
from signloom.errors import ConfigError
from signloom.evaluation.translators import TranslatorRow
from signloom.metrics.bleu import corpus_bleu
from signloom.metrics.text import error_rate
from signloom.runtime.package import Package, write_package

BEAMS = (1, 2, 4, 8)
LENGTH_PENALTIES = (0.0, 0.4, 0.8, 1.2, 1.6, 2.0)
MEASURES = {"letter_error": "letter error", "bleu": "BLEU-4", "cider_d": "CIDEr-D"}


@dataclass(frozen=True)
class Tuned:
    """What was best on validation.

    Attributes:
        beam: Hypotheses kept a step.
        length_penalty: Exponent of the length penalty.
        measure: What the score is: `bleu` or `cider_d`, more is better, or `letter_error`, less is
            better.
        score: The best score, percent.
        table: Score by beam and length penalty.
    """

    beam: int
    length_penalty: float
    measure: str
    score: float
    table: Mapping[tuple[int, float], float]


def tune(
    row: TranslatorRow,
    pairs: Sequence[Pair],
    *,
    beams: Sequence[int] = BEAMS,
    length_penalties: Sequence[float] = LENGTH_PENALTIES,
    done: Callable[[int], None] | None = None,
) -> Tuned:
    """Translate a validation set at every place of a grid.

    Words are scored by BLEU-4, letters by letter error. Of equal scores that of the smaller beam is
    taken, and then that of the smaller length penalty. A beam of 1 knows no length penalty: it is
    tried once.

    Args:
        row: The translator; its own beam and length penalty are not looked at.
        pairs: The validation set.
        beams: Hypotheses kept a step.
        length_penalties: Exponents.
        done: Told how many sentences each batch has finished, as often as `grid` has places.

    Raises:
        ConfigError: There is no pair, or no place of the grid.
        MissingExtraError: Words are to be scored, and sacrebleu is not installed.
    """
    places = grid(beams, length_penalties)
    if not pairs or not places:
        raise ConfigError(
            "Tuning must have a sentence and a place of the grid, but has "
            f"{len(pairs)} and {len(places)}."
        )
    letters = row.settings.unit == "letters"
    table = {}
    for beam, length_penalty in places:
        found = row.translate(pairs, beam=beam, length_penalty=length_penalty, done=done)
        if letters:
            spelled = zip(found.tokens, (pair.tokens for pair in pairs), strict=True)
            table[beam, length_penalty] = 100 * error_rate(spelled)
        else:
            references = [pair.text for pair in pairs]
            table[beam, length_penalty] = corpus_bleu(found.texts, references)
    best = (min if letters else max)(places, key=lambda place: table[place])
    measure = "letter_error" if letters else "bleu"
    return Tuned(*best, measure, table[best], table)


def grid(
    beams: Sequence[int] = BEAMS, length_penalties: Sequence[float] = LENGTH_PENALTIES
) -> list[tuple[int, float]]:
    """List the places to try, those that are taken among equals first.

    Example:
        >>> grid((2, 1), (0.4, 0.0))
        [(1, 0.0), (2, 0.0), (2, 0.4)]
    """
    exponents = sorted(length_penalties)
    return [
        (beam, exponent)
        for beam in sorted(beams)
        for exponent in (exponents if beam > 1 else exponents[:1])
    ]


def set_search(package: Package, tuned: Tuned) -> Package:
    """Write a package anew, with what was best as its own beam and length penalty.

    Raises:
        PackageError: The folder holds something else beside the package, or cannot be written.
    """
    changes = {"beam": tuned.beam, "length_penalty": tuned.length_penalty}
    return rewritten(package, changes, f"## Search\n\n{_describe(tuned)}")


def rewritten(package: Package, changes: Mapping[str, Any], section: str) -> Package:
    """Write a package anew, with other values in its configuration and one more card section.

    Raises:
        PackageError: The folder holds something else beside the package, or cannot be written.
    """
    return write_package(
        package.path,
        graphs=package.graphs,
        config={**package.config, **changes},
        vocabulary=json.loads((package.path / "vocabulary.json").read_bytes()),
        card=f"{package.card.rstrip()}\n\n{section}\n",
        weights=package.weights,
        overwrite=True,
    )


def _describe(tuned: Tuned) -> str:
    measure = MEASURES[tuned.measure]
    return (
        f"A beam of {tuned.beam} and a length penalty of {tuned.length_penalty:g} were best of "
        f"{len(tuned.table)} choices on validation: {measure} {tuned.score:.2f} %."
    )
