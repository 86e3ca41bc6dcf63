from __future__ import annotations

import struct

import av
import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.features import footage, video
from signloom.features.video import is_video, open_video
from tests.small_films import GREYS, greys, shades, write_film, write_sound


@pytest.mark.parametrize(
    ("name", "codec", "pixels"),
    [
        ("a.mp4", "libx264", "yuv420p"),
        ("a.mkv", "libx264", "yuv444p"),
        ("a.mov", "prores_ks", "yuv422p10le"),
        ("a.webm", "libvpx", "yuv420p"),
        ("a.avi", "mjpeg", "yuvj420p"),
        ("a.ts", "mpeg2video", "yuv420p"),
        ("a.gif", "gif", "rgb8"),
    ],
)
def test_common_containers_codecs_and_pixel_formats_are_read(tmp_path, name, codec, pixels) -> None:
    film = open_video(write_film(tmp_path / name, greys(7), codec=codec, pixels=pixels))
    pictures = list(film.pictures)
    assert is_video(tmp_path / name)
    assert film.fps == 25
    assert film.warnings == []
    assert {picture.shape for picture in pictures} == {(32, 48, 3)}
    assert {picture.dtype for picture in pictures} == {np.dtype(np.uint8)}
    if codec != "gif":  # its few colours move the greys
        assert shades(pictures) == list(GREYS[:7])


@pytest.mark.parametrize(
    ("turned", "bright"),
    [(0, np.s_[:, :8]), (-90, np.s_[:8]), (90, np.s_[-8:]), (180, np.s_[:, -8:])],
)
def test_a_film_taken_with_a_turned_phone_is_upright(tmp_path, turned, bright) -> None:
    pictures = np.zeros((3, 32, 64, 3), np.uint8)
    pictures[:, :, :16] = 255
    path = write_film(tmp_path / "a.mp4", pictures, turned=turned)
    for picture in open_video(path).pictures:
        assert picture.shape == ((64, 32, 3) if turned in (90, -90) else (32, 64, 3))
        assert picture[bright].mean() > 240
        assert picture.flags.c_contiguous


def test_pixels_that_are_no_squares_are_made_so(tmp_path) -> None:
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt = 48, 32, "yuv420p"
        stream.codec_context.sample_aspect_ratio = 2
        for picture in greys(3):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))
    assert [picture.shape for picture in open_video(path).pictures] == [(32, 96, 3)] * 3


def test_a_variable_rate_becomes_constant_by_the_times_of_the_frames(tmp_path) -> None:
    times = [0, 40, 80, 280, 320, 360]
    path = write_film(tmp_path / "a.mkv", greys(6), times_ms=times)
    film = open_video(path, fps=25.0)
    pictures = list(film.pictures)
    expected = [GREYS[number] for number in (0, 1, 2, 2, 2, 2, 2, 3, 4, 5)]
    assert shades(pictures) == expected
    assert pictures[2] is pictures[6]
    assert 0.1 <= open_video(path).fps <= 240


def test_the_rate_that_is_asked_for_keeps_the_duration(tmp_path) -> None:
    path = write_film(tmp_path / "a.mp4", greys(11))
    for fps, count in ((50.0, 22), (12.5, 6), (1.0, 1)):
        film = open_video(path, fps=fps)
        assert (film.fps, len(list(film.pictures))) == (fps, count)
        assert film.num_frames is not None
        assert abs(film.num_frames - count) <= 1


def test_a_name_that_looks_like_an_address_is_a_file(tmp_path) -> None:
    path = write_film(tmp_path / "a.mp4", greys(3)).rename(tmp_path / "http:a?b%20c.mp4")
    assert len(list(open_video(path).pictures)) == 3


def test_a_file_cut_in_its_middle_gives_what_is_there_and_warns(tmp_path) -> None:
    rng = np.random.default_rng(0)
    noise = rng.integers(256, size=(31, 64, 96, 3), dtype=np.uint8)
    path = write_film(tmp_path / "a.mp4", noise, options={"movflags": "faststart"})
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    film = open_video(path)
    count = len(list(film.pictures))
    assert 5 <= count <= 25
    [warning] = film.warnings
    assert str(path) in warning
    assert f"{31 - count} of 31 frames could not be decoded" in warning


def test_damage_in_the_middle_is_counted_and_left_out(tmp_path) -> None:
    rng = np.random.default_rng(0)
    noise = rng.integers(256, size=(11, 64, 96, 3), dtype=np.uint8)
    path = write_film(tmp_path / "a.mov", noise, codec="prores_ks", pixels="yuv422p10le")
    data = bytearray(path.read_bytes())
    place = data.index(b"icpf", len(data) // 2)
    data[place : place + 4] = b"none"
    path.write_bytes(data)
    film = open_video(path)
    assert len(list(film.pictures)) >= 10
    assert "1 of 11 frames could not be decoded" in film.warnings[0]


def test_what_is_no_film_is_refused_in_one_line(tmp_path) -> None:
    whole = write_film(tmp_path / "whole.mp4", greys(5)).read_bytes()
    contents = {
        "text.mp4": (b"no film" * 99, "is none that can be decoded"),
        "empty.mp4": (b"", "it is empty"),
        "cut.mp4": (whole[: whole.index(b"moov") - 4], "its end is missing. Copy it again"),
        "list.mp4": (b"#EXTM3U\n#EXTINF:1,\nwhole.mp4\n", "is none that can be decoded"),
        "names.mp4": (b"ffconcat version 1.0\nfile whole.mp4\n", "is none that can be decoded"),
    }
    write_sound(tmp_path / "sound.mp4")
    for name, (content, claim) in contents.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FormatError, match=claim) as caught:
            open_video(tmp_path / name)
        assert str(tmp_path / name) in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(FormatError, match="have a stream of pictures, but has audio only"):
        open_video(tmp_path / "sound.mp4")
    with pytest.raises(FormatError, match=r"missing.mp4 cannot be read: No such file"):
        open_video(tmp_path / "missing.mp4")
    with pytest.raises(FormatError, match="is a folder, a pipe or a device"):
        open_video(tmp_path)


def test_a_film_without_a_frame_is_refused(tmp_path) -> None:
    empty = write_film(tmp_path / "empty.avi", greys(0), codec="rawvideo")
    with pytest.raises(FormatError, match=r"empty.avi must have a frame that can be decoded, but"):
        list(open_video(empty).pictures)
    path = write_film(tmp_path / "a.mp4", greys(3), options={"movflags": "faststart"})
    data = path.read_bytes()
    start = data.index(b"mdat") + 4
    path.write_bytes(data[:start] + bytes(len(data) - start))
    with pytest.raises(FormatError, match=r"a.mp4 must have a frame that .* but has none of 3"):
        list(open_video(path).pictures)


def test_huge_pictures_are_refused_before_any_is_decoded(tmp_path) -> None:
    path = write_film(tmp_path / "a.avi", greys(3), codec="rawvideo")
    said, huge = struct.pack("<ii", 48, 32), struct.pack("<ii", 16_000, 9_000)
    path.write_bytes(path.read_bytes().replace(said, huge))
    with pytest.raises(FormatError, match=r"at most 8192 pixels a side .* 16000 x 9000. Scale"):
        open_video(path)


def test_pictures_larger_than_the_header_says_are_refused_too(tmp_path, monkeypatch) -> None:
    path = write_film(tmp_path / "a.mp4", greys(3))
    film = open_video(path)
    monkeypatch.setattr(footage, "MAX_SIDE_PX", 40)
    with pytest.raises(FormatError, match="at most 40 pixels a side and 33554432 in all"):
        next(film.pictures)


def test_a_film_that_grows_while_it_runs_keeps_the_size_of_its_first_picture(tmp_path) -> None:
    first = write_film(tmp_path / "a.ts", greys(3), codec="mpeg2video").read_bytes()
    second = write_film(tmp_path / "b.ts", greys(3, height=64, width=96), codec="mpeg2video")
    path = tmp_path / "c.ts"
    path.write_bytes(first + second.read_bytes())
    assert {picture.shape for picture in open_video(path).pictures} == {(32, 48, 3)}


def test_too_many_frames_are_refused(tmp_path, monkeypatch) -> None:
    path = write_film(tmp_path / "a.mkv", greys(3), times_ms=[0, 40, 4_000_000])
    monkeypatch.setattr(video, "MAX_FRAMES", 1000)
    with pytest.raises(FormatError, match=r"at most 1000 frames at 25 fps, but has more. Cut"):
        for _ in open_video(path, fps=25.0).pictures:
            pass


def test_a_size_beyond_all_bounds_is_refused_too(tmp_path) -> None:
    path = write_film(tmp_path / "a.avi", greys(3), codec="rawvideo")
    said, huge = struct.pack("<ii", 48, 32), struct.pack("<ii", 2**30, 2**30)
    path.write_bytes(path.read_bytes().replace(said, huge))
    with pytest.raises(FormatError, match="must have pictures of a size that can be shown"):
        open_video(path)
