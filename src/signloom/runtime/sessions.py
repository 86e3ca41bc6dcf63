"""ONNX Runtime sessions of a production package, as a stepper for `signloom.search.blocks`.

The self-attention cache is allocated once a sentence, time first: what a pass may see is a prefix
of it and so is handed over without a copy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from signloom.runtime.encoder_session import Encoded, EncoderSession
from signloom.runtime.graphs import open_graph
from signloom.runtime.injected_session import InjectedSession
from signloom.runtime.package import Package
from signloom.runtime.settings import ProduceSettings
from signloom.search.slots import Floats, Ids

_STEP = (
    {"tokens", "memory", "window", "position", "lengths", "past"},
    {"frames", "new"},
)


@dataclass
class StepState:
    """What a pass needs of the passes before it; a step moves it on in place."""

    encoded: Encoded
    lengths: Ids
    cache: Floats
    position: int = 0


class ProduceSession(EncoderSession):
    """Encoder and decoder step of one production package; a `BlockStepper` on ONNX Runtime.

    Args:
        package: The package to run, of the schedule `block`.
        threads: Threads inside one operator; these models are too small to gain from many.

    Raises:
        PackageError: The package is of another system, or its graphs do not fit.
    """

    def __init__(self, package: Package, *, threads: int = 1) -> None:
        super().__init__(package, threads=threads)
        self._step = open_graph(package, "step", names=_STEP, threads=threads)
        memory = (None, None, *self._cache)
        self._step.check_shapes(
            {
                "tokens": (None, None),
                "memory": memory,
                "window": (None, None, self.num_features),
                "position": (),
                "lengths": (None,),
                "past": memory,
                "frames": (None, None, self.num_features),
                "new": memory,
            }
        )

    def begin(self, tokens: Ids, lengths: Ids) -> StepState:
        """Allocate the cache for texts to be decoded to `lengths` frames.

        The texts that were encoded last are not encoded again.
        """
        encoded = self._encode_once(tokens)
        cache = np.empty((int(lengths.max()), len(tokens), *self._cache), dtype=np.float32)
        return StepState(encoded, lengths, cache)

    def step(self, window: Floats, state: StepState, *, keep: int) -> tuple[Floats, StepState]:
        """Decode the next slots from a window [batch, velocity_span + slots, features].

        Raises:
            PackageError: The graph fails, or gives what is no frame.
        """
        batch, slots = len(window), window.shape[1] - self.velocity_span
        frames, new = self._step.run(
            ["frames", "new"],
            {
                "tokens": state.encoded.tokens,
                "memory": state.encoded.memory,
                "window": window,
                "position": np.array(state.position, dtype=np.int64),
                "lengths": state.lengths,
                "past": state.cache[: state.position],
            },
            shapes=[(batch, slots, self.num_features), (slots, batch, *self._cache)],
        )
        frames = frames[:, :keep]
        self._check_frames(frames, state.position, state.lengths, graph=self._step)
        end = state.position + keep
        state.cache[state.position : end] = new[:keep]
        state.position = end
        return frames, state


def open_session(package: Package, *, threads: int = 1) -> ProduceSession | InjectedSession:
    """Open a production package by the session that its schedule asks for.

    Args:
        package: The package to run.
        threads: Threads inside one operator.

    Raises:
        PackageError: The package is of another system, or its graphs do not fit.
    """
    if ProduceSettings.read(package).schedule == "injected":
        return InjectedSession(package, threads=threads)
    return ProduceSession(package, threads=threads)
