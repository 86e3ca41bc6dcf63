"""A camera as footage, through the operating system's own interface.

Frames come as fast as they are taken from it; a slow reader gets fewer. Their times bring them to
a constant rate.
"""

from __future__ import annotations

import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from signloom.errors import FormatError
from signloom.features.devices import (
    Device,
    find_interface,
    first,
    is_number,
    named_for_windows,
    open_live,
)
from signloom.features.footage import Footage
from signloom.features.video import decode

INTERFACES = {"linux": "v4l2", "darwin": "avfoundation", "win32": "dshow"}


@dataclass(frozen=True)
class Camera(Device):
    """A camera and how long to look through it."""

    NOUN: ClassVar[str] = "Camera"


def open_camera(camera: Camera, *, fps: float | None = None) -> Footage:
    """Start a camera.

    Args:
        camera: Which, and for how long.
        fps: Frames per second to bring it to; by default its own.

    Raises:
        FormatError: It is not there, or gives no pictures.
        ConfigError: It cannot be named so on this system.
    """
    interface = find_interface(INTERFACES, sys.platform, noun="camera")
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
    if interface == "v4l2":
        return f"/dev/video{int(device)}" if is_number(device) else str(device)
    if interface == "avfoundation":
        return f"{device}:none"
    return named_for_windows(device, kind="video", noun="camera")


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
    options = {"framerate": "30"} if interface == "avfoundation" else {}
    container = open_live(device, interface=interface, device=camera, options=options)
    footage = decode(container, name=str(camera), fps=fps)
    count = max(1, round(camera.seconds * footage.fps))
    footage.pictures = first(footage.pictures, count)
    footage.num_frames = count
    return footage


def _is_device(path: str) -> bool:
    try:
        return stat.S_ISCHR(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False
