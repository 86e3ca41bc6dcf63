"""What a row measures: trainings, their test clips read in several ways, and the errors of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from signloom.data.example import Example
from signloom.evaluation.bootstrap import estimate_ratio
from signloom.metrics.text import EditCounts, edit_counts
from signloom.reproduction.stamf.spoiling import Spoiling
from signloom.reproduction.trained import Trial
from signloom.search.ctc import greedy
from signloom.search.ctc_beam import Fusion, ctc_beam
from signloom.search.ngram import NgramModel, count
from signloom.systems.recognize.task import RecognizeTask
from signloom.tokens.vocabulary import Vocabulary
from signloom.training.restore import restore

Search = Literal["greedy", "beam", "beam with language model"]
SEARCHES: tuple[Search, ...] = ("greedy", "beam", "beam with language model")
NGRAM_ORDER = 3


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """A row: what is trained and how its test clips are read.

    Attributes:
        trials: One training, or one a fold; their test clips are put together.
        spoilings: What is done to the clips; each is read apart.
        searches: How log-probabilities are read.
        beam: Beginnings kept.
        language_model_weight: What the language model counts.
        insertion_bonus: What is added for each token beside it.
    """

    trials: tuple[Trial, ...]
    spoilings: tuple[Spoiling, ...] = (Spoiling(),)
    searches: tuple[Search, ...] = ("greedy",)
    beam: int = 10
    language_model_weight: float = 0.5
    insertion_bonus: float = 1.0


@dataclass
class Errors:
    """Errors of one way of reading, a clip each.

    Attributes:
        counts: Errors of each clip, in the order of folds and clips.
        seen: Whether training had a clip of the same glosses.
    """

    counts: list[EditCounts] = field(default_factory=list)
    seen: list[bool] = field(default_factory=list)

    def add(self, read: Sequence[str], example: Example, known: set[tuple[str, ...]]) -> None:
        """Count a clip; a gloss that the vocabulary lacks is an error however it is read."""
        signed = example.glosses or example.tokens
        self.counts.append(edit_counts(read, signed))
        self.seen.append(signed in known)

    def to_dict(self) -> dict[str, Any]:
        """Give rates in percent, seen and unseen gloss strings apart, and the clips' counts."""
        total = sum(self.counts, EditCounts(0, 0, 0, 0))
        errors, lengths = [one.errors for one in self.counts], [one.length for one in self.counts]
        whole = estimate_ratio([100 * one for one in errors], lengths)
        return {
            "wer": whole.value,
            "interval": [whole.low, whole.high],
            "substitutions": total.substitutions,
            "deletions": total.deletions,
            "insertions": total.insertions,
            "length": total.length,
            "clips": len(self.counts),
            "seen": self._rate(wanted=True),
            "unseen": self._rate(wanted=False),
            "counts": [
                [one.substitutions, one.deletions, one.insertions, one.length]
                for one in self.counts
            ],
        }

    def _rate(self, *, wanted: bool) -> dict[str, Any]:
        chosen = [one for one, seen in zip(self.counts, self.seen, strict=True) if seen is wanted]
        total = sum(chosen, EditCounts(0, 0, 0, 0))
        return {"clips": len(chosen), "wer": 100 * total.rate if chosen else None}


def read_counts(scores: dict[str, Any]) -> list[EditCounts]:
    """Give the errors of each clip back, for paired tests."""
    return [EditCounts(*row) for row in scores["counts"]]


def measure(config: Scoring, *, folder: Path) -> dict[str, Any]:
    """Train what is not there and read the test clips in every way.

    Args:
        config: The row.
        folder: Where runs lie.

    Returns:
        `scores` by spoiling and search, steps and parameters.
    """
    found = {
        (spoiling.label, search): Errors()
        for spoiling in config.spoilings
        for search in config.searches
    }
    num_parameters = steps = 0
    for trial in config.trials:
        trained = restore(trial.checkpoint(folder))
        task: RecognizeTask = trained.task
        steps = trained.step
        num_parameters = sum(one.numel() for one in task.model.parameters())
        known = {one.glosses or one.tokens for one in task.corpus.examples("train")}
        examples = task.corpus.examples("test")
        for spoiling in config.spoilings:
            log_probs = task.log_probs([spoiling.spoil(one) for one in examples])
            for search in config.searches:
                read = read_all(log_probs, task, search, config)
                for tokens, example in zip(read, examples, strict=True):
                    found[spoiling.label, search].add(tokens, example, known)
    scores = {f"{what}: {how}": errors.to_dict() for (what, how), errors in found.items()}
    return {"scores": scores, "steps": steps, "parameters": num_parameters}


def read_all(
    log_probs: Sequence[NDArray[np.float32]], task: RecognizeTask, search: Search, config: Scoring
) -> list[tuple[str, ...]]:
    """Read clips by one of the searches."""
    vocabulary = task.corpus.vocabulary
    lengths = np.array([len(rows) for rows in log_probs])
    padded = np.zeros((len(log_probs), lengths.max(), len(vocabulary)), dtype=np.float32)
    for row, rows in zip(padded, log_probs, strict=True):
        row[: len(rows)] = rows
    if search == "greedy":
        ids = greedy(padded, lengths)
    else:
        fusion = Fusion()
        if search != "beam":
            fusion = Fusion(
                model=language_model(task, vocabulary),
                weight=config.language_model_weight,
                bonus=config.insertion_bonus,
            )
        found = ctc_beam(padded, lengths, beam=config.beam, fusion=fusion)
        ids = [list(best[0].ids) for best in found]
    return [tuple(vocabulary.decode(row)) for row in ids]


def language_model(task: RecognizeTask, vocabulary: Vocabulary) -> NgramModel:
    """Count the n-grams of the training sentences."""
    sentences = [vocabulary.encode(one.tokens) for one in task.corpus.examples("train")]
    return NgramModel.of(count(sentences, NGRAM_ORDER), len(vocabulary))
