"""Sentences are cut into the words or glosses that a model knows."""

from __future__ import annotations

import pytest

from signloom.errors import TextError
from signloom.pipelines.produce import Producer
from signloom.pipelines.script import write_sentence
from signloom.tokens.vocabulary import Vocabulary
from tests.tiny_package import write_tiny_package

WORDS = Vocabulary(("<pad>", "<unk>", "am", "morgen", "regnet", "es"))


def read(text: str, *, unit: str = "words", strict: bool = False, max_tokens: int = 9):
    return write_sentence(
        text, WORDS, unit=unit, spoken_language="de", max_tokens=max_tokens, strict=strict
    )


def test_what_is_unknown_is_named_and_becomes_unk() -> None:
    script = read("Am Morgen hagelt es.")
    assert script.passages == (("am", "morgen", "<unk>", "es"),)
    assert script.left_out == ("hagelt",)
    assert script.spelled == "am morgen <unk> es"


def test_a_long_sentence_is_cut_into_passages() -> None:
    assert read("es regnet am morgen es", max_tokens=2).passages == (
        ("es", "regnet"),
        ("am", "morgen"),
        ("es",),
    )


def test_glosses_keep_their_case() -> None:
    with pytest.raises(TextError, match="does not know MORGEN"):
        read("MORGEN", unit="glosses")


@pytest.mark.parametrize(
    ("text", "strict", "message"),
    [
        ("", False, "must not be empty"),
        ("?!", False, "Nothing is left"),
        ("hagel schnee", False, "must know some of the words, but does not know hagel, schnee"),
        ("es hagelt", True, "must know all of the words, but does not know hagelt"),
    ],
)
def test_a_sentence_of_which_nothing_can_be_signed_is_refused(
    text: str, strict: bool, message: str
) -> None:
    with pytest.raises(TextError, match=message):
        read(text, strict=strict)


def test_a_model_of_glosses_gives_each_its_time_and_one_of_words_gives_none(tmp_path) -> None:
    tokens = {"tokens": ["<pad>", "<unk>", "A", "B", "a", "b"]}
    glosses = Producer(write_tiny_package(tmp_path / "g", vocabulary=tokens, unit="glosses").path)
    production = glosses.produce("A C B")
    assert [span.letter for span in production.spans] == ["A", "<unk>", "B"]
    assert [span.word for span in production.spans] == [0, 1, 2]
    assert production.left_out == ("C",)
    words = Producer(write_tiny_package(tmp_path / "w", vocabulary=tokens, unit="words").path)
    assert words.produce("A B").spans == ()
    assert words.produce("A B").cues == ((0.0, words.produce("A B").pose.duration_s, "A B"),)
    assert words.alphabet is None
