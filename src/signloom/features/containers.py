"""Files of films and sounds, opened and decoded by PyAV without believing them.

Only formats that hold what they play themselves are opened, none that name other files or
addresses. What cannot be decoded is left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.errors import FormatError
from signloom.features.bounded import check_plain

if TYPE_CHECKING:
    from av.container import InputContainer


def open_container(path: Path, *, formats: Sequence[str], noun: str) -> InputContainer:
    """Read the header of a file.

    Args:
        path: The file.
        formats: What it may be, as FFmpeg calls it.
        noun: What it must be, for messages: `a video`.

    Raises:
        FormatError: It cannot be read or is none of the formats.
    """
    import av

    try:
        if not check_plain(path):
            raise FormatError("it is empty")
        return av.open(
            f"file:{path}",  # a name may look like an address
            options={"format_whitelist": ",".join(formats), "protocol_whitelist": "file"},
        )
    except FormatError as error:
        raise FormatError(f"{path} must be {noun}, but {error}.") from error
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    except (av.FFmpegError, OSError, ValueError) as error:
        found = "is none that can be decoded"
        if _starts_as_mp4(path):
            found = "has no index (`moov`), so its end is missing. Copy it again"
        raise FormatError(f"{path} must be {noun}, but {found}.") from error


def choose_stream(
    container: InputContainer, streams: Sequence[Any], *, name: str, noun: str
) -> Any:
    """Give the first stream that can be decoded and is no picture of a cover.

    Args:
        container: The file.
        streams: Those of the kind that is wanted.
        name: What messages call the file.
        noun: What they call the kind: `pictures`.

    Raises:
        FormatError: There is none.
    """
    from av.stream import Disposition

    for stream in streams:
        if not stream.disposition & Disposition.attached_pic and stream.codec_context is not None:
            return stream
    kinds = ", ".join(sorted({str(stream.type) for stream in container.streams})) or "nothing"
    if streams:
        kinds = f"{noun} of an unknown codec"
    raise FormatError(f"{name} must have a stream of {noun}, but has {kinds} only.")


@dataclass
class Decoding:
    """A stream being decoded, and what has gone wrong so far.

    Attributes:
        container: The file.
        stream: The stream of it.
        decoded: Frames that were given.
        broken: Packets that could not be decoded.
        is_cut: Whether the file broke off before its end.
    """

    container: InputContainer
    stream: Any
    decoded: int = 0
    broken: int = 0
    is_cut: bool = False

    def frames(self) -> Iterator[Any]:
        """Decode; leave out and count what is damaged."""
        import av

        packets = self.container.demux(self.stream)
        while not self.is_cut:
            try:
                packet = next(packets)  # the last one is empty and drains the decoder
            except StopIteration:
                return
            except (av.FFmpegError, OSError):
                self.is_cut, packet = True, None
            try:
                found = self.stream.decode(packet)
            except (av.FFmpegError, OSError):
                self.broken += 1
                continue
            for frame in found:
                self.decoded += 1
                yield frame


def _starts_as_mp4(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(8)[4:] == b"ftyp"
