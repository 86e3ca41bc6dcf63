"""Which texts a model of fingerspelling is trained on.

Of 100 texts: 28 are single words, 24 phrases of two to six words (one word in seven of them a few
random letters), 17 random strings of 2 to 12 letters (a fifth with a doubled letter), 12 long
words (9 to 22 letters), 15 words with a doubled letter, 4 single letters. Held-out words occur in
none of them. Every text has at most `max_tokens` tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from signloom.data.corpora.words import split_of
from signloom.tokens.alphabet import REPEAT, Alphabet
from signloom.tokens.spelling import spell

LONG_LETTERS = 9
_SHARES = {"word": 28, "phrase": 24, "random": 17, "long": 12, "doubled": 15, "letter": 4}
_TWICE = re.compile(r"(.)\1")
_KINDS = tuple(kind for kind, share in _SHARES.items() for _ in range(share))


class TextSampler:
    """Draws training texts.

    Args:
        words: Training words, sorted.
        alphabet: Their alphabet.
        max_tokens: Most tokens of a text.
    """

    def __init__(self, words: Sequence[str], alphabet: Alphabet, *, max_tokens: int) -> None:
        self._alphabet, self._letters = alphabet, alphabet.letters
        self._max_tokens = max_tokens
        self._tokens, doubled = _measure(words, alphabet)
        self._words = sorted(
            (word for word in words if self._tokens[word] <= max_tokens),
            key=self._tokens.__getitem__,
        )
        lengths = [self._tokens[word] for word in self._words]
        self._up_to = [bisect_right(lengths, most) for most in range(max_tokens + 1)]
        self._long = self._words[bisect_left(lengths, LONG_LETTERS) :]
        self._doubled = [word for word in self._words if word in doubled]

    def draw(self, rng: np.random.Generator) -> str:
        """Draw one text."""
        kind = _pick(_KINDS, rng)
        if kind == "letter":
            return _pick(self._letters, rng)
        if kind == "random":
            return self._random_string(rng, int(rng.integers(2, 13)))
        if kind == "phrase":
            return self._phrase(rng, int(rng.integers(2, 7)))
        if kind == "long":
            return _pick(self._long, rng)
        if kind == "doubled":
            return _pick(self._doubled, rng)
        return _pick(self._words, rng)

    def _phrase(self, rng: np.random.Generator, count: int) -> str:
        chosen: list[str] = []
        left = self._max_tokens
        for waiting in reversed(range(count)):
            # About an even share, but never so much that a later word could not have two letters.
            most = min(left // (waiting + 1) + 2, left - 3 * waiting, 14)
            if rng.random() < 1 / 7 or not self._up_to[most]:
                word = self._random_string(rng, int(rng.integers(1, min(most, 4) + 1)))
            else:
                word = self._words[int(rng.integers(self._up_to[most]))]
            chosen.append(word)
            left -= len(spell(word, self._alphabet)) + 1
        return " ".join(chosen)

    def _random_string(self, rng: np.random.Generator, length: int) -> str:
        while True:
            places = rng.integers(len(self._letters), size=length).tolist()
            letters = [self._letters[place] for place in places]
            if length > 1 and rng.random() < 0.2:
                place = int(rng.integers(length - 1))
                letters[place + 1] = letters[place]
            text = "".join(letters)
            if split_of(text) == "train":
                return text


def _measure(words: Sequence[str], alphabet: Alphabet) -> tuple[dict[str, int], frozenset[str]]:
    """Count the tokens of each word, and find those with a doubled letter.

    Only words with a letter of several characters need to be spelled for it, so that a dictionary
    of a million words is measured in a second.
    """
    tokens = {word: len(word) for word in words}
    doubled = set(filter(_TWICE.search, words))
    long = [re.escape(letter) for letter in alphabet.letters if len(letter) > 1]
    for word in filter(re.compile("|".join(long)).search, words) if long else ():
        spelled = spell(word, alphabet)
        tokens[word] = len(spelled)
        (doubled.add if REPEAT in spelled else doubled.discard)(word)
    return tokens, frozenset(doubled)


def _pick(items: Sequence[str], rng: np.random.Generator) -> str:
    return items[int(rng.integers(len(items)))]
