"""A still picture of the user's, whatever form it has, as pixels.

What a camera says of how it was held (EXIF) is heeded, transparent pixels stand on white, and of an
animation the first picture is taken. A file says how large its picture is before any of it is
decoded, so that what would take too much memory is refused unread.
"""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from signloom.errors import FormatError
from signloom.features.bounded import check_plain
from signloom.features.footage import Picture

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm")
MAX_PIXELS = 2**26
"""67 million: 8192 x 8192."""
MAX_BYTES = 256 * 2**20
MIN_SIDE_PX = 16
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM")
_DAMAGED = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    TypeError,
    IndexError,
    struct.error,
    zlib.error,
)
_SIXTEEN_BITS = ("I;16", "I;16L", "I;16B", "I;16N", "I")


@dataclass(frozen=True, eq=False)
class Photo:
    """A picture as it is to be looked at.

    Attributes:
        pixels: uint8 [height, width, 3] in red, green and blue.
        warnings: What is wrong with it, each a sentence.
    """

    pixels: Picture
    warnings: tuple[str, ...] = ()


def is_picture(path: Path) -> bool:
    """Say whether a file is called as pictures are."""
    return path.suffix.lower() in PICTURE_SUFFIXES


def read_picture(path: Path) -> Photo:
    """Read a still picture.

    Raises:
        FormatError: It is missing, no picture, cut short, too small or too large.
    """
    with _refused(path):
        if check_plain(path) > MAX_BYTES:
            raise FormatError(f"it must have at most {MAX_BYTES // 2**20} MiB, but has more")
        return _read(path)


def _read(path: Path) -> Photo:
    from PIL import Image, ImageOps

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sizes that are checked here
        with Image.open(path, formats=_FORMATS) as image:
            width, height = image.size
            if width * height > MAX_PIXELS:
                raise FormatError(
                    f"it must have at most {MAX_PIXELS} pixels, but is {width} x {height}. "
                    "Scale it down"
                )
            if min(width, height) < MIN_SIDE_PX:
                raise FormatError(
                    f"it must have at least {MIN_SIDE_PX} pixels a side, but is {width} x {height}"
                )
            frames = int(getattr(image, "n_frames", 1)) if image.format in ("GIF", "WEBP") else 1
            image.load()
            pixels = np.asarray(_as_rgb(ImageOps.exif_transpose(image)), dtype=np.uint8)
    moving = f"{path.name} moves; of its {frames} pictures the first is looked at."
    return Photo(pixels, (moving,) if frames > 1 else ())


def _as_rgb(image: Any) -> Any:
    """Bring a picture of any mode to 8 bits of red, green and blue."""
    from PIL import Image

    if image.mode in _SIXTEEN_BITS:
        deep = np.asarray(image).astype(np.int64)
        if deep.min() < 0 or deep.max() > 65535:
            raise FormatError("it must have 8 or 16 bits a channel, but has more")
        return Image.fromarray((deep >> 8).astype(np.uint8)).convert("RGB")
    if image.mode == "F":
        raise FormatError("it must have 8 or 16 bits a channel, but has floating-point numbers")
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        seen = image.convert("RGBA")
        white = Image.new("RGBA", seen.size, "white")
        return Image.alpha_composite(white, seen).convert("RGB")
    return image.convert("RGB")


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    """Say of whatever goes wrong that the picture cannot be read, in one line."""
    from PIL import Image, UnidentifiedImageError

    try:
        yield
    except FormatError as error:
        raise FormatError(f"{path} cannot be read: {error}.") from error
    except UnidentifiedImageError as error:
        raise FormatError(
            f"{path} must be a picture (JPEG, PNG, WebP, GIF, BMP, TIFF, PPM), but is none."
        ) from error
    except Image.DecompressionBombError as error:
        raise FormatError(
            f"{path} cannot be read: it must have at most {MAX_PIXELS} pixels, but says that it "
            "has many times more. Scale it down."
        ) from error
    except _DAMAGED as error:
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())[:120]
        raise FormatError(f"{path} cannot be read as a picture: {reason.rstrip('.')}.") from error
