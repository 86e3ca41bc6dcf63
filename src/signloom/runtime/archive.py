"""Put a model package into one file that can be handed on, for `signloom models install`."""

from __future__ import annotations

import zipfile
from pathlib import Path

from signloom.poses.formats.atomic import replacing
from signloom.runtime.package import Package

SUFFIX = ".zip"
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""One date for all: the same package gives the same file."""


def pack(package: Package, path: Path) -> Path:
    """Write a package as a zip file, whole or not at all.

    Args:
        package: The package, read and verified.
        path: Where the file goes; one that is there is replaced.

    Raises:
        FormatError: It cannot be written.
    """
    with (
        replacing(path) as temporary,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for file in sorted(package.path.iterdir()):
            entry = zipfile.ZipInfo(file.name, _FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, file.read_bytes())
    return path
