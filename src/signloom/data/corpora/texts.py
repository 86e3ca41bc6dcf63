"""Which texts a model of fingerspelling is trained on.

Of 100 texts: 28 are single words, 24 phrases of two to six words (one word in seven of them a few
random letters), 17 random strings of 2 to 12 letters (a fifth with a doubled letter), 12 long
words (9 to 22 letters), 15 words with a doubled letter, 4 single letters. Held-out words occur in
none of them. Every text has at most `max_tokens` tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from signloom.data.corpora.words import split_of
from signloom.tokens.alphabet import REPEAT, Alphabet
from signloom.tokens.spelling import spell

LONG_LETTERS = 9
_SHARES = (
    ("word", 28),
    ("phrase", 24),
    ("random", 17),
    ("long", 12),
    ("doubled", 15),
    ("letter", 4),
)
_KINDS = tuple(kind for kind, _ in _SHARES)
_BOUNDS = np.cumsum([share for _, share in _SHARES]) / 100


class TextSampler:
    """Draws training texts.

    Args:
        words: Training words.
        alphabet: Their alphabet.
        max_tokens: Most tokens of a text.
    """

    def __init__(self, words: Sequence[str], alphabet: Alphabet, *, max_tokens: int) -> None:
        self._letters = alphabet.letters
        self._max_tokens = max_tokens
        spelled = {word: spell(word, alphabet) for word in words}
        self._words = sorted(spelled, key=lambda word: (len(spelled[word]), word))
        self._tokens = {word: len(tokens) for word, tokens in spelled.items()}
        lengths = [self._tokens[word] for word in self._words]
        self._up_to = [
            int(np.searchsorted(lengths, most, side="right")) for most in range(max_tokens + 1)
        ]
        self._long = self._words[int(np.searchsorted(lengths, LONG_LETTERS)) : self._up_to[-1]]
        self._doubled = [word for word in self._words[: self._up_to[-1]] if REPEAT in spelled[word]]

    def draw(self, rng: np.random.Generator) -> str:
        """Draw one text."""
        kind = _KINDS[min(int(np.searchsorted(_BOUNDS, rng.random(), side="right")), 5)]
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
        return _pick(self._words[: self._up_to[-1]], rng)

    def _phrase(self, rng: np.random.Generator, count: int) -> str:
        chosen: list[str] = []
        left = self._max_tokens
        for waiting in reversed(range(count)):
            # About an even share, but never so much that a later word could not have two letters.
            most = min(left // (waiting + 1) + 2, left - 3 * waiting, 14)
            if rng.random() < 1 / 7:
                word = self._random_string(rng, int(rng.integers(1, min(most, 4) + 1)))
            else:
                word = self._words[int(rng.integers(self._up_to[most]))]
            chosen.append(word)
            left -= self._tokens.get(word, len(word)) + 1
        return " ".join(chosen)

    def _random_string(self, rng: np.random.Generator, length: int) -> str:
        while True:
            letters = [
                self._letters[place] for place in rng.integers(len(self._letters), size=length)
            ]
            if length > 1 and rng.random() < 0.2:
                place = int(rng.integers(length - 1))
                letters[place + 1] = letters[place]
            text = "".join(letters)
            if split_of(text) == "train":
                return text


def _pick(items: Sequence[str], rng: np.random.Generator) -> str:
    return items[int(rng.integers(len(items)))]
