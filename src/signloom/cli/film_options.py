"""The options of verbs that read films: a camera, for how long, and what finds the joints."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.live_options import add_live_options, seconds_of
from signloom.errors import ConfigError

if TYPE_CHECKING:
    from signloom.features.keypoints import KeypointEstimator
    from signloom.pipelines.extraction import Camera

MAX_THREADS = 256


def add_film_options(add: Callable[..., Any]) -> None:
    """Add the options."""
    add_live_options(add, "camera", what="look through this camera in place of INPUT")
    add(
        "--keypoints",
        type=Path,
        metavar="FILE.onnx",
        help="find joints in films by this model of COCO-WholeBody (HRNet, RTMPose or RTMW) "
        "instead of MediaPipe",
    )


def camera_of(options: Namespace) -> Camera | None:
    """Give the camera that is asked for.

    Raises:
        ConfigError: The seconds do not hold, or go with nothing.
    """
    seconds = seconds_of(options, "camera")
    if seconds is None:
        return None
    from signloom.pipelines.extraction import Camera

    return Camera(options.camera, seconds)


def estimator_of(options: Namespace) -> KeypointEstimator | None:
    """Open the model that finds joints, if one is named; MediaPipe is opened when it is needed.

    Raises:
        UserError: It is missing or no such model.
    """
    if options.keypoints is None:
        return None
    from signloom.runtime.keypoint_session import WholeBody

    return WholeBody(options.keypoints, threads=options.threads)


def check_threads(options: Namespace) -> None:
    """Refuse a number of threads that no machine has.

    Raises:
        ConfigError: It is out of range.
    """
    if not 1 <= options.threads <= MAX_THREADS:
        raise ConfigError(f"--threads must be 1 to {MAX_THREADS}, but is {options.threads}.")
