"""The row without training: the training sentence that is nearest by dynamic time warping.

    distance  Σ over the cheapest alignment of |both wrists relative to the nose|, over n + m

It can say no sentence that it has not seen, which is what makes it the least that training must
reach where no gloss string is in both train and test.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.listed import ListedClips
from signloom.data.example import Example
from signloom.metrics.pose import align, frame_distances
from signloom.poses.skeleton import HEAD, LEFT_WRIST, RIGHT_WRIST
from signloom.reproduction.stamf.scoring import Errors


@dataclass(frozen=True, kw_only=True)
class Nearest:
    """A row.

    Attributes:
        reader: Name of the corpus's reader.
        path: Folder of the data.
        folds: Folds that are tested; None is the corpus's own split.
    """

    reader: str
    path: str
    folds: tuple[int | None, ...]


def measure_nearest(config: Nearest) -> dict[str, Any]:
    """Read the test clips of each fold by their nearest training clip."""
    errors = Errors()
    for fold in config.folds:
        corpus = ListedClips(config.reader, Path(config.path), fold=fold)
        # Clips that are for validation elsewhere may be read from here, too: nothing is tuned.
        known = [*corpus.examples("train"), *corpus.examples("dev")]
        tracks = [_tracks(one) for one in known]
        strings = {one.glosses for one in known}
        for example in corpus.examples("test"):
            own = _tracks(example)
            best = known[int(np.argmin([_distance(own, other) for other in tracks]))]
            errors.add(best.glosses, example, strings)
    return {"scores": {"clean: nearest": errors.to_dict()}, "steps": 0, "parameters": 0}


def _tracks(example: Example) -> NDArray[np.float32]:
    frames = example.frames
    return np.asarray(frames[:, [LEFT_WRIST, RIGHT_WRIST], :2] - frames[:, [HEAD], :2])


def _distance(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return align(frame_distances(one, other)).cost / (len(one) + len(other))
