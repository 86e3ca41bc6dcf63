"""What training clips are varied by before a recogniser sees them, joints and pictures alike.

As the field does: faster or slower by a fifth, frames left out, the mirror image, a crop anywhere
in the picture; and, for corpora of few signers, another size, place and turn of the body.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from signloom.data.corruption import drop_joints
from signloom.data.example import Example, Span
from signloom.data.frame_choice import vary_frames
from signloom.data.picture_augment import Film, bring_to, crop, flip
from signloom.data.roughening import roughen
from signloom.poses.mirror import SWAPPED, mirror

Look = Callable[[], Film]


@dataclass(frozen=True, kw_only=True)
class AugmentConfig:
    """How training clips are varied; 0 leaves each out."""

    rescale: float = field(default=0.2, metadata={"least": 0, "most": 0.9})
    """A clip is made longer or shorter by at most this part."""
    dropped: float = field(default=0.0, metadata={"least": 0, "most": 0.9})
    """Part of the frames that is then left out; 0.5 as published."""
    flip: float = field(default=0.5, metadata={"least": 0, "most": 1})
    """Probability of the mirror image; 0 where the side says something."""
    resized_px: int = field(default=256, metadata={"least": 32, "most": 1024})
    """Side to which pictures are brought before a square of `model.picture_px` is cut from them."""
    size: float = field(default=0.0, metadata={"least": 0, "most": 0.9})
    """Largest change of a pose's size, as a part, and of its place, in shoulder widths."""
    turn: float = field(default=0.0, metadata={"least": 0, "most": 1.5})
    """Largest turn of a pose in the plane of the picture, in radians."""
    hidden: float = field(default=0.0, metadata={"least": 0, "most": 0.9})
    """Largest share of keypoints that are hidden."""
    rough: bool = False
    """Filter, shift and disturb poses as the output of production is."""


def augment(
    example: Example, rng: np.random.Generator, config: AugmentConfig, *, least: int = 1
) -> Example:
    """Vary a training clip.

    Args:
        example: The clip.
        rng: Draws everything.
        config: How.
        least: Frames that stay at least.
    """
    example = _chosen(
        example,
        vary_frames(
            example.num_frames, rng, rescale=config.rescale, dropped=config.dropped, least=least
        ),
    )
    frames, confidence, pictures = example.frames, example.confidence, example.pictures
    if config.rough:
        frames = roughen(frames, rng)
    if config.size or config.turn:
        frames = _moved(frames, rng, config)
    if rng.random() < config.flip:
        frames = mirror(frames)
        confidence = None if confidence is None else confidence[:, SWAPPED]
        pictures = pictures and _then(pictures, flip)
    if config.hidden:
        seen = np.ones(frames.shape[:2], np.float32) if confidence is None else confidence
        confidence = drop_joints(seen, rng, share=rng.uniform(0, config.hidden))
    return replace(example, frames=frames, confidence=confidence, pictures=pictures)


def cut_pictures(
    example: Example,
    *,
    resized_px: int,
    side_px: int,
    rng: np.random.Generator | None = None,
) -> Example:
    """Bring pictures to one size and cut a square out of all of them at one place.

    Args:
        example: A clip; one without pictures stays as it is.
        resized_px: Side to which they are brought.
        side_px: Side of the square.
        rng: Chooses the place; without one it is the middle.
    """
    if example.pictures is None:
        return example
    # The place is drawn when the pictures are read, once a batch.
    return replace(
        example,
        pictures=_then(
            example.pictures,
            lambda film: crop(bring_to(film, side_px=resized_px), side_px=side_px, rng=rng),
        ),
    )


def _chosen(example: Example, places: NDArray[np.int64]) -> Example:
    """Take frames of a clip by their numbers, in order."""
    starts = np.searchsorted(places, [one.start for one in example.spans])
    ends = np.searchsorted(places, [one.end for one in example.spans])
    return replace(
        example,
        frames=example.frames[places],
        confidence=None if example.confidence is None else example.confidence[places],
        spans=tuple(map(Span, starts.tolist(), ends.tolist())),
        pictures=example.pictures and _then(example.pictures, lambda film: film[places]),
    )


def _moved(
    frames: NDArray[np.float32], rng: np.random.Generator, config: AugmentConfig
) -> NDArray[np.float32]:
    """Scale, turn and shift a whole clip."""
    angle = rng.uniform(-config.turn, config.turn)
    cos, sin = np.cos(angle), np.sin(angle)
    moved = frames * (1 + rng.uniform(-config.size, config.size))
    shift = rng.uniform(-config.size, config.size, size=2)
    moved[..., :2] = moved[..., :2] @ np.array([[cos, sin], [-sin, cos]]) + shift
    return moved.astype(np.float32)


def _then(look: Look, change: Callable[[Film], Film]) -> Look:
    return lambda: change(look())
