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
from signloom.decoders.refinement import SideBySide
from signloom.decoders.refinement_adapter import Heard, TorchRefiner
from signloom.decoders.token_adapter import TokenState, TorchTokenStepper
from signloom.reproduction.grid import Grid
from signloom.reproduction.plan import Report
from signloom.reproduction.timing import Spread, interleave, one_thread
from signloom.reproduction.trained import Trial
from signloom.search.draws import Sources
from signloom.search.greedy import greedy_search
from signloom.search.refine import RefineOptions, refine
from signloom.search.slots import Floats, Ids
from signloom.search.tokens import Bounds, Scores
from signloom.systems.transcribe.baseline import Baseline
from signloom.systems.transcribe.config import TranscribeConfig
from signloom.systems.transcribe.model import TranscribeModel
from signloom.systems.transcribe.task import TranscribeTask
from signloom.tokens.targets import never_written
from signloom.training.restore import restore

REPEATS = 5
NUM_FRAMES = 400
"""Four seconds of speech."""
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
        return replace(self._state, cache=torch.empty_like(self._state.cache))

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
    [first], heard = unified.hear(unified.collate([utterance]))
    features = baseline.listener.hear(utterance)
    bounds = Bounds(
        starts=np.array([baseline.start]),
        end=baseline.end,
        banned=never_written(baseline.corpus.vocabulary, ()),
        most=np.array([baseline.model.positions(len(features)) + 1]),
    )
    return _both(
        partial(refine, unified.refiner, heard, [first], options=_once(unified.banned)),
        baseline=baseline.model,
        features=features,
        bounds=bounds,
    )


def _random_pair(num_tokens: int) -> _Pair:
    """Make both of the paper's size with random weights, over four seconds of speech."""
    torch.manual_seed(0)
    paper = TranscribeConfig()
    scale = {"mean": torch.zeros(NUM_FEATURES), "std": torch.ones(NUM_FEATURES)}
    unified = TranscribeModel(paper, VOCABULARY, **scale).eval()
    baseline = TranscribeModel(replace(paper, decoder="autoregressive"), VOCABULARY, **scale).eval()
    features = torch.randn(1, NUM_FRAMES, NUM_FEATURES)
    decoder = unified.decoder
    if not isinstance(decoder, SideBySide):
        raise TypeError("The default must be a refinement decoder.")
    heard = Heard(*unified.remember(features, torch.tensor([NUM_FRAMES])))
    # The end is never likely enough: every transcript has all its tokens.
    bounds = Bounds(starts=np.array([2]), end=3, banned=(0, 1, 2), most=np.array([num_tokens + 1]))
    with torch.no_grad():
        baseline.decoder.get_parameter("output.bias")[bounds.end] = -1e4
    first = list(range(4, 4 + num_tokens))
    return _both(
        partial(refine, TorchRefiner(decoder), heard, [first], options=_once((0, 1, 2, 3))),
        baseline=baseline,
        features=features[0].numpy(),
        bounds=bounds,
    )


def _once(banned: tuple[int, ...]) -> RefineOptions:
    return RefineOptions(iterations=1, stop="never", banned=banned)


def _both(
    unified: Callable[[], object], *, baseline: TranscribeModel, features: Floats, bounds: Bounds
) -> _Pair:
    stepper = TorchTokenStepper(Baseline(baseline))
    source = Sources(features[None], np.array([len(features)]))
    begun = _Begun(stepper, stepper.begin(source))
    [found] = greedy_search(begun, None, bounds=bounds)
    return _Pair(
        unified=unified,
        autoregressive=partial(greedy_search, begun, None, bounds=bounds),
        steps=len(found.log_probs),
    )
