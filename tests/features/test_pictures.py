from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from signloom.errors import FormatError
from signloom.features import pictures
from signloom.features.pictures import list_pictures, read_pictures


def write_film(folder: Path, film: np.ndarray, *, suffix: str = ".png") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number, picture in enumerate(film):
        Image.fromarray(picture).save(folder / f"frame{number}{suffix}")
    return folder


def noise(frames: int, height: int = 5, width: int = 7) -> np.ndarray:
    rng = np.random.default_rng(0)
    return rng.integers(256, size=(frames, height, width, 3), dtype=np.uint8)


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


def test_a_film_is_read_in_the_order_of_its_numbers(tmp_path) -> None:
    film = noise(11)
    (write_film(tmp_path, film) / "notes.txt").touch()
    paths = list_pictures(tmp_path)
    assert [path.name for path in paths] == [f"frame{number}.png" for number in range(11)]
    np.testing.assert_array_equal(read_pictures(paths), film)


def test_pictures_are_brought_to_a_size_while_they_are_read(tmp_path) -> None:
    film = np.broadcast_to(np.uint8([10, 20, 30]), (3, 5, 7, 3))
    small = read_pictures(list_pictures(write_film(tmp_path, film)), side_px=4)
    assert small.shape == (3, 4, 4, 3)
    assert (small == [10, 20, 30]).all()


def test_grey_and_transparent_pictures_and_jpegs_become_colour(tmp_path) -> None:
    Image.new("L", (7, 5), 90).save(tmp_path / "1.png")
    Image.new("RGBA", (7, 5), (9, 8, 7, 0)).save(tmp_path / "2.png")
    Image.new("RGB", (7, 5), (200, 0, 0)).save(tmp_path / "3.JPG")
    film = read_pictures(list_pictures(tmp_path))
    assert film[:2, 0, 0].tolist() == [[90, 90, 90], [9, 8, 7]]
    assert abs(int(film[2, 0, 0, 0]) - 200) < 3


def test_pictures_of_another_size_are_refused(tmp_path) -> None:
    write_film(tmp_path, noise(3))
    Image.new("RGB", (3, 5)).save(tmp_path / "frame2.png")
    with pytest.raises(FormatError, match=r"frame2.png must have 7 x 5 .* frame0.png .* 3 x 5"):
        read_pictures(list_pictures(tmp_path))


@pytest.mark.parametrize(
    ("content", "claim"),
    [
        (b"", "must be a picture, PNG or JPEG, but is none"),
        (b"GIF89a" + bytes(99), "must be a picture"),
        (png_claiming(90_000, 90_000), "must be a picture|pixels a side"),
        (png_claiming(5_000, 3), "at most 4096 pixels a side, but has 5000 x 3"),
        (png_claiming(7, 5), "damaged"),
    ],
)
def test_what_is_no_whole_picture_is_refused_in_one_line(tmp_path, content, claim) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=claim) as caught:
        read_pictures([path])
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_memory_is_counted_before_it_is_taken(tmp_path) -> None:
    paths = list_pictures(write_film(tmp_path, noise(1, 300, 400)))
    with pytest.raises(FormatError, match="smaller size, or cut it"):
        read_pictures(paths * 3000)


def test_too_many_pictures_and_a_file_too_large_are_refused(tmp_path, monkeypatch) -> None:
    write_film(tmp_path, noise(3))
    monkeypatch.setattr(pictures, "MAX_FILE_BYTES", 11)
    with pytest.raises(FormatError, match="at most 11 bytes"):
        read_pictures(list_pictures(tmp_path))
    monkeypatch.setattr(pictures, "MAX_FRAMES", 2)
    with pytest.raises(FormatError, match="at most 2 pictures, but holds 3"):
        list_pictures(tmp_path)


def test_a_folder_without_pictures_or_none_at_all_is_refused(tmp_path) -> None:
    for folder, claim in ((tmp_path, "but holds none"), (tmp_path / "no", "cannot be read")):
        with pytest.raises(FormatError, match=claim):
            list_pictures(folder)
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(FormatError, match="plain file"):
        read_pictures(list_pictures(tmp_path))
