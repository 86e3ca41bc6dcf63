"""Small corpora written by hand: frames that differ, `.skels` lines, a person's folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.data.preparation import prepare
from signloom.data.readers import folder as reader
from signloom.poses.pose import Pose
from signloom.poses.rest import rest_pose


def moving_frames(count: int, *, seed: int = 0) -> NDArray[np.float32]:
    """Move every joint of the rest pose but the neck a little, at random [count, 50, 3]."""
    rng = np.random.default_rng(seed)
    frames = np.repeat(rest_pose()[None], count, axis=0)
    frames[:, 2:] += rng.normal(scale=0.05, size=(count, 48, 3)).astype(np.float32)
    return frames


def skels_line(frames: NDArray[np.float32]) -> str:
    """Write frames as the field does: thirds, depth reversed, then the counter."""
    rows = [
        [*(frame.astype(np.float64) / [3, 3, -3]).ravel(), number / len(frames)]
        for number, frame in enumerate(frames)
    ]
    return " ".join(f"{value:.9g}" for row in rows for value in row)


def write_parallel(folder: Path, split: str, lengths: list[int], *, seed: int = 0) -> None:
    """Write `{split}.{skels,text,gloss,files}`."""
    folder.mkdir(exist_ok=True)
    numbers = range(len(lengths))
    contents = {
        "skels": [skels_line(moving_frames(lengths[n], seed=seed + n)) for n in numbers],
        "text": [f"satz {n} von {split} ." for n in numbers],
        "gloss": [f"SATZ NUMMER{n}" for n in numbers],
        "files": [f"{split}/tagesschau-{n}" for n in numbers],
    }
    for part, lines in contents.items():
        (folder / f"{split}.{part}").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_folder(folder: Path, *, fps: float = 25.0, count: int = 7) -> Path:
    """Write a person's folder of `.pose` files and `table.csv`; give the folder."""
    folder.mkdir(exist_ok=True)
    rows = ["file,text,gloss,split,signer"]
    for number in range(count):
        frames = moving_frames(5 + 2 * number, seed=number)
        Pose.of(frames, fps=fps).save(folder / f"clip{number}.pose")
        split = ("train", "train", "dev", "test")[number % 4]
        rows.append(f'clip{number}.pose,"Text, number {number}",A B{number},{split},ann')
    (folder / "table.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def write_prepared(folder: Path) -> Path:
    """Prepare a person's folder, German Sign Language and German; give what was prepared."""
    source = write_folder(folder / "source")
    options = reader.Options(language="gsg", spoken_language="de")
    prepare(reader.read(source, options), folder / "prepared", source=source, options={})
    return folder / "prepared"
