"""Films in files, decoded by PyAV one frame at a time: any codec, upright, at a constant rate.

The container may say anything, so it is believed in nothing that costs memory. What is damaged is
left out and told; what is cut short ends where it ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from signloom.errors import FormatError
from signloom.features.containers import Decoding, choose_stream, open_container
from signloom.features.footage import (
    DEFAULT_FPS,
    MAX_FRAMES,
    MAX_PIXELS,
    MAX_SIDE_PX,
    Footage,
    Picture,
    check_size,
)
from signloom.features.steady import Shown, at_constant_rate
from signloom.poses.pose import MAX_FPS, MIN_FPS

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

VIDEO_SUFFIXES = (
    *(".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".mts"),
    *(".wmv", ".flv", ".3gp", ".ogv", ".gif"),
)
_CONTAINERS = (
    *("mov", "matroska", "avi", "mpeg", "mpegts", "asf", "flv", "ogg", "gif", "mpegvideo"),
    *("h264", "hevc", "m4v", "ivf", "mjpeg", "mxf", "nut", "obu", "yuv4mpegpipe"),
)
_MAX_STRETCH = 4.0
"""A pixel this many times as wide as high, or as high as wide, is a mistake in the header."""


def is_video(path: Path) -> bool:
    """Say whether a file of this name is a film."""
    return path.suffix.lower() in VIDEO_SUFFIXES


def open_video(path: Path, *, fps: float | None = None) -> Footage:
    """Read the header of a film.

    Args:
        path: The file.
        fps: Frames per second to bring it to; by default its own average.

    Raises:
        FormatError: It is no film that can be decoded, or its pictures are too large. Taking the
            pictures raises it where there is none, or too many.
    """
    container = open_container(path, formats=_CONTAINERS, noun="a video")
    return decode(container, name=str(path), fps=fps)


def decode(container: InputContainer, *, name: str, fps: float | None = None) -> Footage:
    """Give the pictures of an open container, which is closed when the last is taken.

    Args:
        container: What PyAV has opened.
        name: What messages call it.
        fps: Frames per second to bring it to; by default its own average.

    Raises:
        FormatError: It has no stream of pictures, or they are too large.
    """
    stream = choose_stream(container, container.streams.video, name=name, noun="pictures")
    check_size(stream.codec_context.width, stream.codec_context.height, name=name)
    stream.codec_context.options = {"max_pixels": str(MAX_PIXELS)}
    warnings: list[str] = []
    own = _rate(stream)
    if own is None:
        own = DEFAULT_FPS
        warnings.append(f"{name} does not say its frame rate; {own:g} is taken.")
    duration_s = _duration_s(container, stream, own)
    expected = None if duration_s is None else max(1, round(duration_s * (fps or own)))
    decoding = Decoding(container, stream)
    reading = _Reading(decoding, name=name, frame_s=1 / own, warnings=warnings)
    return Footage(reading.pictures(fps or own), fps or own, expected, warnings)


@dataclass
class _Reading:
    """A film being decoded, and what has gone wrong so far."""

    decoding: Decoding
    name: str
    frame_s: float
    warnings: list[str]

    def pictures(self, fps: float) -> Iterator[Picture]:
        """Give the pictures at a constant rate."""
        count = 0
        try:
            for picture in at_constant_rate(self._timed(), fps):
                count += 1
                if count > MAX_FRAMES:
                    raise FormatError(
                        f"{self.name} must have at most {MAX_FRAMES} frames at {fps:g} fps, but "
                        "has more. Cut it into parts."
                    )
                yield picture
        finally:
            self.decoding.container.close()
        if not count:
            raise FormatError(
                f"{self.name} must have a frame that can be decoded, but has none of "
                f"{self.decoding.broken or self.announced}."
            )
        self._tell_damage()

    @property
    def announced(self) -> int:
        """Frames that the header says there are; 0 if it does not say."""
        return int(self.decoding.stream.frames)

    def _tell_damage(self) -> None:
        decoded = self.decoding.decoded
        lost = max(self.announced - decoded, self.decoding.broken)
        if lost:
            of = f" of {max(self.announced, decoded + lost)}"
            self.warnings.append(
                f"{self.name} is damaged or cut short: {lost}{of} frames could not be decoded."
            )
        elif self.decoding.is_cut:
            self.warnings.append(f"{self.name} is cut short after {decoded} frames.")

    def _timed(self) -> Iterator[tuple[Shown, Picture]]:
        start, size, stream = -self.frame_s, None, self.decoding.stream
        for frame in self.decoding.frames():
            check_size(frame.width, frame.height, name=self.name)
            start = start + self.frame_s if frame.time is None else float(frame.time)
            base = frame.time_base or stream.time_base
            lasts = float(frame.duration * base) if frame.duration and base else self.frame_s
            picture = _upright(frame, stream, size=size)
            size = size or picture.shape[:2]
            yield Shown(start, start + lasts), picture


def _upright(frame: VideoFrame, stream: VideoStream, *, size: Any = None) -> Picture:
    """Give the picture as it is to be seen: square pixels, turned, of the first one's size."""
    width, height = frame.width, frame.height
    quarters = round(frame.rotation / 90) % 4
    if size is not None:
        height, width = size if quarters % 2 == 0 else size[::-1]
    else:
        ratio = float(stream.sample_aspect_ratio or 1)
        if 1 / _MAX_STRETCH <= ratio <= _MAX_STRETCH:
            wide = max(1, round(width * ratio))
            # Where squares would pass the bound, the other side is made smaller.
            if wide <= MAX_SIDE_PX and wide * height <= MAX_PIXELS:
                width = wide
            else:
                height = max(1, round(height / ratio))
    shown = frame.reformat(width=width, height=height, format="rgb24").to_ndarray()
    return np.ascontiguousarray(np.rot90(shown, quarters))


def _rate(stream: VideoStream) -> float | None:
    """Give frames per second as the header says or the first packets suggest."""
    for rate in (stream.average_rate, stream.guessed_rate, stream.base_rate):
        if rate and MIN_FPS <= rate <= MAX_FPS:
            return float(rate)
    return None


def _duration_s(container: InputContainer, stream: VideoStream, fps: float) -> float | None:
    if stream.frames:
        return float(stream.frames) / fps
    if stream.duration and stream.time_base:
        return float(stream.duration * stream.time_base)
    return container.duration / 1e6 if container.duration else None
