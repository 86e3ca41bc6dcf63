"""What `benchmarks/synthesize_speech.py` writes is a corpus that the reader `table` lists."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np

from signloom.data.speech.readers.registry import open_speech
from signloom.features.sound import read_sound

LINES = [f"sentence number {place}" for place in range(23)]


class Hum:
    """Says every text as a tone, the longer the longer it is; notes voices and speeds."""

    rate = 22050

    def __init__(self) -> None:
        self.said: list[tuple[str, int]] = []

    def speak(self, text: str, *, voice: str, speed: int) -> bytes:
        self.said.append((voice, speed))
        times = np.arange(400 * len(text)) / self.rate
        return (9000 * np.sin(2 * np.pi * 300 * times)).astype("<i2").tobytes()


def test_lines_become_sound_and_a_table_in_three_splits(repository: Path, tmp_path: Path) -> None:
    script = runpy.run_path(str(repository / "benchmarks" / "synthesize_speech.py"))
    hum = Hum()
    script["synthesize"](LINES, tmp_path / "out", hum)
    reading = open_speech("table", tmp_path / "out")
    assert reading.faults == ()
    assert {one.text for one in reading.entries} == set(LINES)
    splits = [one.split for one in reading.entries]
    assert [splits.count(one) for one in ("train", "dev", "test")] == [18, 2, 3]
    assert len(set(hum.said)) > 3
    sound = read_sound(reading.entries[0].path, rate=22050)
    assert len(sound.samples) == 400 * len(reading.entries[0].text)
