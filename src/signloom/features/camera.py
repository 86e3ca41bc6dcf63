"""A camera as footage, through the operating system's own interface.

Frames come as fast as they are taken from it; a slow reader gets fewer. Their times bring them to
a constant rate.
"""

from __future__ import annotations

import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from signloom.errors import ConfigError, FormatError
from signloom.features.footage import Footage, Picture
from signloom.features.video import decode

MAX_SECONDS = 3600.0
INTERFACES = {"linux": "v4l2", "darwin": "avfoundation", "win32": "dshow"}
_TIMEOUT_S = 10.0


@dataclass(frozen=True)
class Camera:
    """A camera and how long to look through it.

    Attributes:
        device: Its number, from 0, or what the operating system calls it.
        seconds: How long, above 0 and at most an hour.

    Raises:
        ConfigError: The seconds are out of range.
    """

    device: int | str
    seconds: float

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= MAX_SECONDS:
            raise ConfigError(
                f"`seconds` must be above 0 and at most {MAX_SECONDS:g}, but is {self.seconds:g}."
            )

    def __str__(self) -> str:
        return f"Camera {self.device}"


def open_camera(camera: Camera, *, fps: float | None = None) -> Footage:
    """Start a camera.

    Args:
        camera: Which, and for how long.
        fps: Frames per second to bring it to; by default its own.

    Raises:
        FormatError: It is not there, or gives no pictures.
        ConfigError: It cannot be named so on this system.
    """
    interface = INTERFACES.get(sys.platform)
    if interface is None:
        raise ConfigError(f"A camera needs one of {', '.join(INTERFACES)}, not {sys.platform}.")
    device = device_name(camera.device, interface=interface)
    if interface == "v4l2" and not _is_device(device):
        raise FormatError(f"{camera} must be there, but {device} is no camera. Connect it first.")
    return open_device(device, interface=interface, camera=camera, fps=fps)


def device_name(device: int | str, *, interface: str) -> str:
    """Give what an interface calls a camera.

    Raises:
        ConfigError: It cannot be called so.

    Example:
        >>> device_name("0", interface="v4l2"), device_name("Cam", interface="dshow")
        ('/dev/video0', 'video=Cam')
    """
    text = str(device)
    is_number = re.fullmatch(r"[0-9]{1,3}", text) is not None
    if interface == "v4l2":
        return f"/dev/video{int(text)}" if is_number else text
    if interface == "avfoundation":
        return f"{text}:none"
    if is_number:
        raise ConfigError(
            f"On Windows a camera must be given by its name, but {text} is a number. The device "
            "manager lists the names."
        )
    return f"video={text}"


def open_device(
    device: str, *, interface: str, camera: Camera, fps: float | None = None
) -> Footage:
    """Start whatever an interface of FFmpeg calls so.

    Args:
        device: As the interface calls it.
        interface: A format of FFmpeg.
        camera: For how long, and what messages call it.
        fps: Frames per second to bring it to; by default its own.

    Raises:
        FormatError: It is not there, or gives no pictures.
    """
    import av

    options = {"framerate": "30"} if interface == "avfoundation" else {}
    try:
        container = av.open(device, format=interface, options=options, timeout=_TIMEOUT_S)
    except (av.FFmpegError, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"{camera} must be there, but cannot be opened: {reason}.") from error
    footage = decode(container, name=str(camera), fps=fps)
    count = max(1, round(camera.seconds * footage.fps))
    footage.pictures = _first(footage.pictures, count)
    footage.num_frames = count
    return footage


def _first(pictures: Iterator[Picture], count: int) -> Iterator[Picture]:
    """Take so many pictures, then let go of the camera."""
    for number, picture in enumerate(pictures, 1):
        yield picture
        if number == count:
            break
    close = getattr(pictures, "close", None)
    if close is not None:
        close()


def _is_device(path: str) -> bool:
    try:
        return stat.S_ISCHR(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False
