from __future__ import annotations

import struct

import pytest

from signloom.features.riff import claimed_length_s
from tests.small_sounds import tone, write_recording


def test_a_wav_says_its_length_even_if_it_is_shorter(tmp_path) -> None:
    path = write_recording(tmp_path / "a.wav", tone(0.7, 8000), 8000)
    path.write_bytes(path.read_bytes()[:200])
    assert claimed_length_s(path) == pytest.approx(0.7)


def chunks(*parts: tuple[bytes, bytes, int]) -> bytes:
    return b"RIFF0000WAVE" + b"".join(
        struct.pack("<4sI", name, size) + content for name, content, size in parts
    )


FORMAT = (b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16), 16)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"fLaC",
        chunks(),
        chunks((b"data", b"", 99)),
        chunks(FORMAT, (b"data", b"", 0)),
        chunks(FORMAT, (b"data", b"", 0xFFFFFFFF)),
        chunks(FORMAT, (b"LIST", b"abc", 0x7FFFFFFF)),
        chunks(*[(b"LIST", b"", 0)] * 99, FORMAT, (b"data", b"", 99)),
        chunks((b"fmt ", b"", 2), (b"data", b"", 99)),
    ],
)
def test_what_does_not_say_a_length_has_none(tmp_path, content) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(content)
    assert claimed_length_s(path) is None


def test_other_chunks_are_passed_over(tmp_path) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(chunks((b"LIST", b"abc\0", 3), FORMAT, (b"data", b"", 8000)))
    assert claimed_length_s(path) == 0.5
