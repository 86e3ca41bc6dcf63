"""What all rows of the tables of SATIC share, and the chain of trainings that they name.

AR    cross-entropy → self-critical
K     begins with AR, learns AR's captions by cross-entropy → self-critical
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from signloom.reproduction.trained import Trial


@dataclass(frozen=True, kw_only=True)
class Study:
    """What all rows share; `--set study.KEY=VALUE` changes it."""

    path: str = "data/flickr8k"
    """Folder of Flickr8k."""
    features: str = "data/flickr8k_features"
    """What `signloom data features` wrote of it."""
    reader: str = "flickr8k"
    """The reader of the data."""
    groups: tuple[int, ...] = (2, 4, 6)
    """Words a step, K, beside the autoregressive model's one."""
    ablated: int = field(default=4, metadata={"least": 2, "most": 32})
    """K of the rows without weight initialisation or distillation."""
    ways: tuple[str, ...] = ("neither", "weight initialisation", "distillation", "both")
    """Rows of table 4 after each of the two stages."""
    beams: tuple[int, ...] = (1, 2, 3, 5)
    """Beams of table 3."""
    beam: int = field(default=3, metadata={"least": 1, "most": 64})
    """Beam of the other tables, beside greedy search."""
    batches: tuple[int, ...] = (1, 8, 32, 64)
    """Pictures at once in table 5."""
    timed: int = field(default=64, metadata={"least": 1, "most": 100000})
    """Test pictures that are captioned to take the time."""
    steps: int = field(default=0, metadata={"least": 0, "most": 10000000})
    """Optimiser steps of every training; 0 = as the recipes say."""
    changes: tuple[str, ...] = ()
    """Texts `section.key=value` that change every recipe, to try smaller ones."""

    def cross_entropy(self, group: int, *, begun: bool = True, taught: bool = True) -> Trial:
        """Train by cross-entropy.

        Args:
            group: Words a step; 1 is the autoregressive model, which has nothing to begin with.
            begun: Whether it begins with the autoregressive model's weights.
            taught: Whether it learns that one's captions.
        """
        if group == 1:
            return self._trial("caption/flickr8k", {})
        teacher = self.self_critical(1)
        values: dict[str, Any] = {"model.group": group}
        values |= {} if begun else {"training.init": None}
        values |= {} if taught else {"corpus.taught": ""}
        trial = self._trial("caption/flickr8k_groups", values)
        return replace(
            trial, begins=teacher if begun else None, teacher=teacher if taught else None
        )

    def self_critical(self, group: int, *, begun: bool = True, taught: bool = True) -> Trial:
        """Train by cross-entropy, and then self-critically."""
        trial = self._trial("caption/flickr8k_self_critical", {"model.group": group})
        return replace(trial, begins=self.cross_entropy(group, begun=begun, taught=taught))

    def _trial(self, recipe: str, values: dict[str, Any]) -> Trial:
        corpus = {"corpus.path": self.path, "corpus.features": self.features}
        corpus |= {} if self.reader == "flickr8k" else {"corpus.reader": self.reader}
        steps = {"training.steps": self.steps} if self.steps else {}
        trial = Trial.of(recipe, {**corpus, **steps, **values})
        return replace(trial, overrides=(*trial.overrides, *self.changes))
