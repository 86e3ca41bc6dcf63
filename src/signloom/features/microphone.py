"""A microphone as sound in blocks, through the operating system's own interface."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from signloom.features.devices import (
    Device,
    find_interface,
    first,
    is_number,
    named_for_windows,
    open_live,
)
from signloom.features.resampling import Samples
from signloom.features.sound_decoding import SoundBlocks, decode_sound

INTERFACES = {"linux": "alsa", "darwin": "avfoundation", "win32": "dshow"}


@dataclass(frozen=True)
class Microphone(Device):
    """A microphone and how long to listen to it; on Linux the device `default` is often right."""

    NOUN: ClassVar[str] = "Microphone"


def open_microphone(microphone: Microphone, *, rate: int) -> SoundBlocks:
    """Start a microphone.

    Args:
        microphone: Which, and for how long.
        rate: Samples a second to bring it to.

    Raises:
        FormatError: It is not there, or gives no sound.
        ConfigError: It cannot be named so on this system, or the rate is none.
    """
    interface = find_interface(INTERFACES, sys.platform, noun="microphone")
    name = microphone_name(microphone.device, interface=interface)
    return listen(name, interface=interface, microphone=microphone, rate=rate)


def microphone_name(device: int | str, *, interface: str) -> str:
    """Give what an interface calls a microphone.

    Raises:
        ConfigError: It cannot be called so.

    Example:
        >>> microphone_name(1, interface="alsa"), microphone_name("default", interface="alsa")
        ('hw:1', 'default')
    """
    if interface == "alsa":
        return f"hw:{int(device)}" if is_number(device) else str(device)
    if interface == "avfoundation":
        return f"none:{device}"
    return named_for_windows(device, kind="audio", noun="microphone")


def listen(name: str, *, interface: str, microphone: Microphone, rate: int) -> SoundBlocks:
    """Start whatever an interface of FFmpeg calls so.

    Args:
        name: As the interface calls it.
        interface: A format of FFmpeg.
        microphone: For how long, and what messages call it.
        rate: Samples a second to bring it to.

    Raises:
        FormatError: It is not there, or gives no sound.
        ConfigError: The rate is none.
    """
    container = open_live(name, interface=interface, device=microphone)
    sound = decode_sound(container, name=str(microphone), rate=rate)
    count = max(1, round(microphone.seconds * rate))
    sound.blocks = _shortened(first(sound.blocks, math.ceil(count / rate)), count)
    sound.expected_s = microphone.seconds
    return sound


def _shortened(blocks: Iterator[Samples], count: int) -> Iterator[Samples]:
    """Give the first samples of blocks."""
    for block in blocks:
        yield block[:count]
        count -= len(block[:count])
