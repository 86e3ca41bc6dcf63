"""Is one translator better than another? Paired bootstrap over sentences (Koehn 2004).

The same sentences are drawn, with replacement, for both systems, and the BLEU-4 of each draw is
computed from counts that were made once a sentence. Draws, BLEU and p-value are sacreBLEU's; only
the sums are made for all draws at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from signloom.evaluation.bootstrap import LEVEL, Estimate
from signloom.evaluation.translation import check_sides
from signloom.metrics.bleu import load_sacrebleu

RESAMPLES = 1000
ORDER = 4


@dataclass(frozen=True)
class BleuComparison:
    """Two translators on the same sentences; BLEU-4 in percent, tokenize=none.

    Attributes:
        first: BLEU of the first with its 95 % percentile interval.
        second: BLEU of the second with its interval.
        difference: Second less first with its interval.
        p_value: How often chance alone would part two equal systems as far.
    """

    first: Estimate
    second: Estimate
    difference: Estimate
    p_value: float


def compare_bleu(
    first: Sequence[str],
    second: Sequence[str],
    references: Sequence[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> BleuComparison:
    """Compare the BLEU-4 of two translators.

    Args:
        first: Translations of one system, tokens parted by spaces.
        second: Translations of the other.
        references: What each should be.
        resamples: Draws.
        seed: Fixes them.

    Raises:
        ConfigError: There is no sentence, or the three are not equally many.
        MissingExtraError: sacrebleu is not installed.
    """
    check_sides(references, first, second)
    times = _draw(len(references), resamples, seed)
    counts = [_count(system, references) for system in (first, second)]
    whole = [float(bleu(count.sum(axis=0))) for count in counts]
    samples = [bleu(times @ count) for count in counts]
    apart = whole[1] - whole[0]
    chance = np.abs(samples[1] - samples[0])
    exceeded = int(np.sum(chance - chance.mean() > abs(apart)))
    return BleuComparison(
        _estimate(whole[0], samples[0]),
        _estimate(whole[1], samples[1]),
        _estimate(apart, samples[1] - samples[0]),
        p_value=(exceeded + 1) / (resamples + 1),
    )


def bleu(counts: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute BLEU-4 from counts, with sacreBLEU's `exp` smoothing.

    Args:
        counts: Tokens of the translations and of the references, then n-grams found and n-grams
            made, n = 1 to 4: whole numbers [..., 10].

    Returns:
        Percent [...].
    """
    made, wanted = counts[..., 0], counts[..., 1]
    found, total = counts[..., 2 : 2 + ORDER], counts[..., 2 + ORDER :]
    halvings = np.cumsum(found == 0, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.where(found > 0, found, 0.5**halvings) / total
        logs = np.log(np.where(total > 0, precisions, 0.0)).mean(axis=-1)
        brevity = np.where(made < wanted, np.exp(1 - wanted / made), 1.0)
    return np.asarray(np.where(found.any(axis=-1), 100 * brevity * np.exp(logs), 0.0))


def _draw(num_sentences: int, resamples: int, seed: int) -> NDArray[np.float64]:
    """Say how often each draw has each sentence [resamples, sentences]."""
    drawn = np.random.default_rng(seed).choice(num_sentences, (resamples, num_sentences))
    return np.stack([np.bincount(row, minlength=num_sentences) for row in drawn]).astype(float)


def _count(hypotheses: Sequence[str], references: Sequence[str]) -> NDArray[np.int64]:
    """Count what BLEU needs of each sentence, int64 [sentences, 10]."""
    metric = load_sacrebleu("Comparing translations").metrics.BLEU(
        tokenize="none", force=True, effective_order=True
    )
    scores = (
        metric.sentence_score(made, [true])
        for made, true in zip(hypotheses, references, strict=True)
    )
    return np.array([[one.sys_len, one.ref_len, *one.counts, *one.totals] for one in scores])


def _estimate(value: float, samples: NDArray[np.float64]) -> Estimate:
    low, high = np.quantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(value, float(low), float(high))
