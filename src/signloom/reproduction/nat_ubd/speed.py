"""Decoders alone: one pass of refinement against the cached autoregressive decoder, greedily.

Both run in PyTorch through the same numpy searches, one utterance at a time; the encoder's states
and their projection into keys and values are there before the clock starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from signloom.data.speech.utterance import Utterance
from signloom.decoders.autoregressive import AutoregressiveDecoder
from signloom.decoders.refinement import SideBySide
from signloom.decoders.refinement_adapter import Heard, TorchRefiner
from signloom.decoders.token_adapter import TokenState, TorchTokenStepper
from signloom.reproduction.grid import Grid
from signloom.reproduction.plan import Report
from signloom.reproduction.timing import Spread, interleave, one_thread
from signloom.reproduction.trained import Trial
from signloom.search.ctc import greedy
from signloom.search.draws import Sources
from signloom.search.greedy import greedy_search
from signloom.search.refine import RefineOptions, refine
from signloom.search.slots import Ids
from signloom.search.tokens import Bounds, Scores, TokenStepper
from signloom.systems.transcribe.baseline import Baseline
from signloom.systems.transcribe.config import TranscribeConfig
from signloom.systems.transcribe.model import TranscribeModel
from signloom.systems.transcribe.task import TranscribeTask
from signloom.training.restore import restore

REPEATS = 5
NUM_STEPS = 100
"""Steps of the encoder over four seconds of speech."""
NUM_FEATURES, VOCABULARY = 83, 4235
"""Of the paper on AISHELL-1."""


@dataclass(frozen=True, kw_only=True)
class Speed:
    """A row.

    Attributes:
        unified: The training of the refinement decoder; None for random weights.
        autoregressive: That of the baseline.
        utterances: Test utterances that are decoded, or tokens of the one with random weights.
    """

    unified: Trial | None
    autoregressive: Trial | None
    utterances: int


class _Begun:
    """A stepper whose sources were read before."""

    def __init__(self, stepper: TorchTokenStepper, state: TokenState) -> None:
        self._stepper, self._state = stepper, state

    @property
    def num_tokens(self) -> int:
        return self._stepper.num_tokens

    def begin(self, source: Any) -> TokenState:
        state = self._state
        return TokenState(state.memory, state.present, state.keys, torch.empty_like(state.cache))

    def step(self, tokens: Ids, state: TokenState) -> tuple[Scores, TokenState]:
        return self._stepper.step(tokens, state)

    def reorder(self, state: TokenState, rows: Ids) -> TokenState:
        return self._stepper.reorder(state, rows)


@dataclass(frozen=True)
class _Pair:
    """One utterance decoded by both, and the steps that the baseline takes."""

    unified: Callable[[], object]
    autoregressive: Callable[[], object]
    steps: int


def measure_speed(config: Speed, *, folder: Path) -> dict[str, Any]:
    """Time both on every utterance, in turn."""
    with one_thread():
        if config.unified is None or config.autoregressive is None:
            pairs = [_random_pair(config.utterances)]
        else:
            unified: TranscribeTask = restore(config.unified.checkpoint(folder)).task
            baseline: TranscribeTask = restore(config.autoregressive.checkpoint(folder)).task
            utterances = unified.corpus.examples("test")[: config.utterances]
            pairs = [_pair(one, unified, baseline) for one in utterances]
        times = [
            interleave({"UBD": one.unified, "AR": one.autoregressive}, repeats=REPEATS)
            for one in pairs
        ]
    ratios = [one["AR"].p50 / one["UBD"].p50 for one in times]
    steps = float(np.mean([one.steps for one in pairs]))
    total = sum(one["AR"].p50 for one in times) / sum(one["UBD"].p50 for one in times)
    return {
        "ubd_ms": asdict(Spread.of([one["UBD"].p50 for one in times])),
        "ar_ms": asdict(Spread.of([one["AR"].p50 for one in times])),
        "ratio": total,
        "ratios": asdict(Spread.of(ratios)),
        "steps": steps,
        "share_of_steps": total / steps,
    }


def speed_sheet(title: str, rows: list[dict[str, Any]]) -> Report:
    """Set times in lines."""
    lines = tuple(
        (
            row["name"],
            f"{row['result']['ubd_ms']['p50']:.2f}",
            f"{row['result']['ar_ms']['p50']:.2f}",
            f"{row['result']['ratio']:.2f}",
            f"{row['result']['steps']:.2f}",
            f"{row['result']['share_of_steps']:.2f}",
        )
        for row in rows
    )
    grid = Grid(
        title=title,
        columns=("model", "UBD, J = 1, ms", "AR greedy, ms", "AR / UBD", "AR steps", "of steps"),
        lines=lines,
        notes=(
            f"Decoders alone, one utterance at a time, PyTorch on one thread; medians of {REPEATS} "
            "turns, interleaved; the ratio is of the sums over utterances.",
        ),
    )
    return Report(grid=grid)


def _pair(utterance: Utterance, unified: TranscribeTask, baseline: TranscribeTask) -> _Pair:
    batch = unified.collate([utterance])
    states, present = unified.model.encode(batch.features, batch.lengths)
    decoder = unified.model.decoder
    if not isinstance(decoder, SideBySide):
        raise TypeError("The first training must have a refinement decoder.")
    log_probs, counts = unified.model.read(states).numpy(), present.sum(1).numpy()
    [first] = greedy(log_probs, counts, banned=unified.banned)
    heard = Heard(decoder.remember(states), present)
    options = RefineOptions(iterations=1, stop="never", banned=unified.banned)
    source = Sources(baseline.listener.hear(utterance)[None], batch.lengths.numpy())
    stepper = TorchTokenStepper(Baseline(baseline.model))
    begun = _Begun(stepper, stepper.begin(source))
    bounds = Bounds(
        starts=np.array([baseline.start]),
        end=baseline.end,
        banned=tuple(one for one in baseline.banned if one != baseline.end),
        most=np.array([states.shape[1] + 1]),
    )
    return _both(decoder, heard, first, options=options, begun=begun, bounds=bounds)


def _random_pair(num_tokens: int) -> _Pair:
    """Make both of the paper's size with random weights, over four seconds of speech."""
    torch.manual_seed(0)
    paper = TranscribeConfig()
    states = torch.randn(1, NUM_STEPS, paper.dim)
    present = torch.ones(1, NUM_STEPS, dtype=torch.bool)
    features = {"mean": torch.zeros(NUM_FEATURES), "std": torch.ones(NUM_FEATURES)}
    decoder = TranscribeModel(paper, VOCABULARY, **features).eval().decoder
    baseline = (
        TranscribeModel(replace(paper, decoder="autoregressive"), VOCABULARY, **features)
        .eval()
        .decoder
    )
    if not (isinstance(decoder, SideBySide) and isinstance(baseline, AutoregressiveDecoder)):
        raise TypeError("The defaults must be a refinement decoder.")
    heard = Heard(decoder.remember(states), present)
    stepper = TorchTokenStepper(_Remembering(baseline, states, present))
    begun = _Begun(stepper, stepper.begin(Sources(states.numpy(), np.array([NUM_STEPS]))))
    # The end is banned by never being likely enough: every transcript has all its tokens.
    bounds = Bounds(starts=np.array([2]), end=3, banned=(0, 1, 2), most=np.array([num_tokens + 1]))
    with torch.no_grad():
        baseline.output.bias[3] = -1e4
    first = list(range(4, 4 + num_tokens))
    options = RefineOptions(iterations=1, stop="never", banned=(0, 1, 2, 3))
    return _both(decoder, heard, first, options=options, begun=begun, bounds=bounds)


class _Remembering:
    """A `TokenModel` of states that are there."""

    noisy_units = 0

    def __init__(
        self, decoder: AutoregressiveDecoder, states: torch.Tensor, present: torch.Tensor
    ) -> None:
        self.decoder = decoder
        self._memory, self._present = decoder.remember(states), present

    def remember(
        self, source: torch.Tensor, lengths: torch.Tensor, noise: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        return self._memory, self._present

    def positions(self, length: int) -> int:
        return length


def _both(
    decoder: SideBySide,
    heard: Heard,
    first: list[int],
    *,
    options: RefineOptions,
    begun: TokenStepper[Any],
    bounds: Bounds,
) -> _Pair:
    [found] = greedy_search(begun, None, bounds=bounds)
    return _Pair(
        unified=partial(refine, TorchRefiner(decoder), heard, [first], options=options),
        autoregressive=partial(greedy_search, begun, None, bounds=bounds),
        steps=len(found.log_probs),
    )
