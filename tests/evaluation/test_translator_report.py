"""A report of translators scores every row and compares each with the first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from signloom.data.pair import Pair
from signloom.errors import ConfigError
from signloom.evaluation.report import save_json, to_table
from signloom.evaluation.translator_report import (
    FIGURES,
    TranslatorResult,
    evaluate_translators,
    sentence_bleu,
    to_translator_document,
)
from signloom.evaluation.translators import TranslatorRow
from signloom.export.card import read_figures
from tests.tiny_translator import GLOSSES, WORDS, write_tiny_translator

pytest.importorskip("sacrebleu")
SAID = dict(zip(GLOSSES[2:], WORDS[4:], strict=True))


def sentence(number: int) -> Pair:
    """Give a sentence that the tiny translator says right; every third has another last word."""
    glosses = tuple(GLOSSES[2 + (number * step) % 5] for step in (1, 2, 3, 4, 7))
    words = [SAID[gloss] for gloss in glosses]
    if number % 3 == 0:
        words[-1] = "schnee"
    return Pair(f"{number}", glosses, tuple(words), " ".join(words))


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> TranslatorResult:
    folder = tmp_path_factory.mktemp("report")
    good = write_tiny_translator(folder / "good")
    bad = write_tiny_translator(folder / "bad", max_tokens=3)
    rows = {
        "good": TranslatorRow(packages=(good,)),
        "bad": TranslatorRow(packages=(bad,)),
        "both": TranslatorRow(packages=(good, bad), samples=2, beam=2, length_penalty=0.4),
    }
    return evaluate_translators(rows, [sentence(number) for number in range(1, 32)])


def test_figures_are_those_of_the_texts(result: TranslatorResult) -> None:
    good, bad = result.summaries["good"], result.summaries["bad"]
    # 10 of 31 sentences have a wrong fifth word.
    assert good.bleu1 == pytest.approx(100 * 145 / 155)
    assert good.wer == pytest.approx(100 * 10 / 155)
    assert good.bleu4.low < good.bleu4.value < good.bleu4.high
    # It is cut short after four words of five.
    assert bad.wer == pytest.approx(20)
    assert 0 < good.confidence < 1
    assert good.seconds > 0


def test_every_row_but_the_first_is_compared_with_the_first(result: TranslatorResult) -> None:
    good, bad = result.summaries["good"], result.summaries["bad"]
    assert good.difference is None
    assert good.p_value is None
    assert bad.difference is not None
    assert bad.p_value is not None
    assert bad.difference.value == pytest.approx(bad.bleu4.value - good.bleu4.value)
    assert bad.difference.high < 0
    assert bad.p_value < 0.01


def test_members_and_search_are_told(result: TranslatorResult) -> None:
    both = result.summaries["both"]
    assert (both.members, both.beam, both.length_penalty) == (4, 2, 0.4)
    assert both.spread > result.summaries["good"].spread == 0
    assert result.summaries["good"].members == 1


def test_the_table_and_the_document_hold_every_row_and_the_card_can_read_it(
    result: TranslatorResult, tmp_path: Path
) -> None:
    table = to_table(result, FIGURES)
    assert [column.header for column in table.columns] == ["figure", "good", "bad", "both"]
    assert table.row_count == len(FIGURES)
    document = to_translator_document(result, command="signloom evaluate good bad")
    save_json(document, tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text()) == document
    assert read_figures(tmp_path / "report.json") == document
    assert {"machine", "commit", "date", "command"} <= document.keys()
    assert "tok:none" in document["signature"]
    good = document["rows"]["good"]
    assert good["figures"]["spread_correlation"] is None
    assert sum(one["count"] for one in good["calibration"]["tokens"]) == 155


def test_sentences_are_ranked_by_a_bleu_of_their_own() -> None:
    perfect, half, nothing = sentence_bleu(["a b", "a c", "x y"], ["a b"] * 3)
    assert perfect == pytest.approx(100)
    assert perfect > half > nothing


def test_no_row_and_no_sentence_are_refused() -> None:
    for pairs in ([], [sentence(1)]):
        with pytest.raises(ConfigError, match="a model and a sentence"):
            evaluate_translators({}, pairs)
