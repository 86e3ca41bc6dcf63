"""BLEU of a whole corpus by sacreBLEU, of texts that are tokenised already."""

from __future__ import annotations

from collections.abc import Sequence

from signloom.errors import MissingExtraError


def corpus_bleu(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Give BLEU-4 in percent, tokenize=none, one reference each.

    Raises:
        MissingExtraError: sacrebleu is not installed.
    """
    try:
        import sacrebleu
    except ImportError as error:
        raise MissingExtraError("eval", "Measuring BLEU") from error
    score = sacrebleu.corpus_bleu(list(hypotheses), [list(references)], tokenize="none", force=True)
    return float(score.score)
