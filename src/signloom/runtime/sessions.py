"""ONNX Runtime sessions of a production package, as a stepper for `signloom.search.blocks`.

The self-attention cache is allocated once a sentence, time first: what a pass may see is a prefix
of it and so is handed over without a copy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from signloom.poses.normalize import NUM_FEATURES
from signloom.runtime.graphs import open_graph
from signloom.runtime.package import Package
from signloom.runtime.settings import ProduceSettings

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

MAX_DEVIATIONS = 1e4
"""Largest size of a standardised feature that is a pose and no accident."""

_ENCODER = ({"tokens"}, {"memory", "length_logits"})
_STEP = (
    {"tokens", "memory", "window", "position", "lengths", "past"},
    {"frames", "new"},
)


@dataclass(frozen=True, eq=False)
class Encoded:
    """Texts after the encoder.

    Attributes:
        tokens: Ids [batch, tokens], padded with 0.
        memory: Cross-attention keys and values [batch, tokens, layers, 2, heads, head_dim].
        length_logits: Scores of each length [batch, max_frames]; class i means i + 1 frames.
    """

    tokens: Ids
    memory: Floats
    length_logits: Floats


@dataclass
class StepState:
    """What a pass needs of the passes before it; a step moves it on in place."""

    encoded: Encoded
    lengths: Ids
    cache: Floats
    position: int = 0


class ProduceSession:
    """Encoder and decoder step of one production package; a `BlockStepper` on ONNX Runtime.

    Args:
        package: The package to run.
        threads: Threads inside one operator; these models are too small to gain from many.

    Raises:
        PackageError: The package is of another system, or its graphs do not fit.
    """

    num_features = NUM_FEATURES

    def __init__(self, package: Package, *, threads: int = 1) -> None:
        self.package = package
        self.settings = ProduceSettings.read(package)
        self.shift = self.settings.shift
        self.block = self.settings.block
        self.velocity_span = self.settings.velocity_span
        self._encoder = open_graph(package, "encoder", names=_ENCODER, threads=threads)
        self._step = open_graph(package, "step", names=_STEP, threads=threads)
        self._check_shapes()
        self._last: Encoded | None = None

    def encode(self, tokens: Ids) -> Encoded:
        """Run the encoder over ids [batch, tokens], padded with 0.

        Raises:
            PackageError: The graph fails, or gives what is no score of lengths.
        """
        memory, logits = self._encoder.run(
            ["memory", "length_logits"],
            {"tokens": tokens},
            shapes=[(*tokens.shape, *self._cache), (len(tokens), self.settings.max_frames)],
        )
        if not np.isfinite(logits).all():
            raise self._encoder.fault("`length_logits` must be finite, but hold NaN or infinity")
        self._last = Encoded(tokens, memory, logits)
        return self._last

    def predict_lengths(self, encoded: Encoded) -> Ids:
        """Read each text's length in frames from the predictor's softmax."""
        logits = encoded.length_logits.astype(np.float64)
        if self.settings.length == "argmax":
            return np.asarray(logits.argmax(axis=-1) + 1, dtype=np.int64)
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        frames = weights @ np.arange(1, logits.shape[-1] + 1)
        return np.asarray(np.rint(frames), dtype=np.int64)

    def begin(self, tokens: Ids, lengths: Ids) -> StepState:
        """Allocate the cache for texts to be decoded to `lengths` frames.

        The texts that were encoded last are not encoded again.
        """
        last = self._last
        encoded = last if last is not None and last.tokens is tokens else self.encode(tokens)
        cache = np.empty((int(lengths.max()), len(tokens), *self._cache), dtype=np.float32)
        return StepState(encoded, lengths, cache)

    def step(self, window: Floats, state: StepState) -> tuple[Floats, StepState]:
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
            shapes=[(batch, slots, NUM_FEATURES), (slots, batch, *self._cache)],
        )
        end = state.position + slots
        own = np.arange(state.position, end) < state.lengths[:, None]
        if not (np.abs(frames[own]) <= MAX_DEVIATIONS).all():
            raise self._step.fault(
                f"`frames` must be numbers of at most {MAX_DEVIATIONS:g}, but some are not"
            )
        state.cache[state.position : end] = new
        state.position = end
        return frames, state

    def _check_shapes(self) -> None:
        memory = (None, None, *self._cache)
        self._encoder.check_shapes(
            {
                "tokens": (None, None),
                "memory": memory,
                "length_logits": (None, self.settings.max_frames),
            }
        )
        self._step.check_shapes(
            {
                "tokens": (None, None),
                "memory": memory,
                "window": (None, None, NUM_FEATURES),
                "position": (),
                "lengths": (None,),
                "past": memory,
                "frames": (None, None, NUM_FEATURES),
                "new": memory,
            }
        )

    @property
    def _cache(self) -> tuple[int, int, int, int]:
        """Shape of keys and values of one frame or token, all layers."""
        settings = self.settings
        return settings.num_layers, 2, settings.num_heads, settings.head_dim
