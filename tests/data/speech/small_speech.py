"""Small recordings, each of another sound, for lists of speech."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.small_sounds import write_recording

RATE = 8000


def write_speech(path: Path, seconds: float = 0.3) -> Path:
    """Write noise that the name of the file decides."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(list(path.name.encode()))
    return write_recording(path, rng.uniform(-0.3, 0.3, round(seconds * RATE)), RATE)


def write_lines(path: Path, *lines: str) -> Path:
    """Write a list."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def claims(faults) -> dict[int, str]:
    """Give the messages of faults by their line."""
    return {fault.place.line: fault.message for fault in faults}
