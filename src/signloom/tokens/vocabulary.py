"""Tokens to ids and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from signloom.errors import TextError
from signloom.tokens.alphabet import PAD, SPECIAL_TOKENS, Alphabet


@dataclass(frozen=True)
class Vocabulary:
    """A list of tokens; the id of a token is its place, and padding is 0.

    Attributes:
        tokens: `<pad>`, then letters (after `<rep>` and a space) or words (after `<unk>`).
    """

    tokens: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(self.tokens))
        if self.tokens[:1] != (PAD,):
            raise TextError(
                f"A vocabulary must begin with {PAD!r}, but begins with {list(self.tokens[:1])}."
            )
        if len(set(self.tokens)) < len(self.tokens):
            raise TextError("The tokens of a vocabulary must differ, but one occurs twice.")

    @classmethod
    def of(cls, alphabet: Alphabet) -> Vocabulary:
        """Make the vocabulary of an alphabet.

        Example:
            >>> Vocabulary.of(Alphabet("xxx", "en", ("b", "a"))).tokens
            ('<pad>', '<rep>', ' ', 'a', 'b')
        """
        return cls((*SPECIAL_TOKENS, *alphabet.letters))

    def __contains__(self, token: object) -> bool:
        return token in self._ids

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, tokens: Sequence[str]) -> list[int]:
        """Give the ids of tokens.

        Raises:
            TextError: A token is not in the vocabulary.
        """
        unknown = [token for token in tokens if token not in self._ids]
        if unknown:
            raise TextError(
                f"Tokens must be in the vocabulary, but {unknown[0]!r} is not. "
                "Clean the text for this vocabulary first."
            )
        return [self._ids[token] for token in tokens]

    def decode(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Give the tokens of ids, without padding.

        Raises:
            TextError: An id is out of range.
        """
        numbers = [int(number) for number in ids]
        for number in numbers:
            if not 0 <= number < len(self.tokens):
                raise TextError(f"Ids must be 0 to {len(self.tokens) - 1}, but one is {number}.")
        return tuple(self.tokens[number] for number in numbers if number)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(self.tokens)}
