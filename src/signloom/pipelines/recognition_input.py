"""What a recogniser is given, brought to what its model reads: clips of at most its length."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.errors import ConfigError, FormatError
from signloom.features.squares import middle
from signloom.pipelines.extraction import Camera, Extraction
from signloom.pipelines.pose_input import as_extraction, bring, nobody_seen, refuse_long
from signloom.poses.normalize import to_features
from signloom.poses.pauses import cut_utterances
from signloom.poses.pose import Pose
from signloom.runtime.recognize_settings import RecognizeSettings
from signloom.runtime.recognizer import Clip

Source = Pose | Extraction | Camera | Path | str
"""A pose, what was seen in a film, a file or folder of one of them as a path, or a camera."""
Pictures = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of a recording.

    Attributes:
        start: The frame that it begins with.
        clip: What is read.
    """

    start: int
    clip: Clip


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """A recording, ready to be recognised.

    Attributes:
        pieces: One after another in time; none where nobody is seen.
        duration_s: How long it lasts, in seconds.
        warnings: What is wrong with it, each a sentence.
    """

    pieces: tuple[Piece, ...]
    duration_s: float
    warnings: tuple[str, ...] = ()


def prepare(source: Pose | Extraction, settings: RecognizeSettings) -> Prepared:
    """Check a recording and bring it to what a model reads.

    One that is longer than the clips that the model has learned is cut where the arms hang or, if
    it must be, where the hand relaxes.

    Args:
        source: A pose, or what was seen in a film.
        settings: What the model is.

    Raises:
        ConfigError: The model looks at pictures, and there are none.
        FormatError: It is no pose, of another skeleton, or a piece of it too long.
    """
    if not isinstance(source, Pose | Extraction):
        raise FormatError(
            "A recording must be a pose, a file of one or a film, but is of the type "
            f"`{type(source).__name__}`. Make a pose of joints: signloom.Pose.of(frames)."
        )
    seen = as_extraction(source)
    pictures = _pictures_of(seen, settings)
    duration_s = seen.pose.duration_s
    if "poses" not in settings.inputs:
        refuse_long(seen.pose.num_frames, settings.max_frames, model=settings.name)
        whole = Piece(0, Clip(pictures=pictures))
        return Prepared(pieces=(whole,), duration_s=duration_s, warnings=seen.warnings)
    if seen.is_empty:
        return Prepared(pieces=(), duration_s=duration_s, warnings=nobody_seen(seen))
    is_spelled = settings.unit == "letters"
    brought = bring(seen.pose, fps=settings.fps, is_spelled=is_spelled, model=settings.name)
    features = to_features(brought.frames)
    if pictures is not None and brought.is_mirrored:
        pictures = pictures[:, :, ::-1]
    spans = _cut(brought.frames, settings)
    pieces = tuple(
        Piece(
            span.start,
            Clip(
                features[span],
                brought.confidence[span],
                None if pictures is None else pictures[span],
            ),
        )
        for span in spans
    )
    return Prepared(pieces=pieces, duration_s=duration_s, warnings=seen.warnings)


def _cut(frames: NDArray[np.float32], settings: RecognizeSettings) -> list[slice]:
    most = settings.max_frames
    wanted = min(settings.piece_frames or most, most)
    if len(frames) <= wanted:
        return [slice(0, len(frames))]
    spans = cut_utterances(frames, fps=settings.fps, most=wanted)
    for span in spans:
        rate = f" at {settings.fps:g} fps"
        refuse_long(
            span.stop - span.start, most, model=settings.name, rate=rate, cut=len(spans) > 1
        )
    # An edge of rest may be of both neighbours; a time is of one piece only.
    ends = [min(one.stop, after.start) for one, after in pairwise(spans)] + [spans[-1].stop]
    return [slice(span.start, end) for span, end in zip(spans, ends, strict=True)]


def _pictures_of(seen: Extraction, settings: RecognizeSettings) -> Pictures | None:
    if "pictures" not in settings.inputs:
        return None
    if seen.pictures is None:
        raise ConfigError(
            f"{settings.name} looks at pictures, but a pose has none. Give it the video, or a "
            "folder of its frames."
        )
    return middle(seen.pictures, side_px=settings.picture_px)
