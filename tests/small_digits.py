"""Small recordings of digits, laid out as FSDD's are: each digit is a tone, each take its length.

A speaker is told by the loudness, the split of a take by its length: 30 to 34 ms for testing, 35 to
39 ms for development, longer ones for training.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.small_sounds import tone, write_recording

RATE = 8000
TAKES = (0, 4, 5, 9, 10, 33, 49)
LOUDNESS = {"ann": 0.25, "bo": 0.5, "cy": 0.75}


def hertz_of(digit: int) -> float:
    """Give the tone of a digit."""
    return 300.0 * (digit + 1)


def write_digits(
    folder: Path, *, speakers: Iterable[str] = ("ann", "bo"), takes: Iterable[int] = TAKES
) -> Path:
    """Write the recordings into a new folder, and a file that is none."""
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("Digits.\n")
    for speaker in speakers:
        for digit in range(10):
            for take in takes:
                sound = tone(
                    (30 + take) / 1000, RATE, hertz=hertz_of(digit), loudness=LOUDNESS[speaker]
                )
                write_recording(folder / f"{digit}_{speaker}_{take}.wav", sound, RATE)
    return folder
