"""ONNX Runtime sessions of a transcription package: an ear, and a `Refiner` for `search.refine`.

    encoder   features float32 [B, F, D], lengths int64 [B]
              → memory float32 [B, S, L, 2, H, Dh], log_probs float32 [B, S, V],
                out_lengths int64 [B]
    decoder   tokens int64 [B, T], lengths int64 [B], memory float32 [B, S, L, 2, H, Dh],
              steps int64 [B]
              → logits float32 [R, B, T, V]

The memory holds the keys and values of every decoder layer, so that a pass computes none of them
again. R is 2 where one decoder reads forwards and another backwards, and 1 otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.features.acoustic import Acoustics
from signloom.runtime.batches import similar_batches
from signloom.runtime.graphs import Shape, open_graph
from signloom.runtime.package import Package
from signloom.runtime.step_scores import check_step_scores
from signloom.runtime.transcribe_settings import TranscribeSettings
from signloom.search.slots import Floats, Ids

BATCH = 16
BATCH_FRAMES = 2048
"""Frames of a batch, padding included, beyond which fewer passages are heard together: the first
convolution of the published size takes 42 kB of each."""
MAX_LOGIT = 1e30


@dataclass(frozen=True, eq=False)
class Memory:
    """What decoders remember of the sound; one row a transcript.

    Attributes:
        values: Keys and values of each step and layer [rows, steps, layers, 2, heads, size].
        steps: Steps of each row [rows].
    """

    values: Floats
    steps: Ids


@dataclass(frozen=True, eq=False)
class Heard:
    """What the encoder makes of a batch of passages.

    Attributes:
        places: Which of the passages given they are.
        log_probs: Natural log-probabilities of tokens [steps, tokens] of each; id 0 is the blank.
        memory: What their decoders remember.
    """

    places: tuple[int, ...]
    log_probs: tuple[Floats, ...]
    memory: Memory


class TranscriberSession:
    """A transcriber, ready to run.

    Args:
        package: The package to run.
        threads: Threads inside one operator.

    Attributes:
        acoustics: How sound becomes the features that it hears.

    Raises:
        PackageError: The package is of another system, or its graphs do not fit.
    """

    def __init__(self, package: Package, *, threads: int = 1) -> None:
        self.package = package
        self.settings = settings = TranscribeSettings.read(package)
        self.acoustics = Acoustics(
            rate=settings.rate, num_mels=settings.num_mels, pitch=settings.pitch
        )
        names = {"features", "lengths"}, {"memory", "log_probs", "out_lengths"}
        self._encoder = open_graph(package, "encoder", names=names, threads=threads)
        names = {"tokens", "lengths", "memory", "steps"}, {"logits"}
        self._decoder = open_graph(package, "decoder", names=names, threads=threads)
        self._check_shapes()

    @property
    def num_tokens(self) -> int:
        """Size of the vocabulary; id 0 is padding and blank."""
        return len(self.package.vocabulary)

    def listen(self, features: Sequence[Floats]) -> Iterator[Heard]:
        """Hear passages of any lengths, batches of similar ones at a time.

        Args:
            features: What `acoustics` gives of each [frames, features], at least one frame.

        Yields:
            Each batch as soon as it is heard.

        Raises:
            FormatError: A passage has no frame, too many, or other features.
            PackageError: The graph fails, or gives what no search can go on with.
        """
        for one in features:
            self._check(one)
        lengths = [len(one) for one in features]
        for chosen in similar_batches(lengths, most_rows=BATCH, most_frames=BATCH_FRAMES):
            log_probs, memory = self._hear([features[place] for place in chosen])
            rows = zip(log_probs, memory.steps.tolist(), strict=True)
            yield Heard(tuple(chosen), tuple(row[:end] for row, end in rows), memory)

    def predict(self, tokens: Ids, lengths: Ids, state: Memory) -> Floats:
        """Score every token of each place, given the others and the sound.

        Args:
            tokens: Transcripts, padded with 0 [rows, slots].
            lengths: Tokens of each [rows].
            state: What is remembered of their sound.

        Returns:
            Logits [readers, rows, slots, tokens].

        Raises:
            PackageError: The graph fails, or gives what is no score.
        """
        feed: dict[str, NDArray[Any]] = {
            "tokens": tokens,
            "lengths": lengths,
            "memory": state.values,
            "steps": state.steps,
        }
        shape = (self.settings.readers, *tokens.shape, self.num_tokens)
        [logits] = self._decoder.run(["logits"], feed, shapes=[shape])
        # What lies beyond a row's end is never looked at, and may be anything.
        inside = np.arange(tokens.shape[1]) < lengths[:, None]
        if not (np.abs(logits[:, inside]) <= MAX_LOGIT).all():
            raise self._decoder.fault(
                f"`logits` must be finite, at most {MAX_LOGIT:g}, but are not"
            )
        scores: Floats = logits
        return scores

    def take(self, state: Memory, rows: Ids) -> Memory:
        """Take rows over, with what is remembered of them."""
        return Memory(state.values[rows], state.steps[rows])

    def _hear(self, features: Sequence[Floats]) -> tuple[Floats, Memory]:
        lengths = np.array([len(one) for one in features], dtype=np.int64)
        # Padded to a whole step, for graphs that leave out what does not fill one.
        longest = max(int(lengths.max()), self.settings.stride)
        shape = (len(features), longest, self.acoustics.num_features)
        padded = np.zeros(shape, dtype=np.float32)
        for row, one in enumerate(features):
            padded[row, : len(one)] = one
        feed: dict[str, NDArray[Any]] = {"features": padded, "lengths": lengths}
        names = ["memory", "log_probs", "out_lengths"]
        memory, log_probs, steps = self._encoder.run(names, feed)
        rows = len(features)
        check_step_scores(
            self._encoder, log_probs, steps, rows=rows, tokens=self.num_tokens, frames=longest
        )
        stride = self.settings.stride
        if not ((lengths // stride <= steps) & (steps <= -(-lengths // stride))).all():
            raise self._encoder.fault(
                f"`out_lengths` must be a step for every {stride} frames, but are {steps.tolist()} "
                f"for {lengths.tolist()}"
            )
        wanted = (*log_probs.shape[:2], *self._layout)
        if memory.shape != wanted:
            raise self._encoder.fault(
                f"`memory` must be {list(wanted)}, but is {list(memory.shape)}"
            )
        if not np.isfinite(memory).all():
            raise self._encoder.fault("`memory` must be finite, but is not")
        return log_probs, Memory(memory, steps)

    def _check(self, features: Floats) -> None:
        name, most, wide = self.settings.name, self.settings.max_frames, self.acoustics.num_features
        if features.ndim != 2 or features.shape[1] != wide:
            raise FormatError(
                f"{name} hears features [frames, {wide}], but they are {list(features.shape)}."
            )
        if not 1 <= len(features) <= most:
            raise FormatError(
                f"{name} hears 1 to {most} frames of 10 ms at once, but there are "
                f"{len(features)}. Cut the recording."
            )

    @property
    def _layout(self) -> tuple[int, int, int, int]:
        """Shape of keys and values of one step, all layers."""
        settings = self.settings
        return settings.num_layers, 2, settings.num_heads, settings.head_dim

    def _check_shapes(self) -> None:
        memory: dict[str, Shape] = {"memory": (None, None, *self._layout), "lengths": (None,)}
        heard: dict[str, Shape] = {
            "features": (None, None, self.acoustics.num_features),
            "log_probs": (None, None, self.num_tokens),
            "out_lengths": (None,),
        }
        self._encoder.check_shapes(memory | heard)
        read: dict[str, Shape] = {
            "tokens": (None, None),
            "steps": (None,),
            "logits": (self.settings.readers, None, None, self.num_tokens),
        }
        self._decoder.check_shapes(memory | read)
