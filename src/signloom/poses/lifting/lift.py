"""Lift a pose from the image into space (PSAT-RS, section 4.2, "Data preprocessing").

Joints that cannot be are discarded, gaps filled, bone lengths estimated with constant ratios, and
depth found by inverse kinematics, as Zelinka and Kanis do (Neural Sign Language Synthesis: Words
Are Our Glosses, WACV 2020). Differs from them: lengths and scales come in closed form from an
upper envelope and depth from bounds, where they descend a gradient over angles and lengths for a
thousand steps. Nothing is drawn at random.
"""

from __future__ import annotations

import numpy as np

from signloom.errors import FormatError
from signloom.poses.lifting.bones import estimate_lengths
from signloom.poses.lifting.depth import lift_joints
from signloom.poses.lifting.gaps import fill_gaps
from signloom.poses.lifting.outliers import find_outliers
from signloom.poses.pose import Pose


def lift(pose: Pose) -> Pose:
    """Give a pose depth; the depth that it has is not looked at.

    A joint that no frame has stays missing. Where the image shows it, a joint stays within .005
    shoulder widths, unless it was an outlier or its bone cannot reach it.

    Raises:
        FormatError: No joint of the pose was seen.
    """
    seen = pose.confidence > 0
    if not seen.any():
        raise FormatError("A pose to lift must have a joint that was seen, but has none.")
    joints = pose.frames[..., :2].astype(np.float64)
    kept = seen & ~find_outliers(joints, seen)
    filled, confidence = fill_gaps(joints, np.where(kept, pose.confidence, 0).astype(np.float64))
    present = np.all(confidence > 0, axis=0)
    frames = lift_joints(filled, present, estimate_lengths(joints, kept))
    return Pose(frames.astype(np.float32), confidence.astype(np.float32), pose.fps, pose.skeleton)
