"""What is said, as tokens and back: words, or the characters of words.

Chinese and Japanese do not part words: a character is a token in either unit. In other languages
characters have a token for the space between two words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from signloom.tokens.alphabet import PAD, SPACE
from signloom.tokens.targets import END, START
from signloom.tokens.words import split_words

SpokenUnit = Literal["words", "characters"]
"""What a token of a transcript is."""
UNPARTED = ("zh", "ja")
"""Languages that are written without spaces."""


def is_parted(spoken_language: str) -> bool:
    """Say whether a language puts spaces between its words."""
    return spoken_language not in UNPARTED


def split_transcript(text: str, *, unit: SpokenUnit, spoken_language: str) -> tuple[str, ...]:
    """Cut a transcript into tokens, in lower case and without punctuation.

    Example:
        >>> split_transcript("Stand up!", unit="characters", spoken_language="en")
        ('s', 't', 'a', 'n', 'd', ' ', 'u', 'p')
        >>> split_transcript("温度设为 两度", unit="characters", spoken_language="zh")
        ('温', '度', '设', '为', '两', '度')
    """
    words = split_words(text, spoken_language=spoken_language)
    if unit == "words" or not is_parted(spoken_language):
        return words
    return tuple(SPACE.join(words))


def join_transcript(tokens: Iterable[str], *, unit: SpokenUnit, spoken_language: str) -> str:
    """Write tokens as people read them.

    Example:
        >>> join_transcript(["two", "one"], unit="words", spoken_language="en")
        'two one'
    """
    kept = [token for token in tokens if token not in (PAD, START, END)]
    if unit == "characters" or not is_parted(spoken_language):
        return "".join(kept)
    return SPACE.join(kept)
