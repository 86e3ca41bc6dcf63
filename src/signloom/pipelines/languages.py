"""Which of the sign languages of a model is read, and with which of its letters."""

from __future__ import annotations

from signloom.errors import ConfigError, TextError
from signloom.tokens.alphabet import REPEAT, SPACE, Alphabet
from signloom.tokens.vocabulary import Vocabulary

DEFAULT_OF_SEVERAL = "ase"


def choose_language(wanted: str | None, *, known: tuple[str, ...], model: str) -> str:
    """Choose the language that is read: the only one, American of several, or the one wanted.

    Args:
        wanted: ISO 639-3 code, or None.
        known: The languages of the model.
        model: What messages call it.

    Raises:
        ConfigError: It is none of the model's, or must be given.
    """
    if wanted is None and (len(known) == 1 or DEFAULT_OF_SEVERAL in known):
        return known[0] if len(known) == 1 else DEFAULT_OF_SEVERAL
    if wanted not in known:
        found = "none is given" if wanted is None else f"it is {wanted[:40]!r}"
        raise ConfigError(
            f"The language must be one that {model} reads, {', '.join(known)}, but {found}."
        )
    return wanted


def letters_of(language: str, vocabulary: Vocabulary) -> tuple[int, ...] | None:
    """List the ids that a language is spelled with, of a vocabulary of several.

    Args:
        language: ISO 639-3 code.
        vocabulary: Letters of all of them.

    Returns:
        Ids of its letters, the space and the doubling; None where its alphabet is not known.
    """
    try:
        letters = Alphabet.load(language).letters
    except TextError:
        return None
    known = [one for one in (REPEAT, SPACE, *letters) if one in vocabulary]
    return tuple(vocabulary.encode(known))
