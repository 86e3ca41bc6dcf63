"""The joints of a signer and the bones between them: names and topology, no coordinates.

`UPPER_BODY_50` is the skeleton of the `.skels` files that sign-language production works with:
8 joints of the upper body, then 21 of each hand. Sides are the signer's own: the signer's left
arm has the larger x in the image. The field's tools disagree about side names, so bind by
linkage: joints 8-28 are the hand on wrist 7, joints 29-49 the hand on wrist 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

FINGERS = ("thumb", "index", "middle", "ring", "pinky")
BODY = slice(0, 8)
RIGHT_HAND = slice(8, 29)
LEFT_HAND = slice(29, 50)
HEAD = 0
NECK = 1
LEFT_SHOULDER = 2
LEFT_ELBOW = 3
LEFT_WRIST = 4
RIGHT_SHOULDER = 5
RIGHT_ELBOW = 6
RIGHT_WRIST = 7


@dataclass(frozen=True)
class Skeleton:
    """Joint names and the bones between them.

    Attributes:
        name: What files and model packages call this skeleton.
        joints: One name a joint, in the order of the coordinates.
        bones: Pairs (parent, child) of joint indices; they form a tree.
    """

    name: str
    joints: tuple[str, ...]
    bones: tuple[tuple[int, int], ...]

    def __repr__(self) -> str:
        return f"Skeleton({self.name}, {self.num_joints} joints)"

    @staticmethod
    def from_json(path: str | Path) -> Skeleton:
        """Read a skeleton of one's own: `{"name": ..., "joints": [...], "bones": [[0, 1], ...]}`.

        Raises:
            FormatError: The file is not such a document, two joints share a name, or the bones
                are no tree of all joints.
        """
        from signloom.poses.skeleton_file import read_skeleton

        return read_skeleton(Path(path)).skeleton

    @property
    def num_joints(self) -> int:
        """Number of joints."""
        return len(self.joints)


def finger_joints(hand: slice, finger: int) -> tuple[int, int, int, int]:
    """Give the four joints of a finger, knuckle first.

    Args:
        hand: `RIGHT_HAND` or `LEFT_HAND`.
        finger: 0 (thumb) to 4 (pinky).

    Example:
        >>> finger_joints(RIGHT_HAND, 1)
        (13, 14, 15, 16)
    """
    first = int(hand.start) + 1 + 4 * finger
    return first, first + 1, first + 2, first + 3


def _hand_names(side: str) -> tuple[str, ...]:
    fingers = (f"{side}_{finger}_{number}" for finger in FINGERS for number in (1, 2, 3, 4))
    return (f"{side}_hand", *fingers)


def _hand_bones(hand: slice) -> tuple[tuple[int, int], ...]:
    chains = ((int(hand.start), *finger_joints(hand, finger)) for finger in range(5))
    return tuple(bone for chain in chains for bone in pairwise(chain))


UPPER_BODY_50 = Skeleton(
    name="upper_body_50",
    joints=(
        *("head", "neck", "left_shoulder", "left_elbow", "left_wrist"),
        *("right_shoulder", "right_elbow", "right_wrist"),
        *_hand_names("right"),
        *_hand_names("left"),
    ),
    bones=(
        *((NECK, HEAD), (NECK, LEFT_SHOULDER), (LEFT_SHOULDER, LEFT_ELBOW)),
        *((LEFT_ELBOW, LEFT_WRIST), (NECK, RIGHT_SHOULDER), (RIGHT_SHOULDER, RIGHT_ELBOW)),
        *((RIGHT_ELBOW, RIGHT_WRIST), (LEFT_WRIST, 29), (RIGHT_WRIST, 8)),
        *_hand_bones(RIGHT_HAND),
        *_hand_bones(LEFT_HAND),
    ),
)
