"""How sentences of a vocabulary are looked for: what ends them, what they never hold."""

from __future__ import annotations

from signloom.search.translation import SearchOptions
from signloom.tokens.targets import end_of, never_written
from signloom.tokens.vocabulary import Vocabulary


def options_of(
    vocabulary: Vocabulary, *, languages: tuple[str, ...], max_tokens: int
) -> SearchOptions:
    """Give the options of greedy search; `dataclasses.replace` makes others of them.

    Args:
        vocabulary: What is written.
        languages: Sign languages, whose tags are never written.
        max_tokens: Most tokens of a sentence, without its end.

    Raises:
        TextError: The vocabulary has no `<s>` or no `</s>`.
    """
    return SearchOptions(
        end=end_of(vocabulary),
        banned=never_written(vocabulary, languages),
        most=max_tokens + 1,
    )
