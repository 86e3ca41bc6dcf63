"""Begin a run with the weights of another, where name and shape agree.

As in PSAT-RS § 4, where a pyramid begins with the weights of an autoregressive model. Between two
vocabularies the rows of a token go by its name, so that a model of one alphabet can begin with what
another knows of the letters they share. What was measured on the data (means and spreads) is not a
weight and stays.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from signloom.errors import ConfigError
from signloom.training.restore import restore

_log = logging.getLogger(__name__)


def initialise(task: Any, path: Path) -> int:
    """Copy weights from a checkpoint into a task.

    Args:
        task: The task to train; changed in place.
        path: Checkpoint of a run of the same system.

    Returns:
        How many of the task's weights were taken over, whole or in part.

    Raises:
        FormatError: The file is no checkpoint.
        ConfigError: Fewer than half of the weights fit.
    """
    if not path.is_file():
        raise ConfigError(
            f"`training.init` must be the checkpoint of a run to begin with, but {path} is not "
            "there. Train that run first, name another, or set training.init=null."
        )
    source = restore(path).task
    theirs = dict(source.named_parameters())
    rows = _Rows.shared(task.corpus.vocabulary.tokens, source.corpus.vocabulary.tokens)
    taken = 0
    with torch.no_grad():
        for name, weight in task.named_parameters():
            taken += name in theirs and rows.copy(weight, theirs[name])
    total = len(list(task.parameters()))
    if 2 * taken < total:
        raise ConfigError(
            f"`training.init` must be a checkpoint of which most weights fit, but of {path} only "
            f"{taken} of {total} do. Use a run of the same system and `model.dim`."
        )
    _log.info("%d of %d weights begin as in %s", taken, total, path)
    return taken


@dataclass(frozen=True)
class _Rows:
    """The ids, here and there, of the tokens that two vocabularies share; and both sizes."""

    here: list[int]
    there: list[int]
    sizes: tuple[int, int]

    @classmethod
    def shared(cls, ours: tuple[str, ...], theirs: tuple[str, ...]) -> _Rows:
        places = {token: place for place, token in enumerate(theirs)}
        here = [place for place, token in enumerate(ours) if token in places]
        there = [places[ours[place]] for place in here]
        return cls(here, there, (len(ours), len(theirs)))

    def copy(self, weight: Tensor, other: Tensor) -> bool:
        """Copy one weight if it fits; one with a row a token goes by token."""
        if weight.shape[1:] != other.shape[1:]:
            return False
        if (len(weight), len(other)) == self.sizes:
            weight[self.here] = other[self.there]
            return True
        if weight.shape != other.shape:
            return False
        weight.copy_(other)
        return True
