"""A component of a `.pose` file: its points by name, and which of them are joints of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Component:
    """One part of a signer as a `.pose` file describes it.

    Attributes:
        name: What the file calls it.
        points: Names of its points, in order.
        limbs: Pairs of places in `points` that viewers join by a line.
        colors: Red, green and blue of the points; viewers begin anew where they are too few.
        joints: Our joint for each point, by name, that is one of ours.
    """

    name: str
    points: tuple[str, ...]
    limbs: tuple[tuple[int, int], ...]
    colors: tuple[tuple[int, int, int], ...]
    joints: Mapping[str, int]


def hand_component(
    name: str, points: tuple[str, ...], *, limbs: tuple[tuple[int, int], ...], hand: slice
) -> Component:
    """Make the component of a hand of 21 points, which are in the order of our joints.

    Args:
        name: What files call it.
        points: Names of its points: wrist, then thumb to little finger, knuckle to tip.
        limbs: Pairs of places in `points`.
        hand: `RIGHT_HAND` or `LEFT_HAND`.
    """
    joints = {point: int(hand.start) + place for place, point in enumerate(points)}
    return Component(name, points, limbs, HAND_COLORS, joints)


_FINGER_COLORS = ((192, 0, 0), (192, 192, 0), (0, 192, 0), (0, 192, 192), (0, 0, 192))
HAND_COLORS = (
    (232, 232, 232),
    *(
        (min(255, red + 21 * part), min(255, green + 21 * part), min(255, blue + 21 * part))
        for red, green, blue in _FINGER_COLORS
        for part in range(4)
    ),
)
