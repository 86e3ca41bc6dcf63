"""ONNX Runtime session of a recognition package: signing in, log-probabilities of tokens out.

    recognizer   poses float32 [B, T, 150], confidence float32 [B, T, 50],
                 pictures uint8 [B, T, P, P, 3], language int64 [B], lengths int64 [B]
                 → log_probs float32 [B, T', V], out_lengths int64 [B]

Which of them it reads, `inputs` of its config says; the lengths always.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.normalize import NUM_FEATURES
from signloom.poses.skeleton import UPPER_BODY_50
from signloom.runtime.batches import similar_batches
from signloom.runtime.graphs import Shape, open_graph
from signloom.runtime.package import Package
from signloom.runtime.recognize_settings import RecognizeSettings
from signloom.runtime.step_scores import check_step_scores
from signloom.search.slots import Floats

BATCH = 16
BATCH_FRAMES = 16_384
"""Frames of a batch, padding included, beyond which fewer clips are read together."""
PIXELS_OF_A_FRAME = 256
"""Pixels that count as much as a frame of poses there."""


@dataclass(frozen=True, eq=False)
class Clip:
    """One recording as a recogniser reads it; what it does not read may be left out.

    Attributes:
        features: Features of its poses, float32 [frames, 150].
        confidence: How sure each joint is, float32 [frames, 50].
        pictures: The film, uint8 [frames, side, side, 3].
    """

    features: Floats | None = None
    confidence: Floats | None = None
    pictures: NDArray[np.uint8] | None = None

    @property
    def num_frames(self) -> int:
        """Number of frames."""
        for values in (self.features, self.pictures):
            if values is not None:
                return len(values)
        return 0


class RecognizerSession:
    """A recogniser, ready to run.

    Args:
        package: The package to run.
        threads: Threads inside one operator.

    Raises:
        PackageError: The package is of another system, or its graph does not fit.
    """

    def __init__(self, package: Package, *, threads: int = 1) -> None:
        self.package = package
        self.settings = settings = RecognizeSettings.read(package)
        names = {*settings.inputs, "lengths"}, {"log_probs", "out_lengths"}
        self._graph = open_graph(package, "recognizer", names=names, threads=threads)
        shapes: dict[str, Shape] = {name: (None, None, *self._shape(name)) for name in self._arrays}
        shapes |= {"language": (None,)} if "language" in settings.inputs else {}
        ends: dict[str, Shape] = {"lengths": (None,), "out_lengths": (None,)}
        scores: dict[str, Shape] = {"log_probs": (None, None, self.num_tokens)}
        self._graph.check_shapes(shapes | ends | scores)

    @property
    def num_tokens(self) -> int:
        """Size of the vocabulary; id 0 is the blank."""
        return len(self.package.vocabulary)

    def read(
        self,
        clips: Sequence[Clip],
        *,
        language: int = 0,
        done: Callable[[int], None] | None = None,
    ) -> list[Floats]:
        """Read clips of any lengths, batches of similar ones at a time.

        Args:
            clips: The clips.
            language: Place of their language in `settings.languages`.
            done: Told how many clips each batch has finished.

        Returns:
            Log-probabilities [steps, tokens] of each clip.

        Raises:
            FormatError: A clip lacks what is read, is too long or of another shape.
            PackageError: The graph fails, or gives what is no log-probability.
        """
        for clip in clips:
            self._check(clip)
        found: dict[int, Floats] = {}
        lengths = [clip.num_frames for clip in clips]
        for chosen in similar_batches(lengths, most_rows=BATCH, most_frames=self._batch_frames):
            rows = self._run([clips[place] for place in chosen], language)
            found.update(zip(chosen, rows, strict=True))
            if done:
                done(len(chosen))
        return [found[place] for place in range(len(clips))]

    @property
    def _arrays(self) -> tuple[str, ...]:
        """Names of the inputs that have a row a frame."""
        return tuple(name for name in self.settings.inputs if name != "language")

    @property
    def _batch_frames(self) -> int:
        weight: int = max(1, self.settings.picture_px**2 // PIXELS_OF_A_FRAME)
        return BATCH_FRAMES // weight

    def _shape(self, name: str) -> tuple[int, ...]:
        """Give the shape of one frame of an input."""
        side = self.settings.picture_px
        shapes = {
            "poses": (NUM_FEATURES,),
            "confidence": (UPPER_BODY_50.num_joints,),
            "pictures": (side, side, 3),
        }
        return shapes[name]

    def _values(self, clip: Clip, name: str) -> NDArray[Any] | None:
        values = {"poses": clip.features, "confidence": clip.confidence, "pictures": clip.pictures}
        return values[name]

    def _check(self, clip: Clip) -> None:
        name, most = self.settings.name, self.settings.max_frames
        if not 1 <= clip.num_frames <= most:
            raise FormatError(
                f"{name} reads 1 to {most} frames at once, but there are {clip.num_frames}. "
                "Cut the recording."
            )
        for array in self._arrays:
            values = self._values(clip, array)
            shape = (clip.num_frames, *self._shape(array))
            if values is None or values.shape != shape:
                found = "there are none" if values is None else f"they are {list(values.shape)}"
                raise FormatError(f"{name} reads {array} {list(shape)}, but {found}.")

    def _run(self, clips: Sequence[Clip], language: int) -> list[Floats]:
        lengths = np.array([clip.num_frames for clip in clips], dtype=np.int64)
        # Padded to a whole step, for graphs that leave out what does not fill one.
        longest = max(int(lengths.max()), self.settings.stride)
        feed: dict[str, NDArray[Any]] = {"lengths": lengths}
        for name in self._arrays:
            kind = np.uint8 if name == "pictures" else np.float32
            feed[name] = np.zeros((len(clips), longest, *self._shape(name)), dtype=kind)
            for row, clip in enumerate(clips):
                feed[name][row, : clip.num_frames] = self._values(clip, name)
        if "language" in self.settings.inputs:
            feed["language"] = np.full(len(clips), language, dtype=np.int64)
        log_probs, steps = self._graph.run(["log_probs", "out_lengths"], feed)
        check_step_scores(
            self._graph,
            log_probs,
            steps,
            rows=len(clips),
            tokens=self.num_tokens,
            frames=longest,
        )
        return [row[:end] for row, end in zip(log_probs, steps.tolist(), strict=True)]
