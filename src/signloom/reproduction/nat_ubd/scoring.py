"""What a row measures: a training, its test utterances read in several ways, errors and times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.data.speech.utterance import Utterance
from signloom.data.speech.variation import add_noise
from signloom.evaluation.bootstrap import estimate_ratio
from signloom.metrics.text import EditCounts, edit_counts
from signloom.reproduction.nat_ubd.mending import share_mended
from signloom.reproduction.nat_ubd.ways import CTC, Read, Way, read, real_time_factor
from signloom.reproduction.timing import one_thread
from signloom.reproduction.trained import Trial
from signloom.systems.transcribe.task import TranscribeTask
from signloom.training.restore import restore

NOISE_SEED = 7


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """A row.

    Attributes:
        trial: What is trained.
        ways: How its utterances are read.
        splits: Which utterances, each read apart.
        noise_db: White noise so many dB below the speech; None for none.
        timed: Utterances of the last split that are read one by one, and then together, to take the
            time; 0 = none.
        replaced: Share of true tokens that are replaced, to see how many one pass mends; 0 = none.
    """

    trial: Trial
    ways: tuple[Way, ...]
    splits: tuple[str, ...] = ("test",)
    noise_db: float | None = None
    timed: int = 0
    replaced: float = 0.0


def measure(config: Scoring, *, folder: Path) -> dict[str, Any]:
    """Train what is not there and read the utterances in every way.

    Args:
        config: The row.
        folder: Where runs lie.

    Returns:
        `scores` by split and way, steps and parameters, and what was mended.
    """
    trained = restore(config.trial.checkpoint(folder))
    task: TranscribeTask = trained.task
    scores = {}
    with one_thread():
        for split in config.splits:
            utterances = _utterances(task, split, config.noise_db)
            timed = config.timed if split == config.splits[-1] else 0
            scores[split] = {
                way.label: _measured(task, utterances, way, timed=timed) for way in config.ways
            }
        result: dict[str, Any] = {"scores": scores, "steps": trained.step}
        if config.replaced:
            test = task.corpus.examples("test")
            result["mended"] = share_mended(task, test, share=config.replaced)
    result["parameters"] = sum(one.numel() for one in task.model.parameters())
    result["unit"] = task.corpus.unit
    return result


def _utterances(task: TranscribeTask, split: str, noise_db: float | None) -> list[Utterance]:
    utterances = list(task.corpus.examples(split))
    if noise_db is None:
        return utterances
    return [noisy(one, below_db=noise_db, seed=place) for place, one in enumerate(utterances)]


def _measured(
    task: TranscribeTask, utterances: Sequence[Utterance], way: Way, *, timed: int
) -> dict[str, Any]:
    scores = score(task, utterances, read(task, utterances, way))
    if timed:
        first = utterances[:timed]
        scores["rtf"] = real_time_factor(task, first, way, together=False)
        scores["rtf_batched"] = real_time_factor(task, first, way, together=True)
    return scores


def score(
    task: TranscribeTask, utterances: Sequence[Utterance], found: Sequence[Read]
) -> dict[str, Any]:
    """Count errors: rates in percent, and what refinement took."""
    decode = task.corpus.vocabulary.decode
    counts = [
        edit_counts(decode(one.ids), utterance.tokens)
        for one, utterance in zip(found, utterances, strict=True)
    ]
    total = sum(counts, EditCounts(0, 0, 0, 0))
    whole = estimate_ratio([100 * one.errors for one in counts], [one.length for one in counts])
    return {
        "error": whole.value,
        "interval": [whole.low, whole.high],
        "substitutions": total.substitutions,
        "deletions": total.deletions,
        "insertions": total.insertions,
        "length": total.length,
        "utterances": len(counts),
        "iterations": float(np.mean([one.iterations for one in found])),
        "cycles": float(np.mean([100 * one.is_cycle for one in found])),
        "counts": [
            [one.substitutions, one.deletions, one.insertions, one.length] for one in counts
        ],
    }


def noisy(utterance: Utterance, *, below_db: float, seed: int) -> Utterance:
    """Add white noise to an utterance, the same each time it is read."""

    def listen() -> NDArray[np.float32]:
        rng = np.random.default_rng([NOISE_SEED, seed])
        return add_noise(utterance.read(), rng, below_db=below_db)

    return replace(utterance, read=listen)


def reduction(scores: dict[str, Any], label: str) -> float:
    """Give by how much a way reduces the errors of greedy CTC, in percent (CERR).

    Args:
        scores: Of one split, by way.
        label: The way.
    """
    first = scores[CTC.label]["error"]
    return 100 * (first - scores[label]["error"]) / first if first else 0.0
