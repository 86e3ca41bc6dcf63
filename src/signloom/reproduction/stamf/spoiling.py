"""Clips as a camera in a hurry gives them: blurred frames, misplaced hands, joints not found."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from signloom.data.corpora.words import stable_hash
from signloom.data.corruption import blur, choose_spoiled, drop_joints, misplace_hands
from signloom.data.example import Example


@dataclass(frozen=True, kw_only=True)
class Spoiling:
    """What is done to clips before they are read.

    Attributes:
        frames: Share of the frames that are blurred and whose hands are misplaced.
        keypoints: Share of all joints of all frames that are not seen; pictures stay.
        joints: Share of the joints that are seen in no frame of a clip; pictures stay.
    """

    frames: float = 0.0
    keypoints: float = 0.0
    joints: float = 0.0

    @property
    def label(self) -> str:
        """What a table calls it."""
        parts = [
            f"{100 * share:g} % of {what}"
            for share, what in (
                (self.frames, "frames"),
                (self.keypoints, "keypoints"),
                (self.joints, "joints throughout"),
            )
            if share
        ]
        return ", ".join(parts) or "clean"

    def spoil(self, example: Example) -> Example:
        """Spoil a clip, always in the same way."""
        rng = np.random.default_rng(stable_hash(example.name))
        if self.frames:
            spoiled = choose_spoiled(example.num_frames, rng, share=self.frames)
            film = example.pictures
            example = replace(
                example,
                frames=misplace_hands(example.frames, spoiled, rng),
                pictures=film and (lambda: blur(film(), spoiled)),
            )
        if self.keypoints:
            seen = drop_joints(example.certainty, rng, share=self.keypoints)
            example = replace(example, confidence=seen)
        if self.joints:
            seen = example.certainty
            kept = drop_joints(np.ones_like(seen[:1]), rng, share=self.joints)
            example = replace(example, confidence=seen * kept)
        return example
