"""Poses from anywhere, brought to what a model was trained on: rate, joints, the hand that spells.

Joints that were not seen are put in by `poses.completion`; how sure each was goes along.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.features.frames import MAX_FRAMES
from signloom.pipelines.extraction import Extraction
from signloom.poses.completion import complete
from signloom.poses.mirror import SWAPPED, mirror
from signloom.poses.pauses import is_left_handed
from signloom.poses.pose import Pose
from signloom.poses.retime import resample
from signloom.poses.skeleton import UPPER_BODY_50


@dataclass(frozen=True, eq=False)
class Brought:
    """A pose as a model reads it.

    Attributes:
        frames: Every joint in every frame, float32 [frames, 50, 3].
        confidence: How sure each was, 0 where it was put in, float32 [frames, 50].
        is_mirrored: Whether left and right were swapped.
    """

    frames: NDArray[np.float32]
    confidence: NDArray[np.float32]
    is_mirrored: bool


def as_extraction(source: Pose | Extraction) -> Extraction:
    """Take a pose as if it had been seen in a film."""
    return Extraction(source) if isinstance(source, Pose) else source


def nobody_seen(seen: Extraction) -> tuple[str, ...]:
    """Give the warnings of a recording in which there is nobody; one that says so among them."""
    return seen.warnings or ("Nobody is seen: no joint has a confidence above 0 in any frame.",)


def bring(pose: Pose, *, fps: float, is_spelled: bool, model: str) -> Brought:
    """Bring a pose to a frame rate, put in what is missing, and turn a left-handed speller round.

    Args:
        pose: Any pose of our 50 joints.
        fps: Frames per second of the model.
        is_spelled: Whether letters are read, which models learn of right hands.
        model: What messages call it.

    Raises:
        FormatError: It is of another skeleton or too long.
    """
    if pose.skeleton != UPPER_BODY_50:
        raise FormatError(
            f"Poses of {UPPER_BODY_50.name} can be read, but this one is of {pose.skeleton.name}. "
            "Map its joints first."
        )
    count = round(pose.num_frames * fps / pose.fps)
    refuse_long(count, MAX_FRAMES, model=model, rate=f" at {fps:g} fps")
    frames = resample(complete(pose), fps).frames
    confidence = resample(pose, fps).confidence
    if is_spelled and is_left_handed(frames):
        return Brought(mirror(frames), confidence[:, SWAPPED], is_mirrored=True)
    return Brought(frames, confidence, is_mirrored=False)


def refuse_long(count: int, most: int, *, model: str, rate: str = "", cut: bool = False) -> None:
    """Refuse more frames than a model reads at once.

    Args:
        count: How many there are.
        most: How many it reads.
        model: What messages call it.
        rate: What messages say of the frame rate.
        cut: Whether they are a piece of a recording that was cut.

    Raises:
        FormatError: There are more.
    """
    if count > most:
        what = "a piece without a pause has" if cut else "there are"
        raise FormatError(
            f"{model} reads at most {most} frames at once, but {what} {count}{rate}. "
            "Cut the recording into utterances."
        )
