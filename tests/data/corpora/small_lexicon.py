"""Small lexica, written as `spoken-to-signed` lays them out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pose_format import Pose as PoseFile
from pose_format.numpy import NumPyPoseBody
from pose_format.pose_header import PoseHeader, PoseHeaderComponent, PoseHeaderDimensions

from signloom.data.corpora.clips import BODY_POINTS, HANDS


def write_clip(path: Path, points: NDArray[np.float64], *, fps: float, seen: str = "RIGHT") -> None:
    """Write pixels [frames, 50, 3] as MediaPipe; the hand that is not `seen` gets confidence 0."""
    body = list(BODY_POINTS.values())
    hand = ["WRIST", *(f"POINT_{number}" for number in range(20))]
    names = {"POSE_LANDMARKS": body}
    names |= {f"{side}_HAND_LANDMARKS": hand for side in ("LEFT", "RIGHT")}
    components = [
        PoseHeaderComponent(name, list(points), [], [], "XYZC") for name, points in names.items()
    ]
    joints = {side: range(where.start, where.stop) for where, _, side in HANDS}
    columns = [*BODY_POINTS, *joints["LEFT"], *joints["RIGHT"]]
    confidence = np.ones((len(points), 1, len(columns)))
    if seen in ("RIGHT", "NONE"):
        confidence[:, 0, len(body) : len(body) + 21] = 0
    if seen in ("LEFT", "NONE"):
        confidence[:, 0, len(body) + 21 :] = 0
    confidence[np.isnan(points[:, None, columns]).any(axis=-1)] = 0
    header = PoseHeader(0.2, PoseHeaderDimensions(500, 500, 0), components)
    pixels = np.nan_to_num(points[:, None, columns])
    with path.open("wb") as file:
        PoseFile(header, NumPyPoseBody(fps, pixels, confidence)).write(file)


def still_points(frames: int) -> NDArray[np.float64]:
    """Place a signer 200 pixels wide with the neck at (250, 200) and the right hand raised."""
    points = np.zeros((50, 3))
    points[[0, 2, 3, 4], :2] = (250, 100), (350, 200), (370, 350), (360, 480)
    points[[5, 6, 7], :2] = (150, 200), (130, 340), (110, 220)
    fingers = np.stack(np.meshgrid(np.arange(5), np.arange(1, 5), indexing="ij"), axis=-1)
    hand = np.concatenate([[(0.0, 0.0)], fingers.reshape(20, 2) * (8.0, -12.0)])
    for where, wrist, _ in HANDS:
        points[where, :2] = points[wrist, :2] + (3, -2) + hand
        points[where, 2] = 250.5
        points[where.start + 1 : where.stop, 2] -= 0.04
    return np.repeat(points[None], frames, axis=0)


def write_lexicon(folder: Path, letters: str, *, seconds: float = 0.8, fps: float = 25.0) -> Path:
    """Write a lexicon of still clips for the language `xyz`."""
    rows = ["path,spoken_language,signed_language,start,end,words,glosses,priority"]
    for letter in letters:
        write_clip(folder / f"{letter}.pose", still_points(round(seconds * fps)), fps=fps)
        rows.append(f"{letter}.pose,en,xyz,0,0,{letter.upper()},{letter.upper()},0")
    (folder / "index.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder
