"""The judge of fingerspelling: a frozen recogniser package that reads poses back to letters.

It says whether the model's letters are told apart as its corpus's are. It says nothing about
whether a person could read them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from signloom.errors import PackageError
from signloom.poses.normalize import NUM_FEATURES, to_features
from signloom.runtime.graphs import open_graph
from signloom.runtime.package import Package, load_package
from signloom.search.ctc import greedy

_NAMES = ({"poses", "lengths"}, {"log_probs", "out_lengths"})
_BATCH = 16


class Judge:
    """A recogniser, ready to read.

    Args:
        package: Name or folder of a package of the system `recognize`, or the package itself.

    Raises:
        PackageError: It is unknown, damaged, or of another system.
    """

    def __init__(self, package: Package | str | Path) -> None:
        self.package = package if isinstance(package, Package) else load_package(package)
        if self.package.system != "recognize":
            raise PackageError(
                f"The judge must be a package of the system `recognize`, but {self.package.name} "
                f"is one of `{self.package.system}`. Give it as the model under test instead."
            )
        self._session = open_graph(self.package, "recognizer", names=_NAMES)

    @property
    def signature(self) -> str:
        """One short line that says which judge this is: results of two are not comparable.

        The sum is over what reads, graph and vocabulary; the card may change.
        """
        content = self.package.graph("recognizer") + json.dumps(self.package.vocabulary).encode()
        return f"ctc:{self.package.name}+sha:{hashlib.sha256(content).hexdigest()[:8]}"

    def read(self, poses: Sequence[npt.NDArray[np.float32]]) -> list[tuple[str, ...]]:
        """Read positions [frames, 50, 3] back to tokens, by greedy CTC search."""
        order = sorted(range(len(poses)), key=lambda index: len(poses[index]))
        found: dict[int, tuple[str, ...]] = {}
        for first in range(0, len(order), _BATCH):
            chosen = order[first : first + _BATCH]
            for index, ids in zip(chosen, self._read([poses[one] for one in chosen]), strict=True):
                found[index] = tuple(self.package.vocabulary[one] for one in ids)
        return [found[index] for index in range(len(poses))]

    def _read(self, poses: Sequence[npt.NDArray[np.float32]]) -> list[list[int]]:
        lengths = np.array([len(frames) for frames in poses], dtype=np.int64)
        features = np.zeros((len(poses), lengths.max(), NUM_FEATURES), dtype=np.float32)
        for row, frames in enumerate(poses):
            features[row, : len(frames)] = to_features(frames)
        log_probs, steps = self._session.run(
            ["log_probs", "out_lengths"], {"poses": features, "lengths": lengths}
        )
        return greedy(log_probs, steps)
