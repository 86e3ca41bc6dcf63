"""What all rows of a table share, and the trainings that they name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from signloom.data.corpora.listed import NUM_FOLDS
from signloom.reproduction.trained import Trial
from signloom.training.recipe import load_recipe

PLACEMENTS = ("spatial", "early", "late")
"""Where attention may be placed (STAMF figure 7)."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """What all rows share; `--set study.KEY=VALUE` changes it."""

    isl13: str = "data/isl_isolated13"
    """Folder of the signs that sentences are joined of."""
    boston104: str = "data/rwth_boston104"
    """Folder of the hand tracks of RWTH-BOSTON-104."""
    film: str = "data/film.mp4"
    """A film of a signer, to time the search for joints with."""
    package: str = "recognize-fingerspelling-v1"
    """A package to time."""
    isl13_recipe: str = "recognize/isl13"
    """Recipe of all trainings on joined sentences."""
    boston104_recipe: str = "recognize/boston104"
    """Recipe of all trainings on hand tracks."""
    spelling_recipe: str = "recognize/fingerspelling"
    """Recipe of all trainings on fingerspelling."""
    streams_recipe: str = "recognize/isl13_streams"
    """Recipe of trainings with rendered pictures."""
    isl13_steps: int = field(default=600, metadata={"least": 1, "most": 10000000})
    """Optimiser steps on joined sentences."""
    boston104_steps: int = field(default=800, metadata={"least": 1, "most": 10000000})
    """Optimiser steps on hand tracks, each fold."""
    streams_steps: int = field(default=600, metadata={"least": 1, "most": 10000000})
    """Optimiser steps with pictures."""
    spelling_steps: int = field(default=1000, metadata={"least": 1, "most": 10000000})
    """Optimiser steps of fingerspelling without one language."""
    streams: tuple[Literal["keypoints", "both", "pictures"], ...] = ("keypoints", "both")
    """What is read of sentences with pictures, a row each; the first is compared with."""
    folds: tuple[int, ...] = field(
        default=tuple(range(NUM_FOLDS)), metadata={"least": 0, "most": NUM_FOLDS - 1}
    )
    """Folds of the hand tracks that are tested."""
    beam: int = field(default=10, metadata={"least": 1, "most": 64})
    """Beginnings kept by a search."""
    language_model_weight: float = field(default=0.5, metadata={"least": 0, "most": 10})
    """What the n-gram model of the training glosses counts."""
    insertion_bonus: float = field(default=1.0, metadata={"least": -10, "most": 10})
    """What is added for each token beside it."""
    unseen: str = "bzs"
    """The language that is left out of training; the others share its alphabet."""

    def isl13_trial(self, placement: str = "none", *, takes: str | None = None) -> Trial:
        """Train on joined sentences; `takes` says which are held out, else the recipe does."""
        values: dict[str, Any] = {
            "corpus.path": self.isl13,
            "training.steps": self.isl13_steps,
        }
        if takes is not None:
            values["corpus.options"] = ["test=300", f"takes={takes}"]
        return Trial.of(self.isl13_recipe, values | placed(placement))

    def spelling_trial(self, changes: Mapping[str, Any]) -> Trial:
        """Train on the fingerspelling of all languages but the one that is left out."""
        languages = load_recipe(self.spelling_recipe).sections["corpus"].languages
        values = {
            "corpus.languages": [code for code in languages if code != self.unseen],
            "training.steps": self.spelling_steps,
        }
        return Trial.of(self.spelling_recipe, values | dict(changes))

    def streams_trial(self, streams: str) -> Trial:
        """Train on joined sentences whose pictures are drawn."""
        values = {
            "corpus.path": self.isl13,
            "training.steps": self.streams_steps,
            "model.streams": streams,
        }
        return Trial.of(self.streams_recipe, values)

    def boston104_trials(
        self, changes: Mapping[str, float], *, placement: str = "none"
    ) -> tuple[Trial, ...]:
        """Train on hand tracks, once a fold; `changes` are fields of the task."""
        return tuple(
            self.boston104_trial(changes, fold=fold, placement=placement) for fold in self.folds
        )

    def boston104_trial(
        self, changes: Mapping[str, float], *, fold: int | None, placement: str = "none"
    ) -> Trial:
        """Train on hand tracks, but for a fold or the official test sentences."""
        values = {
            "corpus.path": self.boston104,
            "corpus.fold": fold,
            "training.steps": self.boston104_steps,
        }
        changed = {f"task.{name}": value for name, value in changes.items()}
        return Trial.of(self.boston104_recipe, values | placed(placement) | changed)


def placed(placement: str) -> dict[str, bool]:
    """Say what of a recipe places attention at `none`, `spatial`, `early`, `late` or `all`."""
    return {f"model.{one}_attention": placement in (one, "all") for one in PLACEMENTS}
