"""Speak the lines of a text file by espeak-ng: synthetic speech for `signloom reproduce nat-ubd`.

    python benchmarks/synthesize_speech.py sentences.txt data/synthetic [--library libespeak-ng.so]

Writes 16 kHz WAV files and `table.tsv` (file, text, speaker, split) for the reader `table`. Every
line is spoken once, by one of six voices at one of three speeds, chosen by its number: the same
lines give the same sound. It needs the shared library of espeak-ng (https://github.com/espeak-ng,
GPL-3): installed by the system, or from the wheel `espeakng-loader`. It is no voice of a person.
"""

from __future__ import annotations

import argparse
import ctypes
import wave
from collections.abc import Sequence
from pathlib import Path

VOICES = ("en-us", "en-us+m3", "en-us+f2", "en-gb", "en-gb+m5", "en-gb+f4")
WORDS_A_MINUTE = (120, 140, 160)
RETRIEVAL, RATE, UTF8 = 1, 1, 1
"""Numbers of espeak-ng's `speak_lib.h`: output mode, the parameter of speed, and the encoding."""
DEV_EVERY, TEST_EVERY = 20, 10


class Speaker:
    """espeak-ng, ready to speak.

    Args:
        library: Path or name of its shared library.
        data: Folder that holds `espeak-ng-data`; None for the system's.
    """

    def __init__(self, library: str, data: Path | None) -> None:
        self._library = ctypes.CDLL(library)
        path = str(data).encode() if data else None
        self.rate = self._library.espeak_Initialize(RETRIEVAL, 0, path, 0)
        if self.rate <= 0:
            raise SystemExit(f"{library} must find espeak-ng-data, but does not: give --data DIR")
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
        )
        self._callback = kind(self._take)
        self._library.espeak_SetSynthCallback(self._callback)
        self._heard = bytearray()

    def speak(self, text: str, *, voice: str, speed: int) -> bytes:
        """Speak a text; give 16-bit samples at `rate`."""
        self._heard.clear()
        self._library.espeak_SetVoiceByName(voice.encode())
        self._library.espeak_SetParameter(RATE, speed, 0)
        said = text.encode()
        self._library.espeak_Synth(said, len(said) + 1, 0, 0, 0, UTF8, None, None)
        self._library.espeak_Synchronize()
        return bytes(self._heard)

    def _take(self, samples: ctypes.Array[ctypes.c_short], count: int, _events: object) -> int:
        if samples and count > 0:
            self._heard += ctypes.string_at(samples, 2 * count)
        return 0


def split_of(number: int) -> str:
    """Say which split a line is in: every tenth is tested, every twentieth after it is for dev."""
    if number % TEST_EVERY == 0:
        return "test"
    return "dev" if number % DEV_EVERY == 1 else "train"


def synthesize(lines: Sequence[str], folder: Path, speaker: Speaker) -> None:
    """Write sound and table."""
    (folder / "wav").mkdir(parents=True, exist_ok=True)
    rows = ["file\ttext\tspeaker\tsplit"]
    for number, line in enumerate(lines):
        voice, speed = VOICES[number % len(VOICES)], WORDS_A_MINUTE[number % len(WORDS_A_MINUTE)]
        name = f"{number:05d}.wav"
        with wave.open(str(folder / "wav" / name), "wb") as file:
            file.setparams((1, 2, speaker.rate, 0, "NONE", ""))
            file.writeframes(speaker.speak(line, voice=voice, speed=speed))
        rows.append(f"wav/{name}\t{line}\t{voice}\t{split_of(number)}")
    (folder / "table.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def main() -> None:
    """Read the arguments and speak."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path, help="a sentence a line")
    parser.add_argument("folder", type=Path, help="where WAV files and table.tsv go")
    parser.add_argument("--library", default="libespeak-ng.so.1", help="shared library")
    parser.add_argument("--data", type=Path, help="folder that holds espeak-ng-data")
    parser.add_argument("--most", type=int, default=2000, help="lines that are spoken")
    options = parser.parse_args()
    lines = [line.strip() for line in options.text.read_text(encoding="utf-8").splitlines()]
    lines = list(dict.fromkeys(line for line in lines if line))[: options.most]
    synthesize(lines, options.folder, Speaker(options.library, options.data))


if __name__ == "__main__":
    main()
