"""Numbers as words: in English here, in other languages by `counting`.

No lexicon of fingerspelling has digits, so a number is spelled out as one would say it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from signloom.tokens.counting import can_count, count_in

LARGEST = 10**15
"""Longer numbers are read digit by digit."""

FRACTIONS = {
    "½": "one half",
    "¼": "one quarter",
    "¾": "three quarters",
    "⅓": "one third",
    "⅔": "two thirds",
}

_FRACTION = re.compile(rf"(?P<after>(?<=[0-9]) ?)?(?P<sign>[{''.join(FRACTIONS)}])")
_NUMBER = re.compile(
    r"(?P<groups>(?<![\d.,])(?<!\d[-‐‑])\d++(?:[-‐‑]\d++)++"
    r"(?![.,]\d|(?:st|nd|rd|th)(?![^\W\d_])))"
    r"|(?P<minus>(?<![\w.])[-−](?=\.?\d)(?!\d++[-‐‑]\d))?"
    r"(?:(?P<whole>\d{1,3}(?:,\d{3})+(?!,?\d)|\d+)"
    r"(?:(?P<ordinal>st|nd|rd|th)(?![^\W\d_])|(?P<parts>(?:\.\d+)+))?"
    r"|(?<![\w.])\.(?P<fraction>\d+))",
    re.ASCII | re.IGNORECASE,
)
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = (
    (10**15, "quadrillion"),
    (10**12, "trillion"),
    (10**9, "billion"),
    (10**6, "million"),
    (1000, "thousand"),
    (100, "hundred"),
)
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def spell_numbers(text: str, language: str) -> tuple[str, list[str]]:
    """Replace the numbers of a text by words.

    Integers up to 10^15, also with thousands separators, decimals, ordinals, common fractions, a
    minus sign. Leading zeros, longer numbers and groups joined by hyphens are read digit by digit.

    Args:
        text: Any text; digits in ASCII.
        language: ISO 639-1 code; in a language that is not known the text stays as it is.

    Returns:
        The text and a note for each number.

    Example:
        >>> spell_numbers("the 2nd of 1,000", "en")
        ('the second of one thousand', ['2nd -> second', '1,000 -> one thousand'])
        >>> spell_numbers("555-12, 1½", "en")[0]
        'five five five one two, one and one half'
    """
    notes: list[str] = []
    if can_count(language):
        return count_in(text, language)
    if language != "en":
        return text, notes

    def replace(match: re.Match[str]) -> str:
        words = _english(match)
        notes.append(f"{match[0]} -> {words}")
        return _apart(match, words)

    def replace_fraction(match: re.Match[str]) -> str:
        words = FRACTIONS[match["sign"]]
        if match["after"] is not None:
            words = f"and {words}"
        notes.append(f"{match['sign']} -> {words}")
        return _apart(match, words)

    return _NUMBER.sub(replace, _FRACTION.sub(replace_fraction, text)), notes


def cardinal(number: int) -> str:
    """Say a whole number from 0 to 10^15 in English.

    Example:
        >>> cardinal(1_204)
        'one thousand two hundred four'
    """
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f" {_SMALL[ones]}" if ones else "")
    size, name = next(scale for scale in _SCALES if scale[0] <= number)
    count, rest = divmod(number, size)
    return f"{cardinal(count)} {name}" + (f" {cardinal(rest)}" if rest else "")


def ordinal(number: int) -> str:
    """Say the ordinal of a whole number in English.

    Example:
        >>> ordinal(21), ordinal(40), ordinal(112)
        ('twenty first', 'fortieth', 'one hundred twelfth')
    """
    *before, last = cardinal(number).split(" ")
    if last in _ORDINALS:
        last = _ORDINALS[last]
    elif last.endswith("y"):
        last = f"{last[:-1]}ieth"
    else:
        last = f"{last}th"
    return " ".join([*before, last])


def _english(match: re.Match[str]) -> str:
    if match["groups"]:
        return _digits(re.sub(r"\D", "", match["groups"]))
    sign = "minus " if match["minus"] else ""
    if match["fraction"]:
        return f"{sign}point {_digits(match['fraction'])}"
    whole = match["whole"].replace(",", "")
    if match["ordinal"] and _is_plain(whole):
        return sign + ordinal(int(whole))
    words = [_integer(whole), *filter(None, [match["ordinal"]])]
    parts = (match["parts"] or "").split(".")[1:]
    # One point makes a decimal, several a version number.
    say: Callable[[str], str] = _digits if len(parts) == 1 else _integer
    words += [f"point {say(part)}" for part in parts]
    return sign + " ".join(words)


def _integer(digits: str) -> str:
    return cardinal(int(digits)) if _is_plain(digits) else _digits(digits)


def _is_plain(digits: str) -> bool:
    """Say whether this is read as one number rather than digit by digit."""
    return (
        len(digits) <= len(str(LARGEST)) and int(digits) <= LARGEST and str(int(digits)) == digits
    )


def _digits(digits: str) -> str:
    return " ".join(_SMALL[int(digit)] for digit in digits)


def _apart(match: re.Match[str], words: str) -> str:
    """Keep the words apart from letters that touch the number."""
    text, (start, end) = match.string, match.span()
    before = " " if start and text[start - 1].isalnum() else ""
    after = " " if end < len(text) and text[end].isalnum() else ""
    return f"{before}{words}{after}"
