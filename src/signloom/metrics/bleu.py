"""BLEU of a whole corpus by sacreBLEU, of texts that are tokenised already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from signloom.errors import MissingExtraError


def corpus_bleu(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Give BLEU-4 in percent, tokenize=none, one reference each.

    Raises:
        MissingExtraError: sacrebleu is not installed.
    """
    sacrebleu = load_sacrebleu("Measuring BLEU")
    score = sacrebleu.corpus_bleu(list(hypotheses), [list(references)], tokenize="none", force=True)
    return float(score.score)


def load_sacrebleu(purpose: str) -> Any:
    """Import sacrebleu, which the base install lacks.

    Args:
        purpose: What it is needed for, as a noun phrase.

    Raises:
        MissingExtraError: It is not installed.
    """
    try:
        import sacrebleu
    except ImportError as error:
        raise MissingExtraError("eval", purpose) from error
    return sacrebleu
