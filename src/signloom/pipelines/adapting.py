"""Change the manner of a finished production: its speed, the hand that signs."""

from __future__ import annotations

from dataclasses import replace

from signloom.errors import ConfigError
from signloom.pipelines.production import Production
from signloom.pipelines.spans import LetterSpan
from signloom.poses.mirror import mirror_pose
from signloom.poses.retime import change_speed

SPEEDS = (0.25, 4.0)


def check_speed(speed: float) -> None:
    """Refuse a speed at which nobody could read.

    Raises:
        ConfigError: It is not from 0.25 to 4.
    """
    low, high = SPEEDS
    if not low <= speed <= high:
        raise ConfigError(f"`speed` must be from {low:g} to {high:g}, but is {speed:g}.")


def adapt(production: Production, *, speed: float = 1.0, mirrored: bool = False) -> Production:
    """Give a production faster, slower, or as a left-handed signer signs it.

    Args:
        production: What was produced.
        speed: 2 takes half the time; the frame rate stays.
        mirrored: Swap left and right.

    Raises:
        ConfigError: The speed is not from 0.25 to 4.
    """
    check_speed(speed)
    pose = mirror_pose(production.pose) if mirrored else production.pose
    if speed == 1.0:
        return replace(production, pose=pose, mirrored=mirrored)
    pose = change_speed(pose, speed)
    spans = tuple(_at_speed(span, speed) for span in production.spans)
    return replace(production, pose=pose, spans=spans, speed=speed, mirrored=mirrored)


def _at_speed(span: LetterSpan, speed: float) -> LetterSpan:
    return replace(
        span,
        start_s=round(span.start_s / speed, 3),
        end_s=round(span.end_s / speed, 3),
        start_frame=round(span.start_frame / speed),
        end_frame=round(span.end_frame / speed),
    )
