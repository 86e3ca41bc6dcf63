"""Words of a spoken language, split by a stable hash into train, dev and test.

The words are the entries of the dictionary that `simplemma` (MIT) carries, names included, as
people spell names most of all. It has no frequencies, so rare words are as likely as common ones.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import islice

from signloom.errors import ConfigError, MissingExtraError

LANGUAGES_KEPT = 8
"""Languages whose words stay in memory: a model of several draws from all of them."""
SPLITS = ("train", "dev", "test")
WORD_LETTERS = (2, 22)
SHORTEST_HELD_OUT = 3
_PARTS = 20
_DICTIONARIES = {"hr": "hbs"}
"""The dictionary of a language that simplemma keeps under another code."""


@cache
def split_of(word: str) -> str:
    """Give the split of a word, or of any string of letters: 90 % train, 5 % dev, 5 % test.

    It depends on nothing but the string, so it stays when the dictionary changes. Strings of one
    or two letters are always for training.

    Example:
        >>> split_of("a"), split_of("signloom") == split_of("signloom")
        ('train', True)
    """
    if len(word) < SHORTEST_HELD_OUT:
        return "train"
    return {0: "dev", 1: "test"}.get(stable_hash(word) % _PARTS, "train")


def is_held_out(text: str) -> bool:
    """Say whether a phrase contains a word that training must not see."""
    return any(split_of(word) != "train" for word in text.split())


def stable_hash(text: str) -> int:
    """Hash a string to 64 bits, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


@lru_cache(maxsize=LANGUAGES_KEPT)
def load_splits(spoken_language: str, characters: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """Deal the words of a language out to the splits; see `load_words` for what it raises."""
    splits: dict[str, list[str]] = {split: [] for split in SPLITS}
    uncached = split_of.__wrapped__  # a dictionary of a million words would fill the cache
    for word in load_words(spoken_language, characters):
        splits[uncached(word)].append(word)
    return {split: tuple(members) for split, members in splits.items()}


def load_words(spoken_language: str, characters: Iterable[str]) -> tuple[str, ...]:
    """List the words of 2 to 22 letters that consist of `characters`, sorted.

    Raises:
        MissingExtraError: `simplemma` is not installed.
        ConfigError: It has no dictionary of the language.
    """
    try:
        from simplemma.strategies import DefaultDictionaryFactory
    except ImportError as error:
        raise MissingExtraError("data", "Drawing words to spell") from error
    named = _DICTIONARIES.get(spoken_language, spoken_language)
    try:
        entries = DefaultDictionaryFactory().get_dictionary(named)
    except ValueError as error:
        raise ConfigError(
            f"Words to spell need a dictionary of `{spoken_language}`, but simplemma has none."
        ) from error
    shortest, longest = WORD_LETTERS
    texts = (text for text in entries if shortest <= len(text) <= longest)
    # One search over all lines: a dictionary of a million words takes a second, not ten.
    lines = re.compile(rf"^[{re.escape(''.join(characters))}]+$", re.MULTILINE)
    return tuple(sorted(dict.fromkeys(lines.findall("\n".join(texts).lower()))))


def sample_held_out(
    words: Sequence[str],
    count: int,
    *,
    doubled: int,
    is_doubled: Callable[[str], bool],
    seed: int = 0,
) -> tuple[str, ...]:
    """Draw words, at least `doubled` of them with a doubled letter, by hash.

    Raises:
        ConfigError: There are not enough words.
    """
    ranked = sorted(words, key=lambda word: stable_hash(f"{seed} {word}"))
    with_doubles = list(islice(filter(is_doubled, ranked), doubled))
    taken = frozenset(with_doubles)
    others = [word for word in ranked if word not in taken][: count - len(with_doubles)]
    if len(with_doubles) < doubled or len(with_doubles) + len(others) != count:
        raise ConfigError(
            f"The split must hold {count} words, {doubled} of them with a doubled letter, "
            f"but holds {len(words)} and {len(with_doubles)}. Ask for fewer."
        )
    chosen = taken.union(others)
    return tuple(word for word in ranked if word in chosen)
