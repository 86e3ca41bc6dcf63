"""Iterative refinement: a whole transcript is read and written anew until it no longer changes.

    Y⁰ = greedy CTC;  Yʲ = argmax p(· | Yʲ⁻¹, S),  at most J times          (NAT-UBD eq. 6)

The first transcript fixes the length: only substitutions can be mended. Adaptive termination stops
when a pass changes nothing. Two tokens that depend on each other may flip for ever, which it never
sees (the paper's own open problem), so that by default the loop stops at *any* transcript that was
there before, and of those on the cycle takes the one whose pass was surest of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar, runtime_checkable

import numpy as np

from signloom.errors import ConfigError
from signloom.search.scoring import log_softmax
from signloom.search.slots import Floats, Ids

State = TypeVar("State")
Stop = Literal["cycle", "adaptive", "never"]
"""When refinement ends early: at a transcript seen before, at one seen last, or not at all."""
MAX_ITERATIONS = 100


@runtime_checkable
class Refiner(Protocol[State]):
    """Predicts every token of transcripts from the others. A state has one row an utterance."""

    @property
    def num_tokens(self) -> int:
        """Size of the vocabulary; id 0 is padding."""
        ...

    def predict(self, tokens: Ids, lengths: Ids, state: State) -> Floats:
        """Give logits [readers, rows, slots, tokens] of transcripts [rows, slots], padded."""
        ...

    def take(self, state: State, rows: Ids) -> State:
        """Keep some rows, in the order given."""
        ...


@dataclass(frozen=True, kw_only=True)
class RefineOptions:
    """How transcripts are refined.

    Attributes:
        iterations: Most passes, J; 0 leaves the first transcript as it is.
        stop: When to end earlier.
        banned: Tokens that are never written.

    Raises:
        ConfigError: `iterations` does not hold.
    """

    iterations: int = 10
    stop: Stop = "cycle"
    banned: tuple[int, ...] = (0,)

    def __post_init__(self) -> None:
        if not 0 <= self.iterations <= MAX_ITERATIONS:
            raise ConfigError(
                f"`iterations` must be 0 to {MAX_ITERATIONS}, but is {self.iterations}."
            )


@dataclass(frozen=True)
class Refinement:
    """What has become of one transcript.

    Attributes:
        ids: Its tokens.
        log_probs: Log-probability of each token in the pass that wrote it; empty without a pass.
        iterations: Passes that were run.
        is_cycle: Whether a transcript came back that was not the last one.
    """

    ids: tuple[int, ...]
    log_probs: tuple[float, ...] = ()
    iterations: int = 0
    is_cycle: bool = False

    @property
    def mean_log_prob(self) -> float:
        """Mean of `log_probs`; minus infinity without any."""
        return sum(self.log_probs) / len(self.log_probs) if self.log_probs else -np.inf


def refine(
    refiner: Refiner[State],
    state: State,
    firsts: Sequence[Sequence[int]],
    *,
    options: RefineOptions,
) -> list[Refinement]:
    """Refine a batch of transcripts; rows that have ended leave it.

    Args:
        refiner: Runs the model.
        state: Its state of these utterances.
        firsts: Transcript of each row to begin with; an empty one stays empty.
        options: How.
    """
    paths = [[Refinement(tuple(map(int, first)))] for first in firsts]
    found = [path[0] for path in paths]
    rows = np.array([row for row, first in enumerate(firsts) if len(first)], dtype=np.int64)
    # Most batches have no empty row: their state is taken as it is.
    state = state if len(rows) == len(firsts) else refiner.take(state, rows)
    for _ in range(options.iterations):
        if not len(rows):
            break
        written = _pass(refiner, state, [paths[row][-1] for row in rows], options.banned)
        going = np.ones(len(rows), dtype=np.bool_)
        for place, row in enumerate(rows.tolist()):
            end = _end(paths[row], written[place], options.stop)
            going[place] = end is None
            found[row] = written[place] if end is None else end
            paths[row].append(written[place])
        if not going.all():
            rows = rows[going]
            state = refiner.take(state, np.flatnonzero(going)) if len(rows) else state
    return found


def _end(path: Sequence[Refinement], new: Refinement, stop: Stop) -> Refinement | None:
    """Give what a transcript has come to where it ends with a new pass, else None."""
    if stop == "never":
        return None
    before = [one.ids for one in path]
    if new.ids == before[-1]:
        return new
    if stop == "adaptive" or new.ids not in before:
        return None
    # Every transcript of the cycle, each as the pass that wrote it last.
    cycle = [*path[before.index(new.ids) + 1 :], new]
    best = max(cycle, key=lambda one: one.mean_log_prob)
    return Refinement(best.ids, best.log_probs, new.iterations, is_cycle=True)


def _pass(
    refiner: Refiner[State], state: State, last: Sequence[Refinement], banned: tuple[int, ...]
) -> list[Refinement]:
    """Write transcripts anew; of several readers the one is heeded that is surer of its own."""
    lengths = np.array([len(one.ids) for one in last], dtype=np.int64)
    tokens = np.zeros((len(last), lengths.max()), dtype=np.int64)
    for place, one in enumerate(last):
        tokens[place, : len(one.ids)] = one.ids
    logits = refiner.predict(tokens, lengths, state)
    found = []
    for place, count in enumerate(lengths.tolist()):
        rivals = []
        for reader in logits[:, place, :count]:
            scores = log_softmax(reader)
            scores[:, list(banned)] = -np.inf
            ids = scores.argmax(axis=-1)
            sure = scores[np.arange(count), ids]
            rivals.append(
                Refinement(tuple(ids.tolist()), tuple(sure.tolist()), last[place].iterations + 1)
            )
        found.append(max(rivals, key=lambda one: one.mean_log_prob))
    return found
