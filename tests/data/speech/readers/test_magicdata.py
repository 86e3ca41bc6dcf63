from __future__ import annotations

import pytest

from signloom.data.speech.readers.magicdata import Options, read
from signloom.errors import FormatError
from tests.data.speech.small_speech import claims, write_lines, write_speech

HEADER = "UtteranceID\tSpeakerID\tTranscription"


def test_each_row_is_an_utterance_and_marks_of_noise_are_left_out(tmp_path) -> None:
    write_speech(tmp_path / "train/38_1/38_1_1.wav")
    write_speech(tmp_path / "train/38_1/38_1_2.wav")
    write_speech(tmp_path / "test/5_9/5_9_1.wav")
    write_lines(
        tmp_path / "train/TRANS.txt",
        HEADER,
        "38_1_1.wav\t38_1\t[FIL]你好[SPK]吗",
        "38_1_2.wav\t38_1\t[FIL]",
        "38_1_3.wav\t38_1\t好",
        "../x.wav\t38_1\t好",
    )
    write_lines(tmp_path / "test/TRANS.txt", HEADER, "5_9_1.wav\t5_9\t再见")
    reading = read(tmp_path, Options())
    assert [(e.name, e.split, e.text, e.speaker) for e in reading.entries] == [
        ("38_1_1", "train", "你好 吗", "38_1"),
        ("5_9_1", "test", "再见", "5_9"),
    ]
    found = claims(reading.faults)
    assert found.keys() == {3, 4, 5}
    assert "must have a text" in found[3]
    assert "names '38_1/38_1_3.wav', but" in found[4]
    assert "must be named by its path" in found[5]


def test_a_folder_without_a_table_is_refused(tmp_path) -> None:
    with pytest.raises(FormatError, match=r"must hold .*train/TRANS.txt or its like"):
        read(tmp_path, Options())
