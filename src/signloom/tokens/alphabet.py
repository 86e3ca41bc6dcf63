"""The letters of a signed alphabet: what can be fingerspelled, not how it looks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from signloom.errors import TextError
from signloom.tokens.languages import sign_language

PAD = "<pad>"
REPEAT = "<rep>"
SPACE = " "
SPECIAL_TOKENS = (PAD, REPEAT, SPACE)


@dataclass(frozen=True)
class Alphabet:
    """The letters of one sign language, in lower case.

    Attributes:
        language: ISO 639-3 code of the sign language, such as `ase`.
        spoken_language: ISO 639-1 code of the spoken language that is spelled, such as `en`.
        letters: The letters, sorted; some languages sign several characters as one letter.
    """

    language: str
    spoken_language: str
    letters: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "letters", tuple(sorted(set(self.letters))))
        if not self.letters or "" in self.letters or set(self.letters) & set(SPECIAL_TOKENS):
            raise TextError(
                f"The alphabet of `{self.language}` must hold letters and neither the empty "
                f"string nor {', '.join(map(repr, SPECIAL_TOKENS))}, but holds "
                f"{list(self.letters)}."
            )

    @classmethod
    def load(cls, language: str) -> Alphabet:
        """Give the alphabet of a language that signloom knows without a corpus.

        Raises:
            TextError: The language is unknown.
        """
        known = sign_language(language)
        return cls(language, known.spoken_language, known.letters)

    @classmethod
    def from_tokens(cls, tokens: Iterable[str], *, language: str, spoken_language: str) -> Alphabet:
        """Take the letters out of a vocabulary, such as a model package's.

        Example:
            >>> tokens = ["<pad>", "<rep>", " ", "a", "b"]
            >>> Alphabet.from_tokens(tokens, language="ase", spoken_language="en").letters
            ('a', 'b')
        """
        letters = tuple(token for token in tokens if token not in SPECIAL_TOKENS)
        return cls(language, spoken_language, letters)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches one letter or a space, the longest letter first."""
        letters = sorted(self.letters, key=lambda letter: (-len(letter), letter))
        return re.compile("|".join(map(re.escape, [SPACE, *letters])))

    @cached_property
    def characters(self) -> frozenset[str]:
        """Every character that occurs in a letter."""
        return frozenset("".join(self.letters))
