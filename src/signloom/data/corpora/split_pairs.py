"""What corpora of pairs in files share: a path with `{split}`, and pairs that are drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from signloom.data.corpora.drawing import draw_pairs
from signloom.data.pair import Pair
from signloom.errors import ConfigError


class SplitPairs:
    """Pairs that lie in memory, by split.

    Args:
        pairs: Of `train`, `dev` and `test`, tokens as the vocabularies have them.
    """

    def __init__(self, pairs: Mapping[str, Sequence[Pair]]) -> None:
        self._pairs = pairs
        self.max_tokens = max(len(pair.tokens) for pair in pairs["train"])
        self.max_source = max(pair.length for pair in pairs["train"])

    def pairs(self, split: str) -> Sequence[Pair]:
        """List the pairs of a split."""
        return self._pairs[split]

    def draw(self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4) -> list[Pair]:
        """Draw a batch; see `PairCorpus`."""
        return draw_pairs(self._pairs[split], rng, train=split == "train", size=size, pool=pool)


def path_of(pattern: str, split: str, *, name: str) -> Path:
    """Give the file of a split.

    Args:
        pattern: A path with `{split}`.
        split: What to put there.
        name: Field of the recipe that the pattern comes from.

    Raises:
        ConfigError: The pattern has no `{split}`.
    """
    if "{split}" not in pattern:
        raise ConfigError(
            f"`corpus.{name}` must hold `{{split}}`, for train, dev and test, but is {pattern!r}."
        )
    return Path(pattern.replace("{split}", split))
