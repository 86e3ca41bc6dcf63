"""Pictures are read whatever form they have, and refused in one line where they do not hold."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from signloom.errors import FormatError
from signloom.features.pictures import MIN_SIDE_PX, is_picture, read_picture

RED, GREEN = (200, 30, 20), (10, 180, 40)


def half(width: int = 40, height: int = 24) -> Image.Image:
    """A picture that is red on the left and green on the right."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, : width // 2], pixels[:, width // 2 :] = RED, GREEN
    return Image.fromarray(pixels)


def assert_shows(
    path: Path, left: tuple[int, ...], right: tuple[int, ...], *, far: int = 2
) -> None:
    pixels = read_picture(path).pixels.astype(int)
    assert pixels.dtype == int
    assert pixels.shape[2] == 3
    assert np.abs(pixels[10, 3] - left).max() <= far
    assert np.abs(pixels[10, -4] - right).max() <= far


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".tif", ".ppm", ".webp", ".gif", ".jpg"])
def test_every_format_shows_the_same(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    half().save(path, **({"quality": 98} if suffix in (".jpg", ".webp") else {}))
    assert is_picture(path)
    assert_shows(path, RED, GREEN, far=12)
    assert read_picture(path).warnings == ()


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "LA", "CMYK", "1", "I;16", "I"])
def test_every_mode_becomes_eight_bits_of_three_colours(mode: str, tmp_path: Path) -> None:
    path = tmp_path / ("a.tif" if mode in ("CMYK", "I") else "a.png")
    if mode.startswith("I"):
        deep = np.full((24, 40), 200 * 256, np.uint16)
        deep[:, 20:] = 51 * 256
        Image.fromarray(deep if mode == "I;16" else deep.astype(np.int32)).save(path)
        assert_shows(path, (200, 200, 200), (51, 51, 51))
        return
    half().convert(mode).save(path)
    expected = np.asarray(half().convert(mode).convert("RGB"))
    assert_shows(path, expected[10, 3], expected[10, -4])


def test_a_jpeg_of_inks_is_read_in_its_colours(tmp_path: Path) -> None:
    half().convert("CMYK").save(tmp_path / "a.jpg", quality=98)
    assert_shows(tmp_path / "a.jpg", RED, GREEN, far=12)


def test_what_is_transparent_stands_on_white(tmp_path: Path) -> None:
    image = half().convert("RGBA")
    image.putalpha(Image.fromarray(np.repeat([[255] * 20 + [0] * 20], 24, 0).astype(np.uint8)))
    image.save(tmp_path / "a.png")
    assert_shows(tmp_path / "a.png", RED, (255, 255, 255))


@pytest.mark.parametrize(("orientation", "first", "second"), [(1, RED, GREEN), (3, GREEN, RED)])
def test_it_is_turned_as_the_camera_was_held(orientation, first, second, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    half().save(tmp_path / "a.jpg", exif=exif, quality=98)
    assert_shows(tmp_path / "a.jpg", first, second, far=12)


def test_a_picture_on_its_side_is_stood_up(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    half().save(tmp_path / "a.jpg", exif=exif)
    assert read_picture(tmp_path / "a.jpg").pixels.shape == (40, 24, 3)


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_of_an_animation_the_first_picture_is_looked_at(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    others = [Image.new("RGB", (40, 24), colour) for colour in ("blue", "black")]
    half().save(path, save_all=True, append_images=others)
    assert_shows(path, RED, GREEN, far=12)
    assert read_picture(path).warnings == (
        f"a{suffix} moves; of its 3 pictures the first is looked at.",
    )


def vast_png(side: int) -> bytes:
    """The header of a picture of any size, and no pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        sum_of = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + sum_of

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def bad(name: str, folder: Path) -> Path:
    """Write a file that is no good picture."""
    path = folder / f"{name}.png"
    if name == "cut":
        half(400, 300).save(folder / "cut.jpg", quality=98)
        content = (folder / "cut.jpg").read_bytes()
        path = folder / "cut.jpg"
        path.write_bytes(content[: len(content) // 2])
    elif name == "tiny":
        half(2, 1).resize((1, 1)).save(path)
    elif name.isdigit():
        path.write_bytes(vast_png(int(name)))
    elif name == "folder":
        path.mkdir()
    elif name == "pipe":
        os.mkfifo(path)
    elif name == "numbers":
        path = folder / "numbers.tif"
        Image.fromarray(np.full((30, 30), 0.5, np.float32)).save(path)
    elif name != "missing":
        path.write_bytes({"empty": b"", "text": b"no picture at all"}[name])
    return path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("text", "must be a picture .* but is none"),
        ("empty", "must be a picture .* but is none"),
        ("cut", "truncated"),
        ("tiny", f"at least {MIN_SIDE_PX} pixels a side, but is 1 x 1"),
        ("9000", "at most 67108864 pixels, but is 9000 x 9000. Scale it down"),
        ("20000", "at most 67108864 pixels"),
        ("folder", "it is a folder, a pipe or a device"),
        ("pipe", "it is a folder, a pipe or a device"),
        ("missing", "No such file"),
        ("numbers", "floating-point numbers"),
    ],
)
def test_what_is_no_good_picture_is_refused_in_one_line(name, message, tmp_path: Path) -> None:
    path = bad(name, tmp_path)
    with pytest.raises(FormatError, match=message) as caught:
        read_picture(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_however_short_an_animation_is_cut_it_is_refused_or_read(
    suffix: str, tmp_path: Path
) -> None:
    drawn = np.random.default_rng(0).integers(0, 256, (3, 24, 40, 3), dtype=np.uint8)
    first, *others = (Image.fromarray(pixels).quantize(64) for pixels in drawn)
    first.save(tmp_path / f"whole{suffix}", save_all=True, append_images=others)
    content = (tmp_path / f"whole{suffix}").read_bytes()
    path, refused = tmp_path / f"cut{suffix}", 0
    for end in range(1, len(content), 7):
        path.write_bytes(content[:end])
        try:
            read_picture(path)
        except FormatError:
            refused += 1
    assert refused


def test_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="name too long"):
        read_picture(tmp_path / ("a" * 5000 + ".png"))
