"""One signer out of many clips: a constant torso, arms that rest, a relaxed hand.

The clips of a lexicon are seconds apart and crop the arm that does not sign. Here they get one
torso (the median over clips), and a hand that was not seen gets the rest template: an arm hanging
at the side, its hand the median shape of all letters, turned to point down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.clips import Clip
from signloom.data.corpora.motion import HAND, WRIST, Arms
from signloom.poses.skeleton import (
    HEAD,
    LEFT_ELBOW,
    LEFT_HAND,
    LEFT_SHOULDER,
    LEFT_WRIST,
    NECK,
    RIGHT_ELBOW,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    RIGHT_WRIST,
)

TORSO = (HEAD, NECK, LEFT_SHOULDER, RIGHT_SHOULDER)
PAUSE_DROP = 0.25
"""How far the wrist sinks between two words, in shoulder widths."""
_ARMS = (
    (RIGHT_SHOULDER, RIGHT_ELBOW, RIGHT_WRIST, RIGHT_HAND),
    (LEFT_SHOULDER, LEFT_ELBOW, LEFT_WRIST, LEFT_HAND),
)
_UPPER_ARM_TILT, _FOREARM_TILT = np.radians(9.0), np.radians(-4.0)
_HAND_TURN = np.radians(50.0)


@dataclass(frozen=True, eq=False)
class Signer:
    """The frames that all letters share; hands relative to their wrists.

    Attributes:
        torso: Head, neck and both shoulders [4, 3].
        rest: Both arms hanging [50, 3].
        pause: The signing arm between two words: lowered a little, the hand relaxed [50, 3].
        num_arms: 1 when every letter is signed with the right hand alone, else 2.
    """

    torso: NDArray[np.float64]
    rest: NDArray[np.float64]
    pause: NDArray[np.float64]
    num_arms: int

    @classmethod
    def of(cls, clips: Sequence[Clip]) -> Signer:
        """Take the median over clips."""
        middles = np.stack([np.median(clip.frames, axis=0) for clip in clips])
        torso = np.median(middles[:, TORSO], axis=0)
        torso[0, 0] = torso[1] = 0
        half = (torso[2, 0] - torso[3, 0]) / 2
        torso[2:, 0], torso[2:, 1] = (half, -half), torso[2:, 1].mean()
        relaxed = _relaxed_hand(middles[[clip.seen[0] for clip in clips]][:, RIGHT_HAND])
        signing = middles[[clip.seen[0] for clip in clips]]
        rest = _rest(torso, signing, relaxed)
        pause = rest.copy()
        pause[RIGHT_ELBOW], pause[RIGHT_WRIST] = np.median(
            signing[:, [RIGHT_ELBOW, RIGHT_WRIST]], axis=0
        )
        pause[[RIGHT_ELBOW, RIGHT_WRIST], 1] += PAUSE_DROP / 3, PAUSE_DROP
        pause[RIGHT_HAND] = relaxed
        return cls(torso, rest, pause, 2 if any(clip.seen[1] for clip in clips) else 1)

    def arms(self, frames: NDArray[np.float64], seen: tuple[bool, bool] = (True, True)) -> Arms:
        """Take the arms out of frames [frames, 50, 3]; one that was not seen is at rest.

        Returns:
            [frames, arms, 23, 3]: elbow, wrist, then the hand relative to the wrist.
        """
        sides = [
            frames[:, _arm_joints(side)]
            if seen[side]
            else np.repeat(self.rest[None, _arm_joints(side)], len(frames), axis=0)
            for side in range(self.num_arms)
        ]
        return np.stack(sides, axis=1).astype(np.float32)

    def compose(self, arms: Arms) -> NDArray[np.float32]:
        """Put arms on the torso and hands on their wrists: frames [frames, 50, 3]."""
        frames = np.empty((len(arms), 50, 3), dtype=np.float32)
        frames[:] = self.rest
        if self.num_arms == 1:
            frames[:, LEFT_HAND] += frames[:, LEFT_WRIST : LEFT_WRIST + 1]
        for side in range(self.num_arms):
            _, elbow, wrist, hand = _ARMS[side]
            frames[:, elbow : wrist + 1] = arms[:, side, :2]
            frames[:, hand] = arms[:, side, HAND] + arms[:, side, WRIST : WRIST + 1]
        return frames


def _arm_joints(side: int) -> list[int]:
    _, elbow, wrist, hand = _ARMS[side]
    return [elbow, wrist, *range(hand.start, hand.stop)]


def _relaxed_hand(hands: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average the direction of each bone over letters, with the median length of each."""
    fingers = hands[:, 1:].reshape(len(hands), 5, 4, 3)
    root = np.zeros_like(fingers[:, :, :1])
    bones = np.diff(np.concatenate([root, fingers], axis=2), axis=2)
    lengths = np.linalg.norm(bones, axis=-1, keepdims=True)
    mean = (bones / lengths).mean(axis=0)
    mean *= np.median(lengths, axis=0) / np.linalg.norm(mean, axis=-1, keepdims=True)
    return np.concatenate([np.zeros((1, 3)), mean.cumsum(axis=1).reshape(20, 3)])


def _rest(
    torso: NDArray[np.float64], signing: NDArray[np.float64], relaxed: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Hang both arms: palms to the back, thumbs inwards and to the front."""
    rest = np.zeros((50, 3))
    rest[list(TORSO)] = torso
    arm = signing[:, [RIGHT_SHOULDER, RIGHT_ELBOW, RIGHT_WRIST]]
    upper, forearm = np.median(np.linalg.norm(np.diff(arm, axis=1), axis=-1), axis=0)
    shoulder = rest[RIGHT_SHOULDER]
    rest[RIGHT_ELBOW] = shoulder + upper * _hanging(_UPPER_ARM_TILT)
    rest[RIGHT_WRIST] = rest[RIGHT_ELBOW] + forearm * _hanging(_FOREARM_TILT)
    down = relaxed * (1, -1, -1)
    cos, sin = np.cos(_HAND_TURN), np.sin(_HAND_TURN)
    rest[RIGHT_HAND] = down @ np.array([[cos, 0, -sin], [0, 1, 0], [sin, 0, cos]])
    rest[_arm_joints(1)] = rest[_arm_joints(0)] * (-1, 1, 1)
    return rest


def _hanging(tilt: float) -> NDArray[np.float64]:
    """Point down, tilted away from the body on the right side."""
    return np.array([-np.sin(tilt), np.cos(tilt), 0.0])
