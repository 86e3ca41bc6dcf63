"""ONNX Runtime sessions of a production package, as a stepper for `signloom.search.blocks`.

The self-attention cache is allocated once a sentence, time first: what a pass may see is a prefix
of it and so is handed over without a copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime

from signloom.errors import PackageError
from signloom.poses.normalize import NUM_FEATURES
from signloom.runtime.package import Package
from signloom.runtime.settings import ProduceSettings

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

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
        self._last: Encoded | None = None

    def encode(self, tokens: Ids) -> Encoded:
        """Run the encoder over ids [batch, tokens], padded with 0."""
        memory, logits = self._encoder.run(["memory", "length_logits"], {"tokens": tokens})
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
        settings = self.settings
        shape = (settings.num_layers, 2, settings.num_heads, settings.head_dim)
        cache = np.empty((int(lengths.max()), len(tokens), *shape), dtype=np.float32)
        return StepState(encoded, lengths, cache)

    def step(self, window: Floats, state: StepState) -> tuple[Floats, StepState]:
        """Decode the next slots from a window [batch, velocity_span + slots, features]."""
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
        )
        end = state.position + len(new)
        state.cache[state.position : end] = new
        state.position = end
        return frames, state


def open_graph(
    package: Package, name: str, *, names: tuple[set[str], set[str]], threads: int = 1
) -> Any:
    """Open one graph of a package for fast start and little memory.

    Args:
        package: The package.
        name: Which graph, without suffix.
        names: Inputs and outputs that it must have.
        threads: Threads inside one operator.

    Raises:
        PackageError: The graph is missing, unreadable, or has other inputs or outputs.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Fusing further costs more at start (45 ms) than it gains in decoding (nothing measurable).
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = onnxruntime.InferenceSession(
            package.graph(name), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # ONNX Runtime's own have no other common root
        reason = " ".join(str(error).split())
        raise PackageError(f"`{name}.onnx` of {package.path} cannot be run: {reason}") from error
    inputs = {value.name for value in session.get_inputs()}
    outputs = {value.name for value in session.get_outputs()}
    if (inputs, outputs) != names:
        raise PackageError(
            f"`{name}.onnx` of {package.path} must take {sorted(names[0])} and give "
            f"{sorted(names[1])}, but takes {sorted(inputs)} and gives {sorted(outputs)}."
        )
    return session
