"""Films written by hand: folders of small pictures, each unlike the others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from signloom.poses.pose import Pose
from tests.data.small_corpus import moving_frames


def write_film(folder: Path, frames: int, *, seed: int = 0, size: tuple[int, int] = (7, 9)) -> None:
    """Write pictures of noise, width and height in pixels; their numbers are not padded."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(seed)
    for number in range(frames):
        picture = rng.integers(256, size=(*size[::-1], 3), dtype=np.uint8)
        Image.fromarray(picture).save(folder / f"images{number}.png")


def write_poses(path: Path, frames: int, *, seed: int = 0) -> None:
    """Write a `.pose` of so many frames."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Pose.of(moving_frames(frames, seed=seed)).save(path)


def write_plain(folder: Path) -> Path:
    """Write three films and a table of them; give the folder."""
    lines = ["name,split,glosses,text,signer"]
    for number, split in enumerate(("train", "val", "test")):
        write_film(folder / f"films/clip{number}", 2 + number, seed=number)
        lines.append(f"films/clip{number},{split},A B{number},Ein Text {number},ann")
    (folder / "table.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
