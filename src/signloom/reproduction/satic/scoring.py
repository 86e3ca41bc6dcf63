"""What a row measures: a training, and its captions of the test pictures by each search."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from signloom.evaluation.captions import score_captions
from signloom.metrics.captions import repeat_rates
from signloom.reproduction.timing import one_thread
from signloom.reproduction.trained import Trial
from signloom.systems.caption.task import CaptionTask
from signloom.training.restore import restore


@dataclass(frozen=True, kw_only=True)
class Search:
    """How captions are looked for.

    Attributes:
        beam: Captions kept a step.
        suppress: Whether repeats are suppressed.
    """

    beam: int
    suppress: bool = True

    @property
    def label(self) -> str:
        """What a table calls it."""
        how = "greedy" if self.beam == 1 else f"beam {self.beam}"
        return how if self.suppress else f"{how}, repeats allowed"


@dataclass(frozen=True, kw_only=True)
class Captioned:
    """A row.

    Attributes:
        trial: What is trained; None for what people say, each of the others its reference.
        searches: How its captions are looked for.
    """

    trial: Trial
    searches: tuple[Search, ...]


def measure(config: Captioned, *, folder: Path) -> dict[str, Any]:
    """Train what is not there, and caption the test pictures by every search.

    Args:
        config: The row.
        folder: Where runs lie.

    Returns:
        `scores` by search, in percent, steps, parameters, and how often people repeat themselves.
    """
    trained = restore(config.trial.checkpoint(folder))
    task: CaptionTask = trained.task
    with one_thread():
        scores = {one.label: _score(task, one) for one in config.searches}
    people = [words for one in task.corpus.examples("test") for words in one.tokens]
    return {
        "scores": scores,
        "group": task.group,
        "steps": trained.step,
        "parameters": sum(one.numel() for one in task.model.parameters()),
        "people_repeat": [100 * one for one in repeat_rates(people)],
    }


def _score(task: CaptionTask, search: Search) -> dict[str, Any]:
    pictures = task.corpus.examples("test")
    found = task.caption(pictures, beam=search.beam, suppress=search.suppress)
    captions = [task.words(best[0]) for best in found]
    scores = score_captions(captions, [one.tokens for one in pictures])
    whole = scores["cider_d"]
    return {
        **scores,
        "cider_d": whole.value,
        "interval": [whole.low, whole.high],
        "unfinished": sum(not best[0].finished for best in found),
    }
