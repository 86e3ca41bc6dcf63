"""How long a frame takes: finding joints in a film, and recognising."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from signloom.pipelines.extraction import Extraction, pose_of
from signloom.pipelines.recognize import Recognizer
from signloom.poses.normalize import NUM_FEATURES
from signloom.poses.pose import Pose
from signloom.poses.rest import rest_pose
from signloom.reproduction.grid import Grid
from signloom.reproduction.plan import Report
from signloom.reproduction.timing import Spread, one_thread
from signloom.systems.recognize.config import RecognizeConfig, Streams
from signloom.systems.recognize.model import RecognizeModel

NUM_GLOSSES = 1000
FRAMES = 100
REPEATS = 5


@dataclass(frozen=True, kw_only=True)
class Speed:
    """A row.

    Attributes:
        what: What is timed: joints found in a film, a package run, or a model of the paper's size
            in PyTorch with random weights.
        film: The film.
        package: The package.
        streams: What the model of the paper's size reads.
    """

    what: Literal["extraction", "package", "model"]
    film: str = ""
    package: str = ""
    streams: Streams = "keypoints"


def measure_speed(config: Speed) -> dict[str, Any]:
    """Time a row: milliseconds a frame, the median and deciles of five turns."""
    made = {"extraction": _extraction, "package": _package, "model": _model}[config.what]
    call, frames = made(config)
    call()
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - started) / frames)
    return {"ms_a_frame": asdict(Spread.of(times)), "frames": frames}


def speed_sheet(title: str, rows: list[dict[str, Any]]) -> Report:
    """Set times in lines."""
    lines = []
    for row in rows:
        spread = row["result"]["ms_a_frame"]
        middle = f"{spread['p50']:.2f} [{spread['p10']:.2f}-{spread['p90']:.2f}]"
        lines.append((row["name"], middle, str(row["result"]["frames"])))
    grid = Grid(
        title=title,
        columns=("what", "ms a frame [p10-p90]", "frames"),
        lines=tuple(lines),
        notes=(
            "One clip at a time; five turns after one that does not count. PyTorch and ONNX "
            "Runtime on one thread, MediaPipe as it comes.",
        ),
    )
    return Report(grid=grid)


def _extraction(config: Speed) -> tuple[Callable[[], object], int]:
    found: Extraction = pose_of(Path(config.film))
    return lambda: pose_of(Path(config.film)), found.pose.num_frames


def _package(config: Speed) -> tuple[Callable[[], object], int]:
    recognizer = Recognizer(config.package)
    pose = Pose.of(np.repeat(rest_pose()[None], FRAMES, axis=0))
    return lambda: recognizer.recognize(pose), FRAMES


def _model(config: Speed) -> tuple[Callable[[], object], int]:
    model = RecognizeModel(
        RecognizeConfig(streams=config.streams),
        NUM_GLOSSES,
        mean=torch.zeros(NUM_FEATURES),
        std=torch.ones(NUM_FEATURES),
    ).eval()
    px = model.config.picture_px
    arrays = {
        "poses": torch.randn(1, FRAMES, NUM_FEATURES),
        "confidence": torch.ones(1, FRAMES, 50),
        "pictures": torch.zeros(1, FRAMES, px, px, 3, dtype=torch.uint8),
    }
    clips = {name: arrays[name] for name in model.inputs}

    def call() -> None:
        with one_thread():
            model(clips, torch.tensor([FRAMES]))

    return call, FRAMES
