"""Files that hold many sequences: `.skels` and the `.pt` files of the SLRTP challenge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from signloom.errors import FormatError
from signloom.poses.formats.atomic import replacing
from signloom.poses.formats.plain import read_plain
from signloom.poses.formats.recording import Recording

SUFFIXES = (".skels", ".pt")
MAX_NAMES_BYTES = 64 * 2**20


def read_all(path: Path, *, swap_sides: bool = False) -> Iterator[Recording]:
    """Read the sequences of a file, one at a time.

    Those of `.skels` are named by the lines of the parallel file `.files` if it is there, and by
    their numbers otherwise.

    Args:
        path: Ends in `.skels` or `.pt`.
        swap_sides: For `.skels`: take joints 2-4 and their hand for the signer's right, not left.

    Raises:
        FormatError: The file or a sequence is not what it must be, or `.files` has not a line for
            each sequence.
        MissingExtraError: A `.pt` file needs PyTorch, which is not installed.
    """
    if path.suffix.lower() == ".pt":
        from signloom.poses.formats import slrtp_file

        yield from slrtp_file.read_all(path)
        return
    from signloom.poses.formats import skels_file

    names = _read_names(path.with_suffix(".files"))
    number = 0
    for number, pose in enumerate(skels_file.read_all(path, swap_sides=swap_sides), 1):
        if names is not None and number > len(names):
            raise _unequal(path, number=number, names=len(names))
        yield Recording(str(number) if names is None else names[number - 1], pose)
    if names is not None and number != len(names):
        raise _unequal(path, number=number, names=len(names))


def read_one(path: Path, number: int, *, swap_sides: bool = False) -> Recording:
    """Read one sequence by its number, from 1.

    Raises:
        FormatError: There is no such sequence, or one before it is not what it must be.
        MissingExtraError: A `.pt` file needs PyTorch, which is not installed.
    """
    before = 0
    for recording in islice(read_all(path, swap_sides=swap_sides), max(0, number)):
        before += 1
        if before == number:
            return recording
    raise FormatError(
        f"{path} must have a sequence {number} to read it, but they are numbered from 1"
        + (f" to {before}." if number > 0 else ".")
    )


def write_all(recordings: Iterable[Recording], path: Path) -> None:
    """Write sequences to a file that appears whole or not at all.

    Raises:
        FormatError: The place cannot be written to, there is no sequence, or the format cannot
            hold one.
        MissingExtraError: A `.pt` file needs PyTorch, which is not installed.
    """
    with replacing(path) as temporary:
        if path.suffix.lower() == ".pt":
            from signloom.poses.formats import slrtp_file

            slrtp_file.write_all(recordings, temporary)
        else:
            from signloom.poses.formats import skels_file

            skels_file.write_all((recording.pose for recording in recordings), temporary)


def _read_names(path: Path) -> list[str] | None:
    try:
        return read_plain(path, most=MAX_NAMES_BYTES).decode("utf-8-sig").splitlines()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} must be UTF-8 text, but is not: {error.reason}.") from error
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error


def _unequal(path: Path, *, number: int, names: int) -> FormatError:
    return FormatError(
        f"{path.with_suffix('.files')} must have a line for each sequence of {path.name}, but has "
        f"{names} lines and the sequences are {'at least ' if number > names else ''}{number}."
    )
