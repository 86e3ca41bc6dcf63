"""Bottom-up features of regions (Anderson et al. 2018): one `.npz` or `.npy` a picture.

A file is called as its picture and holds `feat`, or one array alone: [10 to 100, 2048] in the files
the field hands round. They are read when they are asked for, without unpickling.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.features.bounded import check_plain
from signloom.features.frames import as_features

SUFFIXES = (".npz", ".npy")
KEY = "feat"
MAX_REGIONS = 1000
_MAX_BYTES = 64 * 2**20


class RegionFolder:
    """A folder of region features.

    Args:
        folder: The files.

    Raises:
        FormatError: There is none, or the first does not hold.
    """

    views = 1

    def __init__(self, folder: Path) -> None:
        self._paths = {
            path.stem: path for suffix in reversed(SUFFIXES) for path in folder.glob(f"*{suffix}")
        }
        if not self._paths:
            raise FormatError(
                f"{folder} must hold features of pictures: index.json of `signloom data features`, "
                f"or a file ending in {' or '.join(SUFFIXES)} for each, but holds neither."
            )
        self.positions = MAX_REGIONS
        self.num_features = self.get(min(self._paths)).shape[1]

    @property
    def names(self) -> tuple[str, ...]:
        """The pictures that are there."""
        return tuple(sorted(self._paths))

    def __contains__(self, name: object) -> bool:
        return name in self._paths

    def get(self, name: str, view: int = 0) -> NDArray[np.float32]:
        """Give the features of a picture [regions, features]; there is one view.

        Raises:
            FormatError: The file does not hold, or differs from the first in features.
        """
        path = self._paths[name]
        features = as_features(_read(path), str(path), max_frames=MAX_REGIONS)
        if not len(features):
            raise FormatError(f"{path} must hold at least one region, but holds none.")
        expected = getattr(self, "num_features", features.shape[1])
        if features.shape[1] != expected:
            raise FormatError(
                f"{path} must have {expected} features a region as others have, but has "
                f"{features.shape[1]}."
            )
        return features


def _read(path: Path) -> NDArray[np.generic]:
    try:
        if check_plain(path) > _MAX_BYTES:
            raise FormatError(f"it must have at most {_MAX_BYTES} bytes, but has more")
        if path.suffix == ".npz":
            with zipfile.ZipFile(path) as archive:
                unfolded = sum(member.file_size for member in archive.infolist())
            if unfolded > _MAX_BYTES:
                raise FormatError(
                    f"it must unfold into at most {_MAX_BYTES} bytes, but says {unfolded}"
                )
        found = np.load(path, mmap_mode="r", allow_pickle=False)
        if isinstance(found, np.ndarray):
            return found
        with found:
            names = [KEY] if KEY in found.files else found.files
            if len(names) != 1:
                raise FormatError(f"it must hold `{KEY}`, but holds {', '.join(names)[:80]}")
            array = found[names[0]]
            if not isinstance(array, np.ndarray):  # a member that is no array comes as bytes
                raise FormatError(f"its member {names[0][:80]!r} must be an array, but is none")
            return array
    except FormatError as error:
        raise FormatError(f"{path} cannot be read: {error}.") from error
    except Exception as error:  # archives fail in more ways than are worth naming
        reason = " ".join(str(error).split())[:120]
        raise FormatError(f"{path} must hold an array, but does not: {reason}.") from error
