"""Lift what was flattened, and see how far from the original it comes back.

    python benchmarks/lift_back.py SKELS_FOLDER POSE_FOLDER

SKELS_FOLDER holds `.skels` files, whose depth was itself lifted from the image by the makers'
inverse kinematics; POSE_FOLDER holds `.pose` files, whose hands have the depth that MediaPipe saw.
Neither was measured. Means over sequences, beside leaving everything at depth 0. `noise` is added
to the image before lifting, as a detector would; the original stays without.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.errors import UserError
from signloom.poses.formats.skels_file import read_all
from signloom.poses.lifting.bones import CHILDREN, PARENTS
from signloom.poses.lifting.lift import lift
from signloom.poses.pose import Pose
from signloom.poses.skeleton import BODY, LEFT_HAND, RIGHT_HAND

Frames = NDArray[np.float64]
HANDS = (RIGHT_HAND, LEFT_HAND)
DEEP = 0.05
"""Shoulder widths; a hand that is nowhere deeper has no depth to compare with."""


def main() -> None:
    """Print both comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("skels", type=Path)
    parser.add_argument("poses", type=Path)
    options = parser.parse_args()
    originals = [
        pose.frames.astype(np.float64)
        for path in sorted(options.skels.glob("*.skels"))
        for pose in read_all(path)
    ]
    for noise in (0.0, 0.003, 0.01):
        _print(f".skels, noise {noise:g}", [_lift_back(one, noise=noise) for one in originals])
    hands = [row for path in sorted(options.poses.rglob("*.pose")) for row in _hands(path)]
    _print("hands of .pose", hands)


def _lift_back(original: Frames, *, noise: float) -> dict[str, float]:
    random = np.random.default_rng(len(original))
    image = original + random.normal(0, 1, original.shape) * noise
    started = time.process_time()
    lifted = lift(Pose.of((image * [1, 1, 0]).astype(np.float32))).frames
    taken = time.process_time() - started
    away = np.linalg.norm(lifted - original, axis=-1)
    flat = np.abs(original[..., 2])
    lengths = np.linalg.norm(lifted[:, CHILDREN] - lifted[:, PARENTS], axis=-1)
    ratios = lengths / lengths.sum(axis=1, keepdims=True)
    moved = np.linalg.norm((lifted - image)[..., :2], axis=-1)
    return {
        "error": away.mean(),
        "flat": flat.mean(),
        "body": away[:, BODY].mean(),
        "flat body": flat[:, BODY].mean(),
        "hands": away[:, RIGHT_HAND.start :].mean(),
        "flat hands": flat[:, RIGHT_HAND.start :].mean(),
        "correlation": _correlation(lifted, original),
        "moved in image, 95 %": np.quantile(moved, 0.95),
        "ratio std/mean": (ratios.std(axis=0) / ratios.mean(axis=0)).max(),
        "CPU ms a frame": 1000 * taken / len(original),
    }


def _hands(path: Path) -> list[dict[str, float]]:
    """Compare the depth of each hand relative to its root, where the file has depth."""
    try:
        pose = Pose.load(path)
        lifted = lift(pose)
    except UserError:
        return []
    rows = []
    for hand in HANDS:
        seen = (pose.confidence[:, hand] > 0).all(axis=1)
        true, found = (
            each.frames[seen, hand] - each.frames[seen, hand][:, :1] for each in (pose, lifted)
        )
        if seen.sum() < 5 or np.abs(true[..., 2]).max() < DEEP:
            continue
        rows.append(
            {
                "depth error": np.abs(found - true)[..., 2].mean(),
                "flat": np.abs(true[..., 2]).mean(),
                "correlation": _correlation(found, true),
                "bones to the camera": _share_to_camera(pose.frames[seen], hand),
            }
        )
    return rows


def _share_to_camera(frames: NDArray[np.float32], hand: slice) -> float:
    inside = np.isin(PARENTS, np.r_[hand])
    depth = frames[:, CHILDREN[inside], 2] - frames[:, PARENTS[inside], 2]
    return float((depth < 0).mean())


def _correlation(found: Frames, true: Frames) -> float:
    return float(np.corrcoef(found[..., 2].ravel(), true[..., 2].ravel())[0, 1])


def _print(title: str, rows: list[dict[str, float]]) -> None:
    sys.stdout.write(f"{title}: {len(rows)} of them\n")
    for name in rows[0]:
        sys.stdout.write(f"  {name:<22}{np.mean([row[name] for row in rows]):.4g}\n")


if __name__ == "__main__":
    main()
