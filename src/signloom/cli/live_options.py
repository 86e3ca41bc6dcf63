"""The options of verbs that look through a camera or listen to a microphone for a while."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import Any

from signloom.errors import ConfigError

SECONDS = 10.0


def add_live_options(add: Callable[..., Any], option: str, *, what: str) -> None:
    """Add the device, `--camera` or `--microphone`, and for how long it is taken.

    Args:
        add: Adds an option.
        option: Its name, without dashes.
        what: What is done with it.
    """
    add(f"--{option}", metavar="INDEX|NAME", help=what)
    add("--seconds", type=float, metavar="S", help=f"for how long; {SECONDS:g} if not given")


def seconds_of(options: Namespace, option: str) -> float | None:
    """Give for how long a device is asked for; None where none is.

    Raises:
        ConfigError: Seconds go with no device.
    """
    if getattr(options, option) is not None:
        return SECONDS if options.seconds is None else float(options.seconds)
    if options.seconds is not None:
        raise ConfigError(f"--seconds goes with --{option}, but there is none. Drop it.")
    return None


def refuse_both_or_neither(inputs: object, device: object, *, names: str) -> None:
    """Refuse inputs beside a device, and none of both.

    Args:
        inputs: The inputs that are given; empty without any.
        device: The device; None without one.
        names: What help calls both.

    Raises:
        ConfigError: Both are given, or neither is.
    """
    if bool(inputs) == (device is not None):
        found = "both are" if inputs else "neither is"
        raise ConfigError(f"Either {names} must be given, but {found}.")
