"""Begin a run with the weights of another, where name and shape agree.

As in PSAT-RS § 4, where a pyramid begins with the weights of an autoregressive model. Between two
vocabularies the rows of a token go by its name, so that a model of one alphabet can begin with what
another knows of the letters they share. What was measured on the data (means and spreads) is not a
weight and stays.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from signloom.errors import ConfigError
from signloom.training.module import ChoosyTask
from signloom.training.restore import restore

_log = logging.getLogger(__name__)


def initialise(task: Any, path: Path, *, only: Sequence[str] = ()) -> int:
    """Copy weights from a checkpoint into a task.

    Args:
        task: The task to train; changed in place.
        path: Checkpoint of a run of the same system.
        only: Parts of the model whose weights are copied, such as `encoder`; by default all.

    Returns:
        How many of the task's weights were taken over, whole or in part.

    Raises:
        FormatError: The file is no checkpoint.
        ConfigError: Fewer than half of the weights fit, or the model lacks a part.
    """
    if not path.is_file():
        raise ConfigError(
            f"`training.init` must be the checkpoint of a run to begin with, but {path} is not "
            "there. Train that run first, name another, or set training.init=null."
        )
    source = restore(path).task
    if isinstance(task, ChoosyTask):
        task.refuse_source(source, path)
    theirs = dict(source.named_parameters())
    rows = _Rows.shared(task.corpus.vocabulary.tokens, source.corpus.vocabulary.tokens)
    wanted = {name: weight for name, weight in task.named_parameters() if _is_in(name, only)}
    absent = [part for part in only if not any(_is_in(name, [part]) for name in wanted)]
    if absent:
        raise ConfigError(
            f"`training.init_only` must name parts of the model, but it has no `{absent[0]}`."
        )
    taken = 0
    with torch.no_grad():
        for name, weight in wanted.items():
            taken += name in theirs and rows.copy(weight, theirs[name])
    total = len(wanted)
    if 2 * taken < total:
        raise ConfigError(
            f"`training.init` must be a checkpoint of which most weights fit, but of {path} only "
            f"{taken} of {total} do. Use a run of the same system and `model.dim`."
        )
    _log.info("%d of %d weights begin as in %s", taken, total, path)
    return taken


def _is_in(name: str, parts: Sequence[str]) -> bool:
    """Say whether a weight belongs to one of some parts of the model; without any, it does."""
    return not parts or any(name.startswith(f"model.{part}.") for part in parts)


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
