"""Several models as one: posterior samples (Bayesian averaging) and ensembles, logits averaged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from signloom.errors import ConfigError
from signloom.search.slots import Floats, Ids
from signloom.search.tokens import Scores, TokenStepper

States = list[Any]


class Members:
    """A stepper over steppers, each of equal weight, whatever members it has itself.

    Args:
        steppers: One for each sample or model. Each is given the same source, so that one that
            draws noise must know which sample it is.

    Raises:
        ConfigError: There is none, or they differ in their numbers of tokens.
    """

    def __init__(self, steppers: Sequence[TokenStepper[Any]]) -> None:
        if not steppers:
            raise ConfigError("An ensemble must have at least 1 member, but has none.")
        sizes = sorted({stepper.num_tokens for stepper in steppers})
        if len(sizes) > 1:
            raise ConfigError(
                f"The members of an ensemble must share one target vocabulary, but they have "
                f"{' and '.join(map(str, sizes))} tokens. Take models trained with the same one."
            )
        self._steppers = tuple(steppers)

    @property
    def num_tokens(self) -> int:
        """Size of the target vocabulary."""
        return self._steppers[0].num_tokens

    def begin(self, source: Any) -> States:
        """Let each member read the sources."""
        return [stepper.begin(source) for stepper in self._steppers]

    def step(self, tokens: Ids, state: States) -> tuple[Scores, States]:
        """Average the members' logits; members that have members give all of theirs."""
        pairs = zip(self._steppers, state, strict=True)
        scores, states = zip(*(stepper.step(tokens, own) for stepper, own in pairs), strict=True)
        logits: Floats = np.stack([one.logits for one in scores]).mean(axis=0)
        return Scores(logits, np.concatenate([one.members for one in scores])), list(states)

    def reorder(self, state: States, rows: Ids) -> States:
        """Reorder the rows of each member."""
        pairs = zip(self._steppers, state, strict=True)
        return [stepper.reorder(own, rows) for stepper, own in pairs]
