"""Sequences of features, one row a frame, and the files that hold them.

    .npy    one sequence [frames, features], named after the file
    .npz    one sequence an array, named after it
    others  pickles of neccam/slt, packed by gzip or not: see `slt_file`

What a file is, its first bytes say. No pickle inside an array is ever read.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.features import slt_file
from signloom.features.bounded import MAX_BYTES, check_plain, most_unfolded
from signloom.features.frames import MAX_FRAMES, as_features

MAX_SEQUENCES = 100_000
_NPY, _ZIP = b"\x93NUMPY", b"PK"
Features = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class FeatureSequence:
    """What is seen in one video, as numbers.

    Attributes:
        name: What messages call it.
        features: One row a frame, float32 [frames, features]; finite, and perhaps of no frame,
            which is for the consumer to refuse.
        text: What is signed, where the file says it.
        glosses: The glosses that are signed, where the file says it.
        signer: Who signs, where the file says it.
    """

    name: str
    features: Features
    text: str = ""
    glosses: tuple[str, ...] = ()
    signer: str = ""

    @property
    def num_frames(self) -> int:
        """Number of frames."""
        return len(self.features)


def read_sequences(path: Path, *, max_frames: int = MAX_FRAMES) -> list[FeatureSequence]:
    """Read every sequence of a file; one of no frame is read as it is.

    Args:
        path: The file.
        max_frames: Most frames of a sequence.

    Raises:
        FormatError: The file is missing, damaged, too large, names code that it wants to be run,
            or holds no sequence; or a sequence is not [frames, features], has a number that is
            not finite, too many frames, or another width than the first.
    """
    found: list[FeatureSequence] = []
    num_bytes = 0
    for sequence in _read(path, _first_bytes(path), max_frames=max_frames):
        if found and sequence.features.shape[1] != found[0].features.shape[1]:
            raise FormatError(
                f"{path} must hold sequences of one width, but {sequence.name[:80]!r} has "
                f"{sequence.features.shape[1]} features a frame and {found[0].name[:80]!r} "
                f"has {found[0].features.shape[1]}."
            )
        num_bytes += sequence.features.nbytes
        if num_bytes > MAX_BYTES or len(found) == MAX_SEQUENCES:
            raise FormatError(
                f"{path} must hold at most {MAX_SEQUENCES} sequences of {MAX_BYTES} bytes in all, "
                "but holds more. Split it."
            )
        found.append(sequence)
    if not found:
        raise FormatError(f"{path} must hold at least one sequence, but holds none.")
    return found


def _first_bytes(path: Path) -> bytes:
    try:
        if not check_plain(path):
            raise FormatError("it is empty")
        with path.open("rb") as file:
            return file.read(len(_NPY))
    except FormatError as error:
        raise FormatError(f"{path} must be a file of features, but {error}.") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"{path} cannot be read: {reason}.") from error


def _read(path: Path, start: bytes, *, max_frames: int) -> Iterator[FeatureSequence]:
    is_array = start == _NPY
    is_archive = start.startswith(_ZIP)
    for suffix, fits in ((".npy", is_array), (".npz", is_archive)):
        if path.suffix.lower() == suffix and not fits:
            raise FormatError(f"{path} must be a NumPy file, as its name says, but is none.")
    if is_array:
        yield FeatureSequence(path.stem, _read_array(path, max_frames=max_frames))
    elif is_archive:
        yield from _read_archive(path, max_frames=max_frames)
    else:
        for entry in slt_file.read(path, max_frames=max_frames):
            yield FeatureSequence(*entry)


def _read_array(path: Path, *, max_frames: int) -> Features:
    try:
        # Mapped, so that a file cannot claim more numbers than it has.
        mapped = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # NumPy raises whatever the damage of a header leads to
        raise FormatError(f"{path} must be a NumPy array of numbers, but is damaged.") from error
    return as_features(mapped, f"{path}", max_frames=max_frames)


def _read_archive(path: Path, *, max_frames: int) -> Iterator[FeatureSequence]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            size = sum(member.file_size for member in members)
            most = most_unfolded(path.stat().st_size)
            if size > most or len(members) > MAX_SEQUENCES:
                raise FormatError(
                    f"{path} must unpack to at most {MAX_SEQUENCES} arrays of {most} bytes "
                    f"in all, but says {len(members)} of {size}."
                )
            for member in members:
                name = member.filename.removesuffix(".npy")
                place = f"{path} sequence {name[:80]!r}"
                values = _read_member(archive, member, place=place)
                yield FeatureSequence(name, as_features(values, place, max_frames=max_frames))
    except FormatError:
        raise
    except Exception as error:  # NumPy and zipfile raise whatever the damage leads to
        raise FormatError(f"{path} must be an archive of NumPy, but is damaged.") from error


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, *, place: str) -> NDArray[Any]:
    """Read an array whose header claims no more than the archive says is there."""
    with archive.open(member) as file:
        version = np.lib.format.read_magic(file)
        reader = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }.get(version)
        if reader is None:
            raise ValueError(version)
        shape, _, dtype = reader(file)
        if dtype.hasobject or _num_bytes(shape, dtype) > member.file_size:
            raise FormatError(f"{place} must be an array of numbers, but is none.")
    with archive.open(member) as file:
        values: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
        return values


def _num_bytes(shape: tuple[int, ...], dtype: np.dtype[Any]) -> int:
    count = dtype.itemsize
    for size in shape:
        count *= int(size)
    return count
