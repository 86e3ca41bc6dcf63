"""Cameras and microphones, opened through the operating system's own interface."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

from signloom.errors import ConfigError, FormatError

if TYPE_CHECKING:
    from av.container import InputContainer

MAX_SECONDS = 3600.0
_TIMEOUT_S = 10.0

T = TypeVar("T")


@dataclass(frozen=True)
class Device:
    """A device and how long to take from it.

    Attributes:
        device: Its number, from 0, or what the operating system calls it.
        seconds: How long, above 0 and at most an hour.

    Raises:
        ConfigError: The seconds are out of range.
    """

    NOUN: ClassVar[str] = "Device"

    device: int | str
    seconds: float

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= MAX_SECONDS:
            raise ConfigError(
                f"`seconds` must be above 0 and at most {MAX_SECONDS:g}, but is {self.seconds:g}."
            )

    def __str__(self) -> str:
        return f"{self.NOUN} {self.device}"


def find_interface(interfaces: Mapping[str, str], platform: str, *, noun: str) -> str:
    """Give what FFmpeg reads devices by on a system.

    Args:
        interfaces: Formats of FFmpeg by system.
        platform: The system, as Python calls it.
        noun: What messages call the device: `camera`.

    Raises:
        ConfigError: There is none.
    """
    if platform not in interfaces:
        raise ConfigError(f"A {noun} needs one of {', '.join(interfaces)}, not {platform}.")
    return interfaces[platform]


def is_number(device: int | str) -> bool:
    """Say whether a device is given by its number."""
    return re.fullmatch(r"[0-9]{1,3}", str(device)) is not None


def named_for_windows(device: int | str, *, kind: str, noun: str) -> str:
    """Give what DirectShow calls a device.

    Raises:
        ConfigError: It is given by its number.

    Example:
        >>> named_for_windows("Cam", kind="video", noun="camera")
        'video=Cam'
    """
    if is_number(device):
        raise ConfigError(
            f"On Windows a {noun} must be given by its name, but {device} is a number. The device "
            "manager lists the names."
        )
    return f"{kind}={device}"


def open_live(
    name: str, *, interface: str, device: Device, options: Mapping[str, str] | None = None
) -> InputContainer:
    """Start whatever an interface of FFmpeg calls so.

    Args:
        name: As the interface calls it.
        interface: A format of FFmpeg.
        device: What messages call it.
        options: For the interface.

    Raises:
        FormatError: It is not there.
    """
    import av

    try:
        return av.open(name, format=interface, options=dict(options or {}), timeout=_TIMEOUT_S)
    except (av.FFmpegError, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"{device} must be there, but cannot be opened: {reason}.") from error


def first(items: Iterator[T], count: int) -> Iterator[T]:
    """Take so many, then let go of the device."""
    for number, item in enumerate(items, 1):
        yield item
        if number == count:
            break
    close = getattr(items, "close", None)
    if close is not None:
        close()
