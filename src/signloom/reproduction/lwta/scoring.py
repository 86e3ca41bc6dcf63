"""What a row measures: search tuned on validation, then the test set, once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from signloom.data.corpora.parallel_text import ParallelText, read_lines
from signloom.data.pair import Pair
from signloom.evaluation.paired_bleu import compare_bleu
from signloom.evaluation.translation import translation_scores
from signloom.evaluation.translators import TranslatorRow
from signloom.evaluation.tuning import Tuned, tune
from signloom.export.compress import compress_package
from signloom.reproduction.lwta.variants import Study, Variant, package_of
from signloom.reproduction.trained import digest
from signloom.runtime.package import Package, load_package

ALONE = 40
"""Sentences that are timed one at a time."""


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """A row: which models translate, and how.

    Attributes:
        study: What all rows share.
        members: One variant, or the members of an ensemble.
        samples: Posterior samples of each; 0 takes means and likeliest winners.
        form: What their weights are rounded to, `packed`, `int8` or `float16`; empty for none.
        aggregation: Which spread stands for a layer when packed.
        glosses: What is read, `written` or `recognised`.
    """

    study: Study
    members: tuple[Variant, ...]
    samples: int = 0
    form: str = ""
    aggregation: str = "min"
    glosses: str = "written"

    def corpus(self) -> ParallelText:
        """Open what is read, with its validation and test sentences."""
        return ParallelText(self.study.source(self.glosses), self.study.target)

    def references(self) -> list[str]:
        """List the sentences of the test set."""
        return [pair.text for pair in self.corpus().pairs("test")]


def measure(config: Scoring, *, folder: Path) -> dict[str, Any]:
    """Train what is not there, tune the search on validation and score the test set.

    Args:
        config: The row.
        folder: Where runs, packages and translations lie.

    Returns:
        `test` and `dev` scores, beam and length penalty, times, bytes and bits, and the file that
        the translations lie in.
    """
    study = config.study
    packages = [package_of(variant, study, folder) for variant in config.members]
    bits = None
    if config.form:
        packages, bits = _compressed(packages, config, folder)
    corpus = config.corpus()
    row = TranslatorRow(packages=tuple(packages), samples=config.samples)
    tuned = tune(row, corpus.pairs("dev"), beams=study.beams, length_penalties=study.penalties)
    test = corpus.pairs("test")
    found = row.translate(test, beam=tuned.beam, length_penalty=tuned.length_penalty)
    references = [pair.text for pair in test]
    own = compare_bleu(found.texts, found.texts, references).first
    file = _keep(found.texts, config, folder)
    return {
        "test": asdict(translation_scores(found.texts, references)),
        "interval": [own.low, own.high],
        "dev_bleu4": tuned.score,
        "beam": tuned.beam,
        "length_penalty": tuned.length_penalty,
        "seconds_a_sentence": found.seconds / len(test),
        "seconds_alone": _seconds_alone(row, test, tuned),
        "confidence": float(np.mean([one.confidence for one in found.hypotheses])),
        "spread": float(np.mean([one.spread for one in found.hypotheses])),
        "bytes": sum(len(package.weights or b"") for package in packages),
        "bits_a_bayesian_weight": bits,
        "translations": str(file.relative_to(folder)),
    }


def read_translations(result: Mapping[str, Any], folder: Path) -> list[str]:
    """Read the translations that a row kept.

    Raises:
        FormatError: The file is gone.
    """
    return read_lines(folder / result["translations"])


def _seconds_alone(row: TranslatorRow, pairs: Sequence[Pair], tuned: Tuned) -> float:
    """Give the median time of a sentence that is translated by itself."""
    times = [
        row.translate([pair], beam=tuned.beam, length_penalty=tuned.length_penalty).seconds
        for pair in pairs[:ALONE]
    ]
    return float(np.median(times))


def _compressed(
    packages: Sequence[Package], config: Scoring, folder: Path
) -> tuple[list[Package], float | None]:
    """Round the weights of packages; give the mean bits of a Bayesian weight, if any."""
    small, bits = [], []
    for package in packages:
        place = folder / "packages" / f"{package.name}-{config.form}-{config.aggregation}"
        report = compress_package(
            package,
            place,
            form=config.form,  # type: ignore[arg-type]
            aggregation=config.aggregation,  # type: ignore[arg-type]
            overwrite=True,
        )
        small.append(load_package(place))
        bits.append(report.bits)
    known = [one for one in bits if one is not None]
    return small, float(np.mean(known)) if known else None


def _keep(texts: Sequence[str], config: Scoring, folder: Path) -> Path:
    """Write the translations, a line each, for people to read and for paired tests."""
    file = folder / "translations" / f"{digest([json.dumps(asdict(config))])}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return file
