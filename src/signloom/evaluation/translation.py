"""How good translations are, in the figures that sign language translation reports.

Texts are compared as they stand: tokens parted by spaces, as PHOENIX-2014-T has them. BLEU and chrF
are sacreBLEU's and come with its signatures; figures of different signatures do not compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from signloom.errors import ConfigError
from signloom.metrics.bleu import load_sacrebleu
from signloom.metrics.rouge import rouge_l
from signloom.metrics.text import error_rate


@dataclass(frozen=True, kw_only=True)
class TranslationScores:
    """Figures over a whole corpus, in percent."""

    num_sentences: int
    """Sentences."""
    bleu1: float
    """BLEU of words, tokenize=none."""
    bleu2: float
    """BLEU up to pairs of words."""
    bleu3: float
    """BLEU up to triples of words."""
    bleu4: float
    """BLEU up to four words: what is usually called BLEU."""
    bleu_signature: str
    """Signature of the four."""
    bleu4_13a: float
    """BLEU-4 of texts that sacreBLEU tokenises itself, tokenize=13a."""
    bleu4_13a_signature: str
    """Its signature."""
    chrf: float
    """chrF2."""
    chrf_signature: str
    """Its signature."""
    rouge_l: float
    """Mean ROUGE-L F over sentences, β = 1.2."""
    wer: float
    """Word errors per reference word; lower is better and more than 100 is possible."""


def translation_scores(hypotheses: Sequence[str], references: Sequence[str]) -> TranslationScores:
    """Score translations against one reference each.

    Args:
        hypotheses: Translations, tokens parted by spaces.
        references: What each should be.

    Raises:
        ConfigError: There is none, or not as many of one as of the other.
        MissingExtraError: sacrebleu is not installed.
    """
    check_sides(references, hypotheses)
    metrics = load_sacrebleu("Scoring translations").metrics
    hypotheses, references = list(hypotheses), list(references)
    orders = [_score(_bleu(metrics, order=n), hypotheses, references) for n in (1, 2, 3, 4)]
    tokenised = _score(_bleu(metrics, tokenize="13a"), hypotheses, references)
    characters = _score(metrics.CHRF(), hypotheses, references)
    pairs = [
        (made.split(), true.split()) for made, true in zip(hypotheses, references, strict=True)
    ]
    return TranslationScores(
        num_sentences=len(references),
        **{f"bleu{n}": value for n, (value, _) in enumerate(orders, 1)},
        bleu_signature=orders[-1][1],
        bleu4_13a=tokenised[0],
        bleu4_13a_signature=tokenised[1],
        chrf=characters[0],
        chrf_signature=characters[1],
        rouge_l=100 * float(np.mean([rouge_l(*pair) for pair in pairs])),
        wer=100 * error_rate(pairs),
    )


def check_sides(references: Sequence[str], *systems: Sequence[str]) -> None:
    """Refuse translations that do not belong to their references.

    Raises:
        ConfigError: There is no reference, or another number of translations.
    """
    for hypotheses in systems:
        if not references or len(hypotheses) != len(references):
            raise ConfigError(
                "Translations and references must be equally many, and at least one, but are "
                f"{len(hypotheses)} and {len(references)}."
            )


def _bleu(metrics: Any, *, order: int = 4, tokenize: str = "none") -> Any:
    return metrics.BLEU(tokenize=tokenize, force=True, max_ngram_order=order)


def _score(metric: Any, hypotheses: list[str], references: list[str]) -> tuple[float, str]:
    """Give a figure and its signature."""
    score = float(metric.corpus_score(hypotheses, [references]).score)
    return score, metric.get_signature().format()
