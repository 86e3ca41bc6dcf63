"""What training clips are varied by before a recogniser sees them. Numpy only."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from signloom.data.example import Example, Span
from signloom.data.roughening import roughen
from signloom.poses.mirror import SWAPPED, mirror


@dataclass(frozen=True, kw_only=True)
class AugmentConfig:
    """How training clips are varied; 0 leaves each out."""

    pace: float = field(default=0.2, metadata={"least": 0, "most": 0.9})
    """Largest change of the speed, as a share."""
    frame_drop: float = field(default=0.0, metadata={"least": 0, "most": 0.9})
    """Share of the frames that are left out, at random."""
    flip: float = field(default=0.0, metadata={"least": 0, "most": 1})
    """Probability of the mirror image; 0.5 as published, 0 where all sign with one hand."""
    size: float = field(default=0.1, metadata={"least": 0, "most": 0.9})
    """Largest change of the signer's size, as a share, and of the place, in shoulder widths."""
    turn: float = field(default=0.1, metadata={"least": 0, "most": 1.5})
    """Largest turn in the plane of the picture, in radians."""
    keypoint_drop: float = field(default=0.0, metadata={"least": 0, "most": 0.9})
    """Largest share of keypoints that are hidden."""
    rough: bool = True
    """Filter, shift and disturb poses as the output of production is."""


def augment(example: Example, rng: np.random.Generator, config: AugmentConfig) -> Example:
    """Vary a clip."""
    example = _in_time(example, rng, config)
    frames, confidence, pictures = example.frames, example.confidence, example.pictures
    if config.rough:
        frames = roughen(frames, rng)
    frames = _moved(frames, rng, config)
    if rng.random() < config.flip:
        frames = mirror(frames)
        confidence = None if confidence is None else confidence[:, SWAPPED]
        pictures = pictures and _flipped(pictures)
    if config.keypoint_drop:
        seen = np.ones(frames.shape[:2], np.float32) if confidence is None else confidence
        share = rng.uniform(0, config.keypoint_drop)
        confidence = seen * (rng.random(seen.shape) >= share).astype(np.float32)
    return replace(example, frames=frames, confidence=confidence, pictures=pictures)


def _in_time(example: Example, rng: np.random.Generator, config: AugmentConfig) -> Example:
    count = max(1, round(example.num_frames * (1 + rng.uniform(-config.pace, config.pace))))
    places = np.linspace(0, example.num_frames - 1, count).round().astype(np.int64)
    kept = rng.random(count) >= config.frame_drop
    places = places[kept] if kept.any() else places
    starts = np.searchsorted(places, [one.start for one in example.spans])
    ends = np.searchsorted(places, [one.end for one in example.spans])
    return replace(
        example,
        frames=example.frames[places],
        confidence=None if example.confidence is None else example.confidence[places],
        spans=tuple(map(Span, starts.tolist(), ends.tolist())),
        pictures=example.pictures and (lambda: example.pictures()[places]),
    )


def _moved(
    frames: NDArray[np.float32], rng: np.random.Generator, config: AugmentConfig
) -> NDArray[np.float32]:
    angle = rng.uniform(-config.turn, config.turn)
    scale = 1 + rng.uniform(-config.size, config.size)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    moved = frames * scale
    moved[..., :2] = moved[..., :2] @ turn + rng.uniform(-config.size, config.size, size=2)
    return moved.astype(np.float32)


def _flipped(pictures):
    return lambda: pictures()[:, :, ::-1]
