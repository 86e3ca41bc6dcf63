"""Words and glosses as tokens, for models that are trained on whole sentences.

Words are in lower case by the rules of their language and without punctuation; in Chinese and
Japanese, which do not part words, each character is a token. Glosses are kept as they are written,
parted by spaces. A word that training never saw becomes `<unk>`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from signloom.tokens.alphabet import PAD
from signloom.tokens.cleaning import lower
from signloom.tokens.vocabulary import Vocabulary

UNKNOWN = "<unk>"
Unit = Literal["letters", "words", "glosses"]
"""What a token of a text is."""
_IDEOGRAPH = r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_LETTER = rf"(?:(?!{_IDEOGRAPH})\w)"
_WORD = re.compile(rf"{_IDEOGRAPH}|{_LETTER}+(?:[-'’.]{_LETTER}+)*")


def split_words(text: str, *, spoken_language: str) -> tuple[str, ...]:
    """Cut a sentence into words.

    Example:
        >>> split_words("Morgen 3.5 Grad, im Nord-Westen.", spoken_language="de")
        ('morgen', '3.5', 'grad', 'im', 'nord-westen')
        >>> split_words("我有3本书。", spoken_language="zh")
        ('我', '有', '3', '本', '书')
    """
    return tuple(_WORD.findall(lower(unicodedata.normalize("NFC", text), spoken_language)))


def split_glosses(text: str) -> tuple[str, ...]:
    """Cut a line of glosses at its spaces.

    Example:
        >>> split_glosses("MORGEN  REGEN loc-NORD")
        ('MORGEN', 'REGEN', 'loc-NORD')
    """
    return tuple(unicodedata.normalize("NFC", text).split())


def learn_vocabulary(
    sentences: Iterable[Iterable[str]], *, least: int = 1, special: Sequence[str] = ()
) -> Vocabulary:
    """List the tokens of training sentences, the most frequent first.

    Args:
        sentences: Tokens of each.
        least: A rarer token is left to `<unk>`.
        special: Tokens to put before all others, after padding and `<unk>`.

    Example:
        >>> learn_vocabulary([("b", "a"), ("a",)]).tokens
        ('<pad>', '<unk>', 'a', 'b')
    """
    counts = Counter(token for sentence in sentences for token in sentence)
    kept = sorted((token for token, count in counts.items() if count >= least), key=str)
    kept.sort(key=lambda token: -counts[token])
    first = (PAD, UNKNOWN, *special)
    return Vocabulary((*first, *(token for token in kept if token not in first)))


def known_tokens(tokens: Iterable[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Replace what a vocabulary does not have by `<unk>`.

    Example:
        >>> known_tokens(("a", "z"), Vocabulary(("<pad>", "<unk>", "a")))
        ('a', '<unk>')
    """
    return tuple(token if token in vocabulary else UNKNOWN for token in tokens)
