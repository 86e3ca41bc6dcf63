"""Cleaned text to tokens and back."""

from __future__ import annotations

from collections.abc import Iterable

from signloom.errors import TextError
from signloom.tokens.alphabet import PAD, REPEAT, SPACE, Alphabet


def spell(text: str, alphabet: Alphabet) -> tuple[str, ...]:
    """Cut a cleaned text into tokens: the longest letter that fits, from left to right.

    A letter that follows itself becomes `<rep>`: the hand must show that it comes twice.

    Raises:
        TextError: A character belongs to no letter.

    Example:
        >>> spell("hello all", Alphabet.load("ase"))
        ('h', 'e', 'l', '<rep>', 'o', ' ', 'a', 'l', '<rep>')
    """
    letters = alphabet.pattern.findall(text)
    if sum(map(len, letters)) != len(text):
        raise TextError(
            f"A text to spell must consist of letters of `{alphabet.language}`, "
            f"but holds {alphabet.pattern.sub('', text)[0]!r}. Clean it first."
        )
    return tuple(
        REPEAT if letter == last != SPACE else letter
        for last, letter in zip([SPACE, *letters], letters, strict=False)
    )


def unspell(tokens: Iterable[str]) -> str:
    """Join tokens into the text they spell; the inverse of `spell`.

    Padding is dropped, and so is a `<rep>` that has no letter before it.

    Example:
        >>> unspell(["l", "<rep>", " ", "a"])
        'll a'
    """
    letters: list[str] = []
    for token in tokens:
        if token == PAD:
            continue
        if token != REPEAT:
            letters.append(token)
        elif letters and letters[-1] != SPACE:
            letters.append(letters[-1])
    return "".join(letters)
