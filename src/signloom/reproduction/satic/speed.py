"""How long captioners take in ONNX Runtime: the decoder alone, and a picture to its caption.

All of them are packages on one thread, one of each in turn. The decoder alone begins with the
memory of the pictures; what it writes is the same as by the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from signloom.search.groups import Grouped
from signloom.search.slots import Floats, Ids
from signloom.search.tokens import Bounds, Hypothesis
from signloom.search.translation import search_batch
from signloom.systems.caption.task import CaptionTask
from signloom.tokens.targets import START
from signloom.tokens.vocabulary import Vocabulary
from signloom.training.restore import restore

REPEATS = 5
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
        self.num_tokens = session.num_tokens
        lengths = np.full(len(features), features.shape[1])
        self._state = session.begin(Sources(features, lengths))

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
    packages = {group: _package(trial, folder) for group, trial in config.trials}
    task: CaptionTask = restore(config.trials[0][1].checkpoint(folder)).task
    pictures = task.corpus.examples("test")[: config.pictures]
    features = np.stack([task.corpus.features.get(one.name).astype(np.float32) for one in pictures])
    times: dict[int, dict[str, list[float]]] = {
        group: {"decoder": [], "whole": [], "steps": []} for group in packages
    }
    for first in range(0, len(features), config.batch):
        batch = features[first : first + config.batch]
        for group, spent in _time(packages, batch, beam=config.beam).items():
            for name, value in spent.items():
                times[group][name].append(value / (1 if name == "steps" else len(batch)))
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


def _time(
    packages: Mapping[int, Package], features: Floats, *, beam: int
) -> dict[int, dict[str, float]]:
    """Time every package on a batch, in turn; medians in milliseconds."""
    calls: dict[str, Callable[[], object]] = {}
    steps = {}
    for group, package in packages.items():
        session = CaptionerSession(package)
        search = _searcher(package, len(features), beam=beam)
        remembered = _Remembered(session, features)
        lengths = np.full(len(features), features.shape[1])
        calls[f"{group} decoder"] = partial(search, remembered, None)
        calls[f"{group} whole"] = partial(search, session, Sources(features, lengths))
        longest = max(len(each[0].log_probs) for each in search(remembered, None))
        steps[group] = -(-longest // group)
    spent = interleave(calls, repeats=REPEATS)
    return {
        group: {
            "decoder": spent[f"{group} decoder"].p50,
            "whole": spent[f"{group} whole"].p50,
            "steps": steps[group],
        }
        for group in packages
    }


def _searcher(package: Package, rows: int, *, beam: int) -> Callable[[Any, Any], Found]:
    """Make what searches by a stepper in a source; all else is there before the clock starts."""
    vocabulary = Vocabulary(package.vocabulary)
    options = options_of(vocabulary, languages=(), max_tokens=package.config["max_tokens"])
    [start] = vocabulary.encode([START])
    bounds = Bounds(
        starts=np.full(rows, start),
        end=options.end,
        banned=options.banned,
        most=np.full(rows, options.most),
    )
    options = replace(options, beam=beam)
    return lambda stepper, source: search_batch(Grouped(stepper), source, bounds, options)
