"""One of the sequences of a file that holds many: a pose and what the file says about it."""

from __future__ import annotations

from dataclasses import dataclass

from signloom.poses.pose import Pose


@dataclass(frozen=True, eq=False)
class Recording:
    """A pose with a name.

    Attributes:
        name: What the file calls it, or its number from 1 where sequences have no names.
        pose: What is signed.
        text: The text that is signed, where it is known.
        gloss: The glosses that are signed, separated by spaces, where they are known.
        signer: Who signs, where it is known.
    """

    name: str
    pose: Pose
    text: str = ""
    gloss: str = ""
    signer: str = ""
