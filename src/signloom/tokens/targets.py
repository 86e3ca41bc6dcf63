"""The tokens of a target that are no words: what begins a sentence and what ends it."""

from __future__ import annotations

from signloom.errors import TextError
from signloom.tokens.alphabet import PAD
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import UNKNOWN

START, END = "<s>", "</s>"


def tag_of(language: str) -> str:
    """Name the start token of a language in a model of several.

    Example:
        >>> tag_of("ase")
        '<ase>'
    """
    return f"<{language}>"


def start_of(language: str, languages: tuple[str, ...]) -> str:
    """Name the token that begins a language's sentences in a model of these languages.

    Example:
        >>> start_of("gsg", ("gsg",)), start_of("gsg", ("ase", "gsg"))
        ('<s>', '<gsg>')
    """
    return tag_of(language) if len(languages) > 1 else START


def end_of(vocabulary: Vocabulary) -> int:
    """Give the id that ends a sentence.

    Raises:
        TextError: The vocabulary has none.
    """
    return vocabulary.encode([END])[0]


def never_written(vocabulary: Vocabulary, languages: tuple[str, ...]) -> tuple[int, ...]:
    """List the ids that no translation holds: padding, `<unk>`, starts and tags of languages.

    Raises:
        TextError: The vocabulary has no `<s>`.
    """
    names = (PAD, UNKNOWN, START, *map(tag_of, languages))
    if START not in vocabulary:
        raise TextError(f"A vocabulary of sentences must hold {START!r}, but does not.")
    return tuple(vocabulary.encode([name for name in names if name in vocabulary]))


def never_said(vocabulary: Vocabulary) -> tuple[int, ...]:
    """List the ids that no transcript holds: padding, `<unk>`, and what begins or ends a sentence.

    Raises:
        TextError: The vocabulary lacks what begins or ends one.

    Example:
        >>> never_said(Vocabulary((PAD, UNKNOWN, START, END, "one")))
        (0, 1, 2, 3)
    """
    return (*never_written(vocabulary, ()), end_of(vocabulary))
