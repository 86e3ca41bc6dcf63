"""Cut spelled words into passages that a model can produce in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from signloom.tokens.alphabet import REPEAT, SPACE


@dataclass(frozen=True)
class Split:
    """Passages of a text.

    Attributes:
        passages: Tokens of each passage; between two passages the hand goes through rest.
        cut_words: Tokens of each word that was too long for one passage.
    """

    passages: tuple[tuple[str, ...], ...]
    cut_words: tuple[tuple[str, ...], ...]


def fill_passages(words: Sequence[tuple[str, ...]], *, max_tokens: int) -> Split:
    """Fill passages with whole words, first come first served, joined by a pause.

    A word longer than a passage is cut inside and gets passages of its own. A piece never starts
    with `<rep>`: it starts with the letter that was to be repeated.

    Args:
        words: Tokens of each word.
        max_tokens: Most tokens of one passage, pauses included; at least 1.

    Example:
        >>> fill_passages([("a", "b"), ("c",), ("d", "<rep>", "e")], max_tokens=4).passages
        (('a', 'b', ' ', 'c'), ('d', '<rep>', 'e'))
        >>> fill_passages([("d", "<rep>", "e")], max_tokens=1).passages
        (('d',), ('d',), ('e',))
    """
    passages: list[tuple[str, ...]] = []
    cut_words: list[tuple[str, ...]] = []
    room = 0
    for word in words:
        if len(word) > max_tokens:
            cut_words.append(word)
            passages.extend(_pieces(word, max_tokens=max_tokens))
            room = 0
        elif len(word) < room:
            passages[-1] = (*passages[-1], SPACE, *word)
            room -= len(word) + 1
        else:
            passages.append(word)
            room = max_tokens - len(word)
    return Split(tuple(passages), tuple(cut_words))


def _pieces(word: tuple[str, ...], *, max_tokens: int) -> list[tuple[str, ...]]:
    pieces = []
    for start in range(0, len(word), max_tokens):
        piece = word[start : start + max_tokens]
        if piece[0] == REPEAT:
            letter = next(token for token in reversed(word[:start]) if token != REPEAT)
            piece = (letter, *piece[1:])
        pieces.append(piece)
    return pieces
