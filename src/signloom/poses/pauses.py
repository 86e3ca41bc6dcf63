"""Where a long recording may be cut: the arms hang between two utterances, or a hand is relaxed.

A relaxed hand is told by its shape, that of the same recording's hanging hands, however it is
turned. Nothing here knows letters or signs.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from signloom.poses.skeleton import (
    LEFT_ELBOW,
    LEFT_HAND,
    LEFT_WRIST,
    RIGHT_ELBOW,
    RIGHT_HAND,
    RIGHT_WRIST,
    finger_joints,
)
from signloom.poses.transition import between

Frames = NDArray[np.float32]
Flags = NDArray[np.bool_]

REST_S = 0.2
"""Shorter hanging is a movement; at the ends of a recording any counts."""
LEAST_S = 0.2
"""What lies between two rests and is shorter is no utterance."""
EDGE_S = 0.12
"""How much of the rest before and after stays with an utterance."""
LEAD_S = 0.16
"""How long an arm takes from a rest to a piece that begins at a pause: short, so that on the way no
letter is seen."""
PAUSE_S = 0.12
"""A shorter relaxation is on the way from one handshape to another."""
UPRIGHT = 0.7
"""A forearm hangs where so much of it points down."""
RELAXED = 0.06
"""How far, in lengths of the palm, a relaxed hand may be from its shape."""

_ARMS = ((RIGHT_ELBOW, RIGHT_WRIST, RIGHT_HAND), (LEFT_ELBOW, LEFT_WRIST, LEFT_HAND))
_MIDDLE_KNUCKLE = 9
_PAIRS = np.triu_indices(5, 1)


def cut_utterances(frames: Frames, *, fps: float, most: int) -> list[slice]:
    """Cut a recording at its rests, and what is still too long at its pauses.

    Args:
        frames: Positions in shoulder widths [frames, 50, 3].
        fps: Frames per second.
        most: Frames that a piece should have at most.

    Returns:
        The pieces in order, without the rests between them. One is longer than `most` where there
        is no pause to cut it at; a recording that only rests is one piece.
    """
    return [piece for _, piece in _cut(frames, fps=fps, most=most)]


def cut_words(frames: Frames, *, fps: float) -> list[Frames]:
    """Cut a recording at every rest and pause, each piece as if it were signed by itself.

    Where a piece begins or ends at a pause, it is led from a rest of its utterance and back to it,
    as every utterance goes. A recording without a rest is one piece.

    Args:
        frames: Positions in shoulder widths [frames, 50, 3].
        fps: Frames per second.
    """
    return [
        _from_rest(frames, piece, span, fps=fps) for span, piece in _cut(frames, fps=fps, most=1)
    ]


def _cut(frames: Frames, *, fps: float, most: int) -> list[tuple[slice, slice]]:
    """Give each piece of `cut_utterances`, after the utterance that it is of."""
    hangs = hanging(frames)
    spans = _between_rests(hangs, fps=fps) or [slice(0, len(frames))]
    if all(span.stop - span.start <= most for span in spans):
        return [(span, span) for span in spans]
    places = _pauses(frames, hangs, fps=fps)
    margin = round((EDGE_S + LEAST_S) * fps)
    found = []
    for span in spans:
        # Next to a rest the hand is still on its way.
        inside = [place for place in places if span.start + margin < place < span.stop - margin]
        found += [(span, piece) for piece in _filled(span, inside, most=most)]
    return found


def _from_rest(frames: Frames, word: slice, span: slice, *, fps: float) -> Frames:
    """Lead a piece of an utterance from its first frame, a rest, and back to its last."""
    piece, still, moving = frames[word], round(EDGE_S * fps), round(LEAD_S * fps)
    parts = [piece]
    if word.start > span.start:
        rest = frames[span.start]
        parts = [np.repeat(rest[None], still, axis=0), between(rest, piece[0], moving), *parts]
    if word.stop < span.stop:
        rest = frames[span.stop - 1]
        parts += [between(piece[-1], rest, moving), np.repeat(rest[None], still, axis=0)]
    return np.concatenate(parts)


def is_left_handed(frames: Frames) -> bool:
    """Tell whether the left forearm is up for longer than the right one."""
    right, left = (np.count_nonzero(~_hangs(frames, elbow, wrist)) for elbow, wrist, _ in _ARMS)
    return bool(left > right)


def hanging(frames: Frames) -> Flags:
    """Tell in which frames both arms hang [frames]."""
    return np.asarray(np.logical_and(*(_hangs(frames, elbow, wrist) for elbow, wrist, _ in _ARMS)))


def _hangs(frames: Frames, elbow: int, wrist: int) -> Flags:
    forearm = frames[:, wrist] - frames[:, elbow]
    length = np.linalg.norm(forearm, axis=-1)
    return np.asarray((forearm[:, 1] > UPRIGHT * length) & (length > 0))


def _between_rests(hangs: Flags, *, fps: float) -> list[slice]:
    """Give what lies between rests, with an edge of each."""
    least = max(1, round(REST_S * fps))
    rests = [
        (start, end)
        for start, end in _runs(hangs)
        if end - start >= least or start == 0 or end == len(hangs)
    ]
    edge, end = round(EDGE_S * fps), len(hangs)
    found = []
    for before, after in pairwise([(0, 0), *rests, (end, end)]):
        if after[0] - before[1] >= max(1, round(LEAST_S * fps)):
            # Two utterances share the rest between them half and half.
            first = sum(before) // 2 if before[0] else 0
            last = end if after[1] == end else -(-sum(after) // 2)
            found.append(slice(max(first, before[1] - edge), min(last, after[0] + edge)))
    return found


def _pauses(frames: Frames, hangs: Flags, *, fps: float) -> list[int]:
    """Give the middles of the pauses: an arm is up, but its hand is the one that hangs at rest."""
    if not hangs.any():
        return []
    at_ease = ~hangs
    for elbow, wrist, hand in _ARMS:
        shapes = _shapes(frames[:, hand])
        distance = np.sqrt(np.square(shapes - np.median(shapes[hangs], axis=0)).mean(axis=1))
        at_ease &= _hangs(frames, elbow, wrist) | (distance < RELAXED)
    least = max(1, round(PAUSE_S * fps))
    return [(start + end) // 2 for start, end in _runs(at_ease) if end - start >= least]


def _shapes(hands: Frames) -> NDArray[np.float64]:
    """Describe hands [frames, 21, 3] whichever way they are turned, in lengths of the palm."""
    palm = float(np.median(np.linalg.norm(hands[:, _MIDDLE_KNUCKLE] - hands[:, 0], axis=-1)))
    reach = np.linalg.norm(hands[:, 1:] - hands[:, :1], axis=-1)
    tips = hands[:, [finger_joints(slice(0, 21), finger)[-1] for finger in range(5)]]
    apart = np.linalg.norm(tips[:, _PAIRS[0]] - tips[:, _PAIRS[1]], axis=-1)
    return np.concatenate([reach, apart], axis=1).astype(np.float64) / (palm or 1.0)


def _filled(span: slice, inside: list[int], *, most: int) -> list[slice]:
    """Cut a span at the last pause that leaves a piece short enough, again and again."""
    pieces = []
    start, end = span.start, span.stop
    while end - start > most and inside:
        fitting = [place for place in inside if place - start <= most]
        cut = fitting[-1] if fitting else inside[0]
        pieces.append(slice(start, cut))
        start, inside = cut, [place for place in inside if place > cut]
    return [*pieces, slice(start, end)]


def _runs(flags: Flags) -> list[tuple[int, int]]:
    """Give start and end of every unbroken run."""
    edges = np.flatnonzero(np.diff(np.r_[False, flags, False]))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
