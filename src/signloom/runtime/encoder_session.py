"""What the sessions of both schedules share: the encoder and the length predictor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from signloom.poses.normalize import NUM_FEATURES
from signloom.runtime.graphs import Graph, open_graph
from signloom.runtime.package import Package
from signloom.runtime.settings import ProduceSettings
from signloom.search.slots import Floats, Ids

MAX_DEVIATIONS = 1e4
"""Largest size of a standardised feature that is a pose and no accident."""

_ENCODER = ({"tokens"}, {"memory", "length_logits"})


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


class EncoderSession:
    """The encoder of one production package; what runs the decoder builds upon it.

    Args:
        package: The package to run.
        threads: Threads inside one operator; these models are too small to gain from many.

    Raises:
        PackageError: The package is of another system, or its graphs do not fit.
    """

    def __init__(self, package: Package, *, threads: int = 1) -> None:
        self.package = package
        self.settings = ProduceSettings.read(package)
        self.schedule = self.settings.plan
        self.velocity_span = self.settings.velocity_span
        self.counter = self.settings.counter
        self.num_features = NUM_FEATURES + self.counter
        self._encoder = open_graph(package, "encoder", names=_ENCODER, threads=threads)
        self._last: Encoded | None = None
        self._encoder.check_shapes(
            {
                "tokens": (None, None),
                "memory": (None, None, *self._cache),
                "length_logits": (None, self.settings.max_frames),
            }
        )

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
        """Read each text's length in frames from the predictor's softmax.

        A model that counts tells only as it goes: it gets the longest length that there is.
        """
        if self.counter:
            return np.full(len(encoded.tokens), self.settings.max_frames, dtype=np.int64)
        logits = encoded.length_logits.astype(np.float64)
        if self.settings.length == "argmax":
            return np.asarray(logits.argmax(axis=-1) + 1, dtype=np.int64)
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        frames = weights @ np.arange(1, logits.shape[-1] + 1)
        return np.asarray(np.rint(frames), dtype=np.int64)

    def _encode_once(self, tokens: Ids) -> Encoded:
        """Encode texts unless they are those that were encoded last."""
        last = self._last
        return last if last is not None and last.tokens is tokens else self.encode(tokens)

    def _check_frames(self, frames: Floats, position: int, lengths: Ids, *, graph: Graph) -> None:
        """Refuse what is no frame, inside the rows' own lengths; a guess may lie beyond.

        Raises:
            PackageError: A number is not finite, or far from any pose.
        """
        own = np.arange(position, position + frames.shape[1]) < lengths[:, None]
        if not (np.abs(frames[own]) <= MAX_DEVIATIONS).all():
            raise graph.fault(
                f"`frames` must be numbers of at most {MAX_DEVIATIONS:g}, but some are not"
            )

    @property
    def _cache(self) -> tuple[int, int, int, int]:
        """Shape of keys and values of one frame or token, all layers."""
        settings = self.settings
        return settings.num_layers, 2, settings.num_heads, settings.head_dim
