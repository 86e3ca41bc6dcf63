"""Translators on a test set: figures of each row, and how far they lie from the first row's.

Whoever reads two BLEU figures side by side wants to know whether they differ, so every row but the
first has its difference from the first, with interval and p-value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from signloom.data.pair import Pair
from signloom.errors import ConfigError
from signloom.evaluation.bootstrap import Estimate
from signloom.evaluation.calibration import Calibration, calibrate
from signloom.evaluation.held_out_pairs import fingerprint
from signloom.evaluation.paired_bleu import compare_bleu
from signloom.evaluation.report import plain, to_document
from signloom.evaluation.translation import TranslationScores, translation_scores
from signloom.evaluation.translators import Translations, TranslatorRow
from signloom.metrics.bleu import load_sacrebleu

FIGURES = (
    ("bleu1", "BLEU-1", 2),
    ("bleu2", "BLEU-2", 2),
    ("bleu3", "BLEU-3", 2),
    ("bleu4", "BLEU-4", 2),
    ("difference", "less the first's", 2),
    ("p_value", "p-value", 4),
    ("bleu4_13a", "BLEU-4, 13a", 2),
    ("chrf", "chrF", 2),
    ("rouge_l", "ROUGE-L", 2),
    ("wer", "WER %", 2),
    ("confidence", "confidence", 3),
    ("spread", "spread", 4),
    ("token_error", "calibration error %", 1),
    ("correlation", "confidence ~ BLEU", 2),
    ("spread_correlation", "spread ~ BLEU", 2),
    ("seconds", "seconds a sentence", 4),
    ("members", "members", 0),
    ("beam", "beam", 0),
    ("length_penalty", "length penalty", 1),
)


@dataclass(frozen=True, kw_only=True)
class TranslatorSummary:
    """The figures of one row, texts compared as they stand; percentages are of 100."""

    bleu1: float
    """BLEU of words."""
    bleu2: float
    """BLEU up to pairs of words."""
    bleu3: float
    """BLEU up to triples of words."""
    bleu4: Estimate
    """BLEU up to four words, with its 95 % bootstrap interval over sentences."""
    difference: Estimate | None
    """BLEU-4 less that of the first row, by paired bootstrap; None of the first row itself."""
    p_value: float | None
    """How often chance alone would part two equal systems as far."""
    bleu4_13a: float
    """BLEU-4 of texts that sacreBLEU tokenises itself."""
    chrf: float
    """chrF2."""
    rouge_l: float
    """Mean ROUGE-L F over sentences, β = 1.2."""
    wer: float
    """Word errors per reference word."""
    confidence: float
    """Mean over sentences of the geometric mean of the probabilities of the tokens, 0 to 1."""
    spread: float
    """Mean over sentences of how far the members are apart, 0 to 0.5; 0 for one member."""
    token_error: float
    """Expected calibration error of tokens."""
    correlation: float
    """Rank correlation of a sentence's confidence with its BLEU."""
    spread_correlation: float
    """Rank correlation of a sentence's spread with its BLEU."""
    seconds: float
    """Time a sentence takes, batches of many sentences."""
    members: int
    """Models and samples whose logits are averaged."""
    beam: int
    """Hypotheses kept a step."""
    length_penalty: float
    """Exponent of the length penalty."""


@dataclass(frozen=True, kw_only=True)
class TranslatorResult:
    """The rows of one evaluation."""

    signature: str
    """Data and conventions in one line; results of two signatures do not compare."""
    summaries: Mapping[str, TranslatorSummary]
    """Figures by row."""
    calibrations: Mapping[str, Calibration]
    """Confidence against outcome by row."""


def evaluate_translators(
    rows: Mapping[str, TranslatorRow],
    pairs: Sequence[Pair],
    *,
    seed: int = 0,
    done: Callable[[int], None] | None = None,
) -> TranslatorResult:
    """Translate a test set with every row and compare with the first one.

    Args:
        rows: Translators by name.
        pairs: The test set.
        seed: Fixes resampling; what samples are drawn a row says itself.
        done: Told how many sentences each batch has finished.

    Raises:
        ConfigError: There is no row or no pair, or a row does not read such sources.
        MissingExtraError: sacrebleu is not installed.
    """
    load_sacrebleu("Scoring translations")
    if not rows or not pairs:
        raise ConfigError(
            f"An evaluation must have a model and a sentence, but has {len(rows)} and {len(pairs)}."
        )
    found = {name: row.translate(pairs, done=done) for name, row in rows.items()}
    references = [pair.text for pair in pairs]
    scores = {name: translation_scores(one.texts, references) for name, one in found.items()}
    calibrations = {name: _calibrate(one, pairs, references) for name, one in found.items()}
    first = next(iter(found.values())).texts
    summaries = {
        name: _summarise(
            rows[name],
            one,
            scores[name],
            calibration=calibrations[name],
            against=(first, references),
            seed=seed,
        )
        for name, one in found.items()
    }
    signature = _sign(next(iter(scores.values())), pairs, seed=seed)
    return TranslatorResult(signature=signature, summaries=summaries, calibrations=calibrations)


def to_translator_document(
    result: TranslatorResult, *, command: str | None = None
) -> dict[str, Any]:
    """Give everything as plain data for JSON, the bins of calibration included."""
    document = to_document(result, command=command)
    for name, calibration in result.calibrations.items():
        document["rows"][name]["calibration"] = plain(asdict(calibration))
    return document


def sentence_bleu(texts: Sequence[str], references: Sequence[str]) -> list[float]:
    """Give the BLEU of each sentence in percent, over as many orders as it has words for."""
    metric = load_sacrebleu("Scoring translations").metrics.BLEU(
        tokenize="none", force=True, effective_order=True
    )
    pairs = zip(texts, references, strict=True)
    return [float(metric.sentence_score(made, [wanted]).score) for made, wanted in pairs]


def _calibrate(
    found: Translations, pairs: Sequence[Pair], references: Sequence[str]
) -> Calibration:
    return calibrate(
        found.hypotheses,
        found.tokens,
        [pair.tokens for pair in pairs],
        sentence_bleu(found.texts, references),
    )


def _summarise(
    row: TranslatorRow,
    found: Translations,
    scores: TranslationScores,
    *,
    calibration: Calibration,
    against: tuple[Sequence[str], Sequence[str]],
    seed: int,
) -> TranslatorSummary:
    first, references = against
    compared = compare_bleu(first, found.texts, references, seed=seed)
    own = found.texts is first
    return TranslatorSummary(
        bleu1=scores.bleu1,
        bleu2=scores.bleu2,
        bleu3=scores.bleu3,
        bleu4=compared.second,
        difference=None if own else compared.difference,
        p_value=None if own else compared.p_value,
        bleu4_13a=scores.bleu4_13a,
        chrf=scores.chrf,
        rouge_l=scores.rouge_l,
        wer=scores.wer,
        confidence=float(np.mean([one.confidence for one in found.hypotheses])),
        spread=float(np.mean([one.spread for one in found.hypotheses])),
        token_error=calibration.token_error,
        correlation=calibration.correlation,
        spread_correlation=calibration.spread_correlation,
        seconds=found.seconds / len(references),
        members=len(row.packages) * max(1, row.samples),
        beam=row.width,
        length_penalty=row.exponent,
    )


def _sign(scores: TranslationScores, pairs: Sequence[Pair], *, seed: int) -> str:
    return (
        f"pairs:{fingerprint(pairs)}|texts:{len(pairs)}|seed:{seed}"
        f"|bleu:({scores.bleu_signature})|bleu-13a:({scores.bleu4_13a_signature})"
        f"|chrf:({scores.chrf_signature})|rouge:l-f-1.2"
    )
