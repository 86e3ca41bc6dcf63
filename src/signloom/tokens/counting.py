"""Numbers as words in languages other than English, by the library `num2words`.

Whole numbers, also with points or narrow spaces between thousands, and decimals after a comma.
The library is the extra `languages`; without it numbers stay digits, which no alphabet has.
"""

from __future__ import annotations

import importlib.util
import re

LANGUAGES = ("cs", "de", "es", "fr", "it", "lt", "pt", "sk", "sv", "tr", "uk")
LONGEST = 15
"""Longer numbers are read digit by digit."""
_NUMBER = re.compile(
    r"(?P<whole>\d{1,3}(?:[.\u00a0\u202f]\d{3})+(?![.\d])|\d+)(?:,(?P<part>\d+))?", re.ASCII
)


def can_count(language: str) -> bool:
    """Say whether numbers of a language (ISO 639-1 code) can be said here."""
    return language in LANGUAGES and importlib.util.find_spec("num2words") is not None


def count_in(text: str, language: str) -> tuple[str, list[str]]:
    """Replace the numbers of a text by words.

    Args:
        text: Any text; digits in ASCII.
        language: One that `can_count` holds for.

    Returns:
        The text, and a note for each number.

    Example:
        >>> count_in("1.200 Wörter, 2,5", "de")[0]
        'eintausendzweihundert Wörter, zwei Komma fünf'
    """
    notes: list[str] = []

    def replace(match: re.Match[str]) -> str:
        whole = re.sub(r"\D", "", match["whole"])
        words = _say(whole, match["part"], language)
        notes.append(f"{match[0]} -> {words}")
        return f" {words} " if _touches_letters(match) else words

    return _NUMBER.sub(replace, text), notes


def _say(whole: str, part: str | None, language: str) -> str:
    from num2words import num2words

    if len(whole) > LONGEST or (len(whole) > 1 and whole[0] == "0"):
        return " ".join(str(num2words(int(digit), lang=language)) for digit in whole)
    if part is None:
        return str(num2words(int(whole), lang=language))
    return str(num2words(f"{whole}.{part[:LONGEST]}", lang=language))


def _touches_letters(match: re.Match[str]) -> bool:
    text, (start, end) = match.string, match.span()
    return text[max(0, start - 1) : start].isalnum() or text[end : end + 1].isalnum()
