"""The ways in which a trained transcriber reads: by CTC alone, refined, or token by token."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from signloom.data.speech.utterance import Utterance
from signloom.search.refine import RefineOptions, Stop
from signloom.systems.transcribe.task import TranscribeTask


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to read.

    Attributes:
        kind: CTC's best path; refined; or by the autoregressive decoder.
        iterations: Most passes of refinement.
        stop: When refinement ends earlier.
        beam: Of the autoregressive decoder; 1 is greedy.
        ctc_weight: What CTC counts beside it.
    """

    kind: Literal["ctc", "refined", "autoregressive"]
    iterations: int = 0
    stop: Stop = "cycle"
    beam: int = 1
    ctc_weight: float = 0.0

    @property
    def label(self) -> str:
        """What a table calls it."""
        if self.kind == "ctc":
            return "greedy CTC"
        if self.kind == "autoregressive":
            return f"beam {self.beam}, CTC {self.ctc_weight:g}" if self.beam > 1 else "greedy"
        stop = {"never": "no termination", "adaptive": "adaptive", "cycle": "cycles"}[self.stop]
        return f"J = {self.iterations}, {stop}"


CTC = Way(kind="ctc")
GREEDY = Way(kind="autoregressive")
ONCE = Way(kind="refined", iterations=1, stop="never")
TEN_NEVER, TEN_ADAPTIVE, TEN_CYCLES = (
    Way(kind="refined", iterations=10, stop=stop) for stop in ("never", "adaptive", "cycle")
)


@dataclass(frozen=True)
class Read:
    """What came of one utterance.

    Attributes:
        ids: Its tokens.
        iterations: Passes of refinement.
        is_cycle: Whether refinement came back to an earlier transcript.
    """

    ids: tuple[int, ...]
    iterations: int = 0
    is_cycle: bool = False


def read(task: TranscribeTask, utterances: Sequence[Utterance], way: Way) -> list[Read]:
    """Transcribe utterances together, in one of the ways."""
    if way.kind == "autoregressive":
        found = task.translate(utterances, beam=way.beam, ctc_weight=way.ctc_weight)
        return [Read(ids) for ids in found]
    options = RefineOptions(iterations=way.iterations, stop=way.stop, banned=task.banned)
    return [
        Read(one.ids, one.iterations, one.is_cycle)
        for _, one in task.transcribe(utterances, options)
    ]


def real_time_factor(
    task: TranscribeTask, utterances: Sequence[Utterance], way: Way, *, together: bool
) -> float:
    """Take the time that reading needs a second of sound, features and encoder included.

    Args:
        task: The trained task.
        utterances: What is read.
        way: How.
        together: All in batches, or one after the other.
    """
    seconds = sum(len(one.read()) / task.corpus.rate for one in utterances)
    groups = [utterances] if together else [[one] for one in utterances]
    started = time.perf_counter()
    for group in groups:
        read(task, group, way)
    return (time.perf_counter() - started) / seconds
