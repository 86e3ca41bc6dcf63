"""How long captioners take in ONNX Runtime: the decoder alone, and a picture to its caption.

All of them are packages on one thread, a few pictures by each in turn. The decoder alone begins
with the memory of the pictures; what it writes is the same as by the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from signloom.export.caption import export_caption
from signloom.pipelines.search_options import options_of
from signloom.reproduction.timing import Spread, interleave
from signloom.reproduction.trained import Trial
from signloom.runtime.captioner import CaptionerSession
from signloom.runtime.checksums import CHECKSUMS_FILE
from signloom.runtime.package import Package, load_package
from signloom.runtime.token_session import TokenState
from signloom.search.draws import Sources
from signloom.search.groups import Grouped, GroupStepper
from signloom.search.slots import Floats, Ids
from signloom.search.tokens import Bounds, Hypothesis
from signloom.search.translation import search_batch
from signloom.systems.caption.task import CaptionTask
from signloom.tokens.targets import START
from signloom.tokens.vocabulary import Vocabulary
from signloom.training.restore import restore

REPEATS = 5
TURN = 8
"""Batches that a model captions before it is the next one's turn, so that it works with its own
weights at hand, as a process with one model does."""
Found = list[list[Hypothesis]]


@dataclass(frozen=True, kw_only=True)
class Timing:
    """A row: models timed together.

    Attributes:
        trials: Trainings by words a step; that of one word is the baseline.
        batch: Pictures at once.
        beam: Captions kept a step.
        pictures: Test pictures that are captioned.
    """

    trials: tuple[tuple[int, Trial], ...]
    batch: int
    beam: int
    pictures: int


class _Remembered:
    """A captioner that has seen its pictures already."""

    def __init__(self, session: CaptionerSession, features: Floats) -> None:
        self._session, self.group = session, session.group
        self.num_tokens, self.rows = session.num_tokens, len(features)
        self._state = session.begin(_sources(features))

    def begin(self, source: Any) -> TokenState:
        return self._session.tokens.begin(self._state.memory, self._state.lengths)

    def step(self, tokens: Ids, state: TokenState) -> tuple[Floats, TokenState]:
        return self._session.step(tokens, state)

    def reorder(self, state: TokenState, rows: Ids) -> TokenState:
        return self._session.reorder(state, rows)


def measure_speed(config: Timing, *, folder: Path) -> dict[str, Any]:
    """Time all models on the same pictures.

    Returns:
        By words a step, times of the decoder alone and with the encoder, milliseconds a picture,
        and steps of a caption.
    """
    models = {
        group: _Model(_package(trial, folder), beam=config.beam) for group, trial in config.trials
    }
    task: CaptionTask = restore(config.trials[0][1].checkpoint(folder)).task
    pictures = task.corpus.examples("test")[: config.pictures]
    features = np.stack([task.corpus.features.get(one.name).astype(np.float32) for one in pictures])
    batches = [
        features[first : first + config.batch] for first in range(0, len(features), config.batch)
    ]
    times: dict[int, dict[str, list[float]]] = {
        group: {"decoder": [], "whole": [], "steps": []} for group in models
    }
    for first in range(0, len(batches), TURN):
        for group, spent in _time(models, batches[first : first + TURN]).items():
            for name, value in spent.items():
                times[group][name].append(value)
    result: dict[str, Any] = {
        str(group): {
            "decoder_ms": asdict(Spread.of(found["decoder"])),
            "whole_ms": asdict(Spread.of(found["whole"])),
            "decoder_total_ms": sum(found["decoder"]),
            "whole_total_ms": sum(found["whole"]),
            "steps": float(np.mean(found["steps"])),
        }
        for group, found in times.items()
    }
    return {"models": result, "batch": config.batch, "beam": config.beam}


def _package(trial: Trial, folder: Path) -> Package:
    """Export a training, unless that was done."""
    place = folder / "packages" / f"caption-{trial.digest}"
    if not (place / CHECKSUMS_FILE).is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        task: CaptionTask = restore(trial.checkpoint(folder)).task
        export_caption(task, place, name=place.name, card="To take the time.\n")
    return load_package(place)


def _time(models: Mapping[int, _Model], batches: Sequence[Floats]) -> dict[int, dict[str, float]]:
    """Let every model have its turn over some batches; medians in milliseconds a picture."""
    calls: dict[str, Callable[[], object]] = {}
    steps = {}
    for group, model in models.items():
        begun = [_Remembered(model.session, batch) for batch in batches]
        calls[f"{group} decoder"] = partial(model.decode, begun)
        calls[f"{group} whole"] = partial(model.caption, batches)
        longest = [max(len(each[0].log_probs) for each in found) for found in model.decode(begun)]
        steps[group] = float(np.mean([-(-length // group) for length in longest]))
    spent, count = interleave(calls, repeats=REPEATS), sum(map(len, batches))
    return {
        group: {
            "decoder": spent[f"{group} decoder"].p50 / count,
            "whole": spent[f"{group} whole"].p50 / count,
            "steps": steps[group],
        }
        for group in models
    }


class _Model:
    """A captioner and how it searches; all of that is there before the clock starts."""

    def __init__(self, package: Package, *, beam: int) -> None:
        self.session = CaptionerSession(package)
        vocabulary = Vocabulary(package.vocabulary)
        options = options_of(vocabulary, languages=(), max_tokens=self.session.settings.max_tokens)
        [self._start] = vocabulary.encode([START])
        self._options = replace(options, beam=beam)

    def decode(self, begun: Sequence[_Remembered]) -> list[Found]:
        """Write the captions of batches that it has seen, one batch after the other."""
        return [self._search(one, None, one.rows) for one in begun]

    def caption(self, batches: Sequence[Floats]) -> list[Found]:
        """Caption batches, one after the other."""
        return [self._search(self.session, _sources(one), len(one)) for one in batches]

    def _search(self, stepper: GroupStepper[Any], source: Any, rows: int) -> Found:
        bounds = Bounds(
            starts=np.full(rows, self._start),
            end=self._options.end,
            banned=self._options.banned,
            most=np.full(rows, self._options.most),
        )
        return search_batch(Grouped(stepper), source, bounds, self._options)


def _sources(features: Floats) -> Sources:
    return Sources(features, np.full(len(features), features.shape[1]))
