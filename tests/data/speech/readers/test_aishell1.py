from __future__ import annotations

import pytest

from signloom.data.speech.readers.aishell1 import Options, read
from signloom.errors import FormatError
from tests.data.speech.small_speech import claims, write_lines, write_speech


@pytest.mark.parametrize("above", ["data_aishell", "."])
def test_recordings_with_a_transcript_are_read(tmp_path, above) -> None:
    root = tmp_path / above
    write_speech(root / "wav/train/S0002/A1.wav")
    write_speech(root / "wav/train/S0002/A2.wav")
    write_speech(root / "wav/test/S0764/A3.wav")
    (root / "wav/dev/S0724").mkdir(parents=True)
    (root / "wav/dev/S0724/A4.wav").touch()
    write_lines(
        root / "transcript/aishell_transcript_v0.8.txt",
        "A1 而 对 楼市",
        "A3 也 成为",
        "A4 地方",
        "A5 政府",
    )
    reading = read(tmp_path, Options())
    assert [(e.name, e.split, e.text, e.speaker) for e in reading.entries] == [
        ("A1", "train", "而 对 楼市", "S0002"),
        ("A3", "test", "也 成为", "S0764"),
    ]
    found = claims(reading.faults)
    assert found.keys() == {3, 4}
    assert "A4.wav, but that is empty" in found[3]
    assert "has no A5.wav" in found[4]
    [remark] = reading.remarks
    assert "1 recordings have no transcript" in remark.message


def test_a_folder_without_recordings_is_refused(tmp_path) -> None:
    write_lines(tmp_path / "transcript/aishell_transcript_v0.8.txt", "A1 而")
    with pytest.raises(FormatError, match=r"must hold wav/train/<speaker>/<id>.wav and more"):
        read(tmp_path, Options())
