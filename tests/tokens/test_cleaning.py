from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest

from signloom.tokens.alphabet import Alphabet
from signloom.tokens.cleaning import clean, describe, lower
from signloom.tokens.spelling import spell

AMERICAN = Alphabet.load("ase")


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Hello", "hello"),
        ("  two \t words\n", "two words"),
        ("Café Ænima Œuvre Łódź øre þing", "cafe aenima oeuvre lodz ore thing"),
        ("Straße STRASSE ẞ", "strasse strasse ss"),
        ("e\u0301te\u0301", "ete"),
        ("ﬁn Ｆｕｌｌ", "fin full"),
        ("don't it’s O'Neill", "dont its oneill"),
        ("well-known a/b c—d", "well known a b c d"),
        ("one,two.three", "one two three"),
        ("3.5 km", "three point five km"),
        ("½ cup", "one half cup"),
        ("10² x₂", "ten x"),
        ("①", "one"),
        ("٣ ３", "three three"),
        ("İstanbul Iğdır", "istanbul igdir"),
        ("a☃b aжb", "a b ab"),
    ],
)
def test_text_is_rewritten_in_letters_of_the_alphabet(text: str, cleaned: str) -> None:
    assert clean(text, AMERICAN).text == cleaned


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("3.5", "3.5 -> three point five"),
        ("café", "é -> e"),
        ("don't", "don't -> dont"),
        ("ﬁn", "ﬁ -> fi"),
        ("①", "① -> 1"),
        ("½", "½ -> one half"),
        ("1/2", "/ -> a pause"),
        ("well-known", "- -> a pause"),
        ("a_b", "_ -> a pause"),
        ("a – b", "– -> a pause"),
        ("555-1234", "555-1234 -> five five five one two three four"),
        ("İ", "İ -> I"),
    ],
)
def test_what_was_rewritten_is_noted(text: str, note: str) -> None:
    assert note in clean(text, AMERICAN).notes


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("hi!", ["! (EXCLAMATION MARK)"]),
        ("да", ["д (CYRILLIC SMALL LETTER DE)", "а (CYRILLIC SMALL LETTER A)"]),
        ("ok 👍🏽", ["👍 (THUMBS UP SIGN)", "🏽 (EMOJI MODIFIER FITZPATRICK TYPE-4)"]),
        ("a\u200bb", ["U+200B (ZERO WIDTH SPACE)"]),
        ("a\x07b", ["U+0007 (unnamed)"]),
        ("'quoted'", ["' (APOSTROPHE)"]),
        ("!!!", ["! (EXCLAMATION MARK)"]),
        ("10²", ["² (SUPERSCRIPT TWO)"]),
        ("H₂O", ["₂ (SUBSCRIPT TWO)"]),
        ("5⅞", ["⅞ (VULGAR FRACTION SEVEN EIGHTHS)"]),
    ],
)
def test_what_cannot_be_spelled_is_left_out_by_name(text: str, left_out: list[str]) -> None:
    assert list(clean(text, AMERICAN).left_out) == left_out


def test_each_kind_of_pause_is_noted_once() -> None:
    notes = clean("a-b-c/d/e", AMERICAN).notes
    assert notes == ("- -> a pause", "/ -> a pause")


def test_plain_text_needs_no_notes() -> None:
    cleaned = clean("Plain old text", AMERICAN)
    assert (cleaned.notes, cleaned.left_out) == ((), ())


def test_nothing_is_lost_in_silence_and_the_rest_can_be_spelled() -> None:
    """Whatever one character of Unicode becomes, it is kept, white space, noted or left out."""
    for number in range(0, 0x30000, 211):
        char = chr(number)
        cleaned = clean(f"a{char}", AMERICAN)
        spell(cleaned.text, AMERICAN)
        plain = char.isspace() or char.lower() in AMERICAN.letters
        assert plain or cleaned.notes or cleaned.left_out, f"U+{number:04X}"


def test_digits_are_left_out_in_a_language_without_a_way_to_count() -> None:
    cleaned = clean("7 zwerge", Alphabet("xyz", "xx", tuple("ergwz")))
    assert cleaned.text == "zwerge"
    assert cleaned.left_out == ("7 (DIGIT SEVEN)",)


def test_letters_of_the_alphabet_are_not_transliterated() -> None:
    german = Alphabet("gsg", "de", tuple("abcdefghijklmnopqrstuvwxyzäöüß"))
    assert clean("Größe, façade", german).text == "größe facade"


def test_turkish_lower_case_keeps_the_dot_apart() -> None:
    assert lower("İSIM", "tr") == "isım"


def test_a_description_shows_the_character_unless_it_is_invisible() -> None:
    assert describe("☃") == "☃ (SNOWMAN)"
    assert describe(unicodedata.lookup("COMBINING ACUTE ACCENT")) == (
        "U+0301 (COMBINING ACUTE ACCENT)"
    )


def test_tokens_need_the_standard_library_alone() -> None:
    code = (
        "import sys; import signloom.tokens.cleaning, signloom.tokens.vocabulary; "
        "print([name for name in ('numpy', 'torch', 'simplemma') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
