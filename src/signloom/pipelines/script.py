"""From a text to the passages of tokens that are to be produced."""

from __future__ import annotations

from dataclasses import dataclass

from signloom.errors import TextError
from signloom.pipelines.splitting import split_words
from signloom.tokens.alphabet import Alphabet
from signloom.tokens.cleaning import clean
from signloom.tokens.spelling import spell, unspell

MAX_CHARACTERS = 20_000


@dataclass(frozen=True, kw_only=True)
class Script:
    """A text made ready.

    Attributes:
        text: The text as it was given.
        spelled: The text after cleaning.
        passages: Tokens of each passage.
        notes: What was changed on the way.
        left_out: What could not be spelled.
    """

    text: str
    spelled: str
    passages: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    left_out: tuple[str, ...]


def write_script(text: str, alphabet: Alphabet, *, max_tokens: int, strict: bool = False) -> Script:
    """Clean, spell and split a text.

    Args:
        text: Any text of at most 20,000 characters.
        alphabet: What can be spelled.
        max_tokens: Most tokens of one passage.
        strict: Refuse a text of which something would be left out.

    Raises:
        TextError: The text is no string, empty or too long, nothing of it can be spelled, or
            `strict` does not hold.
    """
    _check(text)
    cleaned = clean(text, alphabet)
    named = ", ".join(cleaned.left_out)
    words = cleaned.text.split()
    if not words:
        raise TextError(
            f"Nothing is left to spell: the alphabet of {alphabet.language} does not have {named}. "
            "Give at least one of its letters."
        )
    if strict and cleaned.left_out:
        raise TextError(
            f"Nothing may be left out under `strict`, but the alphabet of {alphabet.language} does "
            f"not have {named}. Remove it, or drop `strict`."
        )
    split = split_words([spell(word, alphabet) for word in words], max_tokens=max_tokens)
    cut = tuple(
        f"cut inside at the model's range of {max_tokens} letters: {unspell(word)}"
        for word in split.cut_words
    )
    return Script(
        text=text,
        spelled=" ".join(words),
        passages=split.passages,
        notes=(*cleaned.notes, *cut),
        left_out=cleaned.left_out,
    )


def _check(text: object) -> None:
    """Refuse what is no string, and a text that is too long, no Unicode, or empty."""
    if not isinstance(text, str):
        kind = type(text).__name__
        article = "an" if kind[0] in "aeiou" else "a"
        raise TextError(f"A text must be a string, but is {article} {kind}.")
    if len(text) > MAX_CHARACTERS:
        raise TextError(
            f"A text must have at most {MAX_CHARACTERS} characters, but has {len(text)}. "
            "Cut it into several."
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise TextError(
            "The text must be valid Unicode, but holds half a surrogate pair. Give it as UTF-8."
        ) from error
    if not text.strip():
        raise TextError("The text must not be empty. Give at least one letter.")
