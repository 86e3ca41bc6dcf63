from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from signloom.errors import FormatError
from signloom.features import frame_folder
from signloom.features.frame_folder import is_frames_folder, open_frames
from tests.small_films import GREYS, greys, shades


def png_claiming(width: int, height: int) -> bytes:
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes(11))),
    )
    packed = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def test_pictures_come_in_the_order_of_their_numbers(tmp_path) -> None:
    for number, picture in enumerate(greys(11)):
        Image.fromarray(picture).save(tmp_path / f"f{number}.{'png' if number % 2 else 'JPG'}")
    (tmp_path / "notes.txt").touch()
    (tmp_path / "._f3.png").write_bytes(b"what a Mac leaves behind")
    film = open_frames(tmp_path, fps=12.5)
    assert is_frames_folder(tmp_path)
    assert (film.fps, film.num_frames, film.warnings) == (12.5, 11, [])
    assert shades(list(film.pictures)) == list(GREYS[:11])


def test_a_rate_that_is_not_said_is_taken_for_25_with_a_warning(tmp_path) -> None:
    Image.new("RGB", (7, 5)).save(tmp_path / "1.png")
    film = open_frames(tmp_path)
    assert film.fps == 25
    assert film.warnings == [f"{tmp_path} does not say its frame rate; 25 is taken."]


def test_grey_transparent_and_turned_pictures_become_colour_and_upright(tmp_path) -> None:
    Image.new("L", (7, 5), 90).save(tmp_path / "1.png")
    Image.new("RGBA", (7, 5), (9, 8, 7, 0)).save(tmp_path / "2.png")
    turned = Image.new("RGB", (5, 7), (200, 0, 0))
    exif = turned.getexif()
    exif[0x0112] = 6
    turned.save(tmp_path / "3.jpg", exif=exif)
    film = np.stack(list(open_frames(tmp_path).pictures))
    assert film.shape == (3, 5, 7, 3)
    assert film[:2, 0, 0].tolist() == [[90, 90, 90], [9, 8, 7]]


@pytest.mark.parametrize(
    ("content", "claim"),
    [
        (b"", "must be a PNG or JPEG picture"),
        (b"GIF89a" + bytes(99), "must be a PNG or JPEG picture"),
        (png_claiming(90_000, 90_000), "must be a PNG|pixels a side"),
        (png_claiming(9_000, 3), "at most 8192 pixels a side .* 9000 x 3"),
        (png_claiming(7, 5), "damaged"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_line(tmp_path, content, claim) -> None:
    (tmp_path / "1.png").write_bytes(content)
    with pytest.raises(FormatError, match=claim) as caught:
        list(open_frames(tmp_path).pictures)
    assert str(tmp_path / "1.png") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_pictures_of_different_sizes_are_refused(tmp_path) -> None:
    Image.new("RGB", (7, 5)).save(tmp_path / "1.png")
    Image.new("RGB", (5, 3)).save(tmp_path / "2.png")
    with pytest.raises(FormatError, match=r"2.png must be .* 7 x 5, but is 5 x 3"):
        list(open_frames(tmp_path).pictures)


def test_too_many_pictures_and_none_are_refused(tmp_path, monkeypatch) -> None:
    for claim in ("holds 0", "holds 3"):
        monkeypatch.setattr(frame_folder, "MAX_FRAMES", 2)
        with pytest.raises(FormatError, match=f"must hold 1 to 2 pictures .* {claim}"):
            open_frames(tmp_path)
        for name in ("1.png", "2.png", "3.png"):
            (tmp_path / name).touch()
    with pytest.raises(FormatError, match="missing cannot be read"):
        open_frames(tmp_path / "missing")


def test_a_folder_of_films_or_poses_with_a_picture_beside_them_is_none(tmp_path: Path) -> None:
    for name in ("a.mp4", "b.pose", "notes.txt"):
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / "x.PNG").touch()
        assert is_frames_folder(folder)
        (folder / name).touch()
        assert is_frames_folder(folder) == (name == "notes.txt")
