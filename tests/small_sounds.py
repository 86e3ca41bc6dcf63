"""Small recordings of sound, written by PyAV: any codec, rate, number of channels."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np


def tone(seconds: float, rate: int, *, hertz: float = 440.0, loudness: float = 0.5) -> np.ndarray:
    """Give a sine [samples]."""
    times = np.arange(round(seconds * rate)) / rate
    return (loudness * np.sin(2 * np.pi * hertz * times)).astype(np.float32)


def write_recording(
    path: Path,
    samples: np.ndarray,
    rate: int,
    *,
    codec: str = "pcm_s16le",
    sample_format: str = "s16",
) -> Path:
    """Write sound [samples] or [channels, samples], at most two."""
    channels = np.atleast_2d(np.asarray(samples, dtype=np.float32))
    layout = "mono" if len(channels) == 1 else "stereo"
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate, layout=layout)
        stream.codec_context.format = sample_format
        container.start_encoding()
        convert = av.AudioResampler(format=sample_format, layout=layout, rate=rate)
        frame = av.AudioFrame.from_ndarray(channels, format="fltp", layout=layout)
        frame.sample_rate = rate
        if channels.shape[1]:
            for converted in convert.resample(frame):
                container.mux(stream.encode(converted))
        container.mux(stream.encode(None))
    return path
