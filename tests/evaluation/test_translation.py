"""Scores of translations are sacreBLEU's and the field's."""

from __future__ import annotations

import sys

import pytest

from signloom.errors import ConfigError, MissingExtraError
from signloom.evaluation.translation import translation_scores

REFERENCES = ["am tag regnet es im süden .", "morgen wird es sonnig und warm .", "gute nacht ."]
HYPOTHESES = ["am tag regnet es im norden .", "es wird morgen sonnig .", "guten abend"]


def test_figures_by_hand() -> None:
    scores = translation_scores(["a b c d e", "x y z"], ["a b c d f", "x y z w v"])
    # 7 of 8 words, 5 of 6 pairs, 3 of 4 triples, 1 of 2 fours; 8 words instead of 10.
    brevity = 2.718281828459045 ** (1 - 10 / 8)
    expected = [7 / 8, 5 / 6, 3 / 4, 1 / 2]
    product = 1.0
    for n, precision in enumerate(expected, 1):
        product *= precision
        found = getattr(scores, f"bleu{n}")
        assert found == pytest.approx(100 * brevity * product ** (1 / n))
    assert scores.wer == pytest.approx(100 * 3 / 10)
    assert scores.num_sentences == 2


def test_bleu_and_chrf_are_those_of_sacrebleu() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    scores = translation_scores(HYPOTHESES, REFERENCES)
    plain = sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES], tokenize="none", force=True)
    assert scores.bleu4 == plain.score
    again = sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES], tokenize="13a", force=True)
    assert scores.bleu4_13a == again.score
    assert scores.chrf == sacrebleu.corpus_chrf(HYPOTHESES, [REFERENCES]).score


def test_signatures_say_how_a_figure_was_made() -> None:
    scores = translation_scores(HYPOTHESES, REFERENCES)
    assert scores.bleu_signature.startswith(
        "nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:"
    )
    assert "|tok:13a|" in scores.bleu4_13a_signature
    assert "nc:6" in scores.chrf_signature


def test_the_same_is_perfect_and_rouge_is_a_mean_of_sentences() -> None:
    same = translation_scores(REFERENCES, REFERENCES)
    assert same.bleu4 == pytest.approx(100)
    assert (same.rouge_l, same.wer) == (100, 0)
    half = translation_scores(["gute nacht .", ""], ["gute nacht .", "a"])
    assert half.rouge_l == 50


def test_sides_of_different_size_and_nothing_at_all_are_refused() -> None:
    for sides in ((HYPOTHESES[:2], REFERENCES), ([], [])):
        with pytest.raises(ConfigError, match="equally many"):
            translation_scores(*sides)


def test_without_sacrebleu_the_extra_is_named(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(MissingExtraError, match="`eval`"):
        translation_scores(HYPOTHESES, REFERENCES)


def test_phoenix_references_score_against_themselves_and_against_others(data_dir) -> None:
    path = data_dir / "sign/phoenix14t_text/phoenix2014T.test.de"
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    assert translation_scores(lines, lines).bleu4 == pytest.approx(100)
    shifted = translation_scores(lines[1:] + lines[:1], lines)
    assert 0 < shifted.bleu4 < 3
    assert shifted.bleu4 < shifted.bleu3 < shifted.bleu2 < shifted.bleu1
