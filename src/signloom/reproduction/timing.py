"""Times taken fairly: in turn, in one process, on one thread; medians and deciles."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch


@dataclass(frozen=True)
class Spread:
    """How long something took, in milliseconds: the median and what lies around it."""

    p10: float
    p50: float
    p90: float

    @classmethod
    def of(cls, times_ms: list[float]) -> Spread:
        """Summarise times.

        Example:
            >>> Spread.of([3.0, 1.0, 2.0]).p50
            2.0
        """
        return cls(*(round(float(value), 4) for value in np.percentile(times_ms, [10, 50, 90])))


def interleave(
    calls: Mapping[str, Callable[[], object]], *, repeats: int, warm_up: int = 1
) -> dict[str, Spread]:
    """Time calls, one of each in turn, so that whatever slows the machine slows all of them.

    Args:
        calls: What is timed.
        repeats: Turns that count.
        warm_up: Turns before these that do not.
    """
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(warm_up + repeats):
        for name, call in calls.items():
            started = time.perf_counter()
            call()
            taken[name].append(1000 * (time.perf_counter() - started))
    return {name: Spread.of(times[warm_up:]) for name, times in taken.items()}


@contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch infer, without gradients, on one thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.inference_mode():
            yield
    finally:
        torch.set_num_threads(threads)
