"""Measures of captions are those of pycocoevalcap; repeats are counted as captions hold them."""

from __future__ import annotations

import math

import pytest

from signloom.metrics.captions import corpus_bleu, measure_captions, repeat_rates, rouge_l
from tests.metrics.golden_captions import Golden, read_golden


@pytest.fixture(scope="module")
def golden(data_dir) -> Golden:
    return read_golden(data_dir)


# Half a million n-grams take the shape checker longer than the measures do.
EVERY = pytest.param("all5000", 5000, marks=pytest.mark.compiled)


@pytest.mark.parametrize(("values", "count"), [("first200_by_id", 200), EVERY])
def test_captions_of_coco_measure_as_by_pycocoevalcap(golden, values, count) -> None:
    expected = golden.values[values]
    assert expected["n"] == count
    found = measure_captions(golden.found[:count], golden.wanted[:count])
    bleu = [found.pop(f"bleu{order}") for order in (1, 2, 3, 4)]
    assert bleu == pytest.approx(expected["BLEU1-4"], abs=1e-4)
    assert found.pop("rouge_l") == pytest.approx(expected["ROUGE_L"], abs=1e-4)
    assert found.pop("cider_d") == pytest.approx(expected["CIDEr(-D)"], abs=1e-4)
    assert found.pop("cider") > expected["CIDEr(-D)"]
    assert found == {}


def test_the_reference_of_the_nearest_length_counts_and_the_shorter_of_two_as_near() -> None:
    # 4 words; lengths 3 and 5 are as near, and 3 leaves no penalty.
    short, long = ["a", "b", "c"], ["a", "b", "c", "d", "e"]
    assert corpus_bleu([(["a", "b", "c", "d"], [long, short])])[0] == pytest.approx(1)
    assert corpus_bleu([(["a", "b", "c", "d"], [long])])[0] == pytest.approx(math.exp(-1 / 4))


def test_a_word_counts_as_often_as_one_reference_has_it() -> None:
    caption = ["the", "the", "the", "the", "the"]
    references = [["the", "cat", "and", "the", "dog"], ["the", "cat", "is", "on", "it"]]
    assert corpus_bleu([(caption, references)])[0] == pytest.approx(2 / 5)


def test_the_best_precision_and_the_best_recall_may_be_of_different_references() -> None:
    # Against the first 2 of 4 words are common, 2/2 of the reference; against the second 3, 3/6.
    caption = ["a", "b", "c", "d"]
    precision, recall = 3 / 4, 2 / 2
    expected = 2.44 * precision * recall / (recall + 1.44 * precision)
    assert rouge_l(caption, [["a", "d"], ["b", "c", "d", "x", "y", "z"]]) == pytest.approx(expected)


@pytest.mark.parametrize(("caption", "references"), [([], [["a"]]), (["a"], [["b"]]), (["a"], [])])
def test_nothing_in_common_is_zero(caption, references) -> None:
    assert rouge_l(caption, references) == 0


def test_no_captions_measure_zero() -> None:
    assert set(measure_captions([], []).values()) == {0}
    assert repeat_rates([]) == (0, 0)


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("a man riding a horse", (0, 0)),
        ("a man man riding", (1, 0)),
        ("a man and a man", (0, 1)),
        ("on on on", (1, 1)),
        ("", (0, 0)),
    ],
)
def test_a_word_behind_itself_and_a_pair_said_twice_are_told_apart(caption, expected) -> None:
    assert repeat_rates([caption.split()]) == expected


def test_published_captions_repeat_themselves(golden) -> None:
    # 141 and 280 of the 5,000 that pycocoevalcap has measured.
    assert repeat_rates(golden.found) == pytest.approx((0.0282, 0.0560))
