"""Tokens of a target back to the text that people read.

Sentences of the field, such as those of PHOENIX-2014-T, are in lower case and have their full stop
parted from the last word; they are read and scored as they stand, so nothing is cased or glued.
"""

from __future__ import annotations

from collections.abc import Iterable

from signloom.tokens.alphabet import PAD, SPACE
from signloom.tokens.spelling import unspell
from signloom.tokens.targets import END, START
from signloom.tokens.words import Unit


def join_tokens(tokens: Iterable[str], unit: Unit) -> str:
    """Write tokens as a text: words and glosses parted by spaces, letters as they are spelled.

    What begins, ends or pads a sentence is left out; `<unk>` stays.

    Example:
        >>> join_tokens(["<s>", "morgen", "regen", ".", "</s>"], "words")
        'morgen regen .'
        >>> join_tokens(["a", "l", "<rep>", " ", "o", "</s>"], "letters")
        'all o'
    """
    kept = [token for token in tokens if token not in (PAD, START, END)]
    return unspell(kept) if unit == "letters" else SPACE.join(kept)
