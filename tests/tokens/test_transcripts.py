"""Transcripts are cut into words or characters and written as people read them."""

from __future__ import annotations

import pytest

from signloom.tokens.transcripts import join_transcript, split_transcript


@pytest.mark.parametrize(
    ("text", "unit", "language", "tokens", "written"),
    [
        ("Two, one!", "words", "en", ("two", "one"), "two one"),
        ("Ein Öl.", "characters", "de", ("e", "i", "n", " ", "ö", "l"), "ein öl"),
        ("温度设为, 两度。", "words", "zh", tuple("温度设为两度"), "温度设为两度"),
        ("温度 两度", "characters", "zh", tuple("温度两度"), "温度两度"),
        ("猫です。", "words", "ja", tuple("猫です"), "猫です"),
        (" ?! ", "words", "en", (), ""),
        ("", "characters", "en", (), ""),
    ],
)
def test_a_transcript_is_cut_and_written_by_its_unit_and_language(
    text: str, unit, language: str, tokens: tuple[str, ...], written: str
) -> None:
    assert split_transcript(text, unit=unit, spoken_language=language) == tokens
    assert join_transcript(tokens, unit=unit, spoken_language=language) == written


def test_what_begins_ends_or_pads_a_transcript_is_not_written() -> None:
    tokens = ["<s>", "one", "<pad>", "two", "</s>", "<pad>"]
    assert join_transcript(tokens, unit="words", spoken_language="en") == "one two"


def test_the_case_is_that_of_the_language() -> None:
    assert split_transcript("ISI", unit="words", spoken_language="tr") == ("ısı",)
    assert split_transcript("ISI", unit="words", spoken_language="en") == ("isi",)
