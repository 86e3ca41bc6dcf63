"""Small films, written by PyAV: any codec, rate, turn or damage."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

GREYS = tuple(range(20, 240, 20))


def greys(count: int, *, height: int = 32, width: int = 48) -> np.ndarray:
    """Give pictures [count, height, width, 3], each of another grey."""
    values = np.array([GREYS[number % len(GREYS)] for number in range(count)], dtype=np.uint8)
    return np.broadcast_to(values[:, None, None, None], (count, height, width, 3)).copy()


def shades(pictures: Sequence[np.ndarray]) -> list[int]:
    """Give the nearest of `GREYS` for each picture."""
    return [min(GREYS, key=lambda grey: abs(grey - picture.mean())) for picture in pictures]


def write_film(
    path: Path,
    pictures: np.ndarray,
    *,
    fps: float = 25.0,
    times_ms: Sequence[int] | None = None,
    codec: str = "libx264",
    pixels: str = "yuv420p",
    turned: int = 0,
    options: dict[str, str] | None = None,
) -> Path:
    """Write pictures, at a constant rate or at times of their own."""
    rate = Fraction(fps).limit_denominator(1001)
    with av.open(str(path), "w", options=options or {}) as container:
        stream = container.add_stream(codec, rate=rate)
        stream.height, stream.width = pictures.shape[1:3]
        stream.pix_fmt = pixels
        stream.time_base = base = Fraction(1, 1000) if times_ms else 1 / rate
        if turned:
            stream.set_display_rotation(turned)
        container.start_encoding()
        for number, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts = times_ms[number] if times_ms else number
            frame.time_base = base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def write_sound(path: Path) -> Path:
    """Write a file that has sound only."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=8000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        frame.sample_rate = 8000
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path
