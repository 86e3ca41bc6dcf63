"""Readings are counted letter by letter, and what says nothing is read beside what says a word."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.errors import ConfigError
from signloom.evaluation.read_words import CONTROLS, HeldOutWords, ReadWord
from signloom.evaluation.reading import (
    THRESHOLDS,
    ReadingResult,
    calibrate_words,
    evaluate_reading,
    held_out_words,
    num_readings,
    summarise,
)
from signloom.evaluation.report import to_document
from signloom.evaluation.thresholds import missed
from signloom.evaluation.translators import TranslatorRow
from signloom.search.tokens import Hypothesis
from tests.tiny_translator import write_tiny_translator

LOOK_ALIKES = (("m", "n"),)


def word(text: str, read: str, *, sure: float = 0.5, others: str = "q") -> ReadWord:
    """Make a word of which `read` is read, and of every other control `others`."""
    tokens = tuple("<rep>" if letter == "'" else letter for letter in text)
    made = tuple("<rep>" if letter == "'" else letter for letter in read)
    logs = (math.log(sure),) * (len(made) + 1)
    return ReadWord(
        tokens=tokens,
        look_alikes=LOOK_ALIKES,
        read=dict.fromkeys(CONTROLS, tuple(others)) | {"ground truth": made},
        hypothesis=Hypothesis(tuple(range(len(made))), sum(logs), logs, (0.1,) * len(logs), True),
        seconds=0.25,
    )


@pytest.fixture(scope="module")
def row(tmp_path_factory: pytest.TempPathFactory) -> TranslatorRow:
    package = write_tiny_translator(tmp_path_factory.mktemp("read") / "tiny", source="poses")
    return TranslatorRow(packages=(package,))


@pytest.fixture(scope="module")
def sets(corpus: Fingerspelling) -> dict[str, HeldOutWords]:
    """Build two sets; the second language is spelled with the first one's hands."""
    return {
        "ase": HeldOutWords("ase", count=7, doubled=3, seed=3, corpus=corpus),
        "gsg": HeldOutWords("gsg", count=5, doubled=0, seed=3, corpus=corpus),
    }


@pytest.fixture(scope="module")
def result(row: TranslatorRow, sets: dict[str, HeldOutWords]) -> ReadingResult:
    return evaluate_reading({"tiny": row}, sets, seed=3)


def test_letters_are_counted_strictly_and_with_look_alikes_as_one() -> None:
    words = [word("bel'", "bel'"), word("man", "nan", sure=0.25), word("os'e", "ose", sure=0.125)]
    found = summarise(words, calibrate_words(words))
    assert found.letter_error.value == pytest.approx(100 / 11)
    assert found.strict_letter_error.value == pytest.approx(200 / 11)
    assert found.exact.value == pytest.approx(200 / 3)
    assert found.doubled_exact.value == 50
    assert found.mean_pose_error.value == found.still_error.value == 100
    assert found.correlation == pytest.approx(math.sqrt(3) / 2)
    assert (found.words, found.doubled) == (3, 2)
    assert (found.seconds, found.spread.value) == (0.25, pytest.approx(0.1))


def test_what_is_read_of_nothing_counts_against_a_reader() -> None:
    good = [word("abc", "abc"), word("xyz", "xyz")]
    assert missed(summarise(good, calibrate_words(good)).numbers(), THRESHOLDS) == []
    guessing = [word("abc", "abd", others="ab"), word("xyz", "xyz", others="x")]
    assert missed(summarise(guessing, calibrate_words(guessing)).numbers(), THRESHOLDS) == [
        "letter_error must be <= 1, but is 16.67",
        "mean_pose_error must be >= 95, but is 50",
        "still_error must be >= 95, but is 50",
        "shuffled_error must be >= 95, but is 50",
    ]


def test_a_set_of_words_has_the_same_words_in_every_control(row: TranslatorRow, sets) -> None:
    words = sets["ase"]
    assert list(words.poses) == list(CONTROLS)
    assert sum("<rep>" in one.tokens for one in words.references) >= 3
    lengths = [len(one.frames) for one in words.references]
    for control in ("ground truth", "mean pose", "held still"):
        assert [len(frames) for frames in words.poses[control]] == lengths
    assert sorted(len(frames) for frames in words.poses["shuffled"]) == sorted(lengths)
    still = words.poses["held still"]
    assert not any((frames[0] != frames[-1]).any() for frames in still)
    assert (still[0][0] != still[1][0]).any()
    read = words.read_by(row)
    assert [one.tokens for one in read] == [one.tokens for one in words.references]
    # The tiny translator says what it sees: a hand that rests says one letter all the time.
    assert all(len(set(one.read["held still"])) == 1 for one in read)


def test_each_language_has_a_row_and_all_together_one(result: ReadingResult) -> None:
    assert list(result.summaries) == ["tiny", "ase", "gsg"]
    assert list(result.calibrations) == ["tiny"]
    every, *each = result.summaries.values()
    assert [one.words for one in each] == [7, 5]
    assert (every.words, every.doubled) == (12, sum(one.doubled for one in each))
    assert "words:ase-7,gsg-5" in result.signature
    assert any("letter_error must be <= 1" in one for one in result.failures["ase"])
    assert result.shortages == []


def test_a_language_is_begun_with_its_own_tag(row: TranslatorRow, corpus: Fingerspelling) -> None:
    def first_read(language: str) -> str:
        words = HeldOutWords(language, count=2, doubled=0, corpus=corpus)
        return words.read_by(row)[0].read["mean pose"][0]

    # The tag of its second language makes the tiny translator say the next token first.
    order = row.vocabulary.tokens
    assert order.index(first_read("gsg")) == order.index(first_read("ase")) + 1


def test_a_set_that_is_missing_is_not_read_and_the_seed_fixes_all(
    row: TranslatorRow, sets, result: ReadingResult
) -> None:
    told: list[int] = []
    alone = {"gsg": sets["gsg"]}
    found = evaluate_reading({"tiny": row}, alone, seed=3, done=told.append)
    assert list(found.summaries) == ["tiny"]
    assert found.summaries["tiny"].letter_error == result.summaries["gsg"].letter_error
    assert sum(told) == num_readings({"tiny": row}, alone) == 20
    assert found.signature != result.signature
    figures = to_document(found, command="x")["rows"]["tiny"]["figures"]
    assert figures["letter_error"]["value"] > 1


def test_as_many_doubles_are_taken_as_there_are(corpus: Fingerspelling) -> None:
    words = HeldOutWords("ase", count=3, doubled=1_000_000, corpus=corpus)
    assert len(words.references) == 3
    assert all("<rep>" in one.tokens for one in words.references)
    assert "with a doubled letter instead of 1000000" in words.shortage


def test_other_languages_and_models_that_read_no_spelling_are_refused(
    row: TranslatorRow, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="one of ase, gsg, which tiny reads, but is 'bzs'"):
        held_out_words({"tiny": row}, languages=["bzs"], count=3, doubled=0)
    glosses = TranslatorRow(packages=(write_tiny_translator(tmp_path / "glosses"),))
    with pytest.raises(ConfigError, match=r"reads glosses of signing\. Give it sentences"):
        held_out_words({"glosses": glosses}, count=3)
