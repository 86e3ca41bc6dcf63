from __future__ import annotations

import pytest

from signloom.data.speech.readers.table import Options, read
from signloom.errors import ConfigError, FormatError
from tests.data.speech.small_speech import claims, write_lines, write_speech


def test_a_table_and_its_recordings_are_read(tmp_path) -> None:
    write_speech(tmp_path / "deep/one.wav")
    write_speech(tmp_path / "two.wav")
    write_lines(
        tmp_path / "any.csv",
        "file,text,split,speaker",
        'deep/one.wav,"so, it is",train,ann',
        "two,yes,val,",
    )
    reading = read(tmp_path, Options())
    assert reading.faults == ()
    assert [(e.name, e.split, e.text, e.speaker) for e in reading.entries] == [
        ("deep/one", "train", "so, it is", "ann"),
        ("two", "dev", "yes", ""),
    ]
    assert reading.entries[1].path == tmp_path / "two.wav"


def test_tables_a_split_are_read_as_common_voice_has_them(tmp_path) -> None:
    for name in ("one", "two", "three"):
        write_speech(tmp_path / f"clips/{name}.wav")
    header = "client_id\tpath\tsentence\tup_votes"
    write_lines(tmp_path / "train.tsv", header, 'x\tone.wav\tSo "it is.\t2')
    write_lines(tmp_path / "test.tsv", header, "y\ttwo.wav\tYes.\t2")
    write_lines(tmp_path / "validated.tsv", header, "y\tthree.wav\tNo.\t2")
    options = Options(file="path", text="sentence", speaker="client_id", recordings="clips")
    reading = read(tmp_path, options)
    assert reading.faults == ()
    assert [(e.name, e.split, e.text, e.speaker) for e in reading.entries] == [
        ("one", "train", 'So "it is.', "x"),
        ("two", "test", "Yes.", "y"),
    ]


def test_every_row_that_does_not_hold_is_named(tmp_path) -> None:
    write_speech(tmp_path / "a.wav")
    write_speech(tmp_path / "b.wav")
    (tmp_path / "empty.wav").touch()
    rows = ["a\tfine", "a.wav\tagain", "no\tone", "empty\tone", "../a\tone", "/etc/a\tone"]
    write_lines(tmp_path / "t.tsv", "file\ttext", *rows, "a", "b\t")
    reading = read(tmp_path, Options())
    assert [entry.text for entry in reading.entries] == ["fine"]
    expected = {
        3: "repeats the id 'a'",
        4: "names 'no', but",
        5: "empty.wav, but that is empty",
        6: "must be named by its path in",
        7: "must be named by its path in",
        8: "must have 2 fields as the header has, but has 1",
        9: "must have a text",
    }
    found = claims(reading.faults)
    assert found.keys() == expected.keys()
    for line, claim in expected.items():
        assert claim in found[line]


def test_columns_that_are_missing_are_named(tmp_path) -> None:
    write_lines(tmp_path / "t.tsv", "file\ttext", "a\tone")
    with pytest.raises(FormatError, match="lacks `said`"):
        read(tmp_path, Options(text="said"))


@pytest.mark.parametrize(
    ("options", "claim"),
    [
        ({"dev_percent": 60.0, "test_percent": 40.0}, "less than 100 together"),
        ({"dev_percent": -1.0}, "must be 0 or more"),
        ({"seed": -1}, "`seed` must be 0 or more, but is -1"),
    ],
)
def test_shares_that_leave_nothing_to_learn_from_are_refused(options, claim) -> None:
    with pytest.raises(ConfigError, match=claim):
        Options(**options)


def test_the_mandarin_sample_is_read_and_split_by_a_seed(data_dir) -> None:
    options = Options(file="utt", recordings="flac", suffix="flac", test_percent=20.0, seed=3)
    reading = read(data_dir / "speech/aishell_sample", options)
    assert reading.faults == ()
    splits = [entry.split for entry in reading.entries]
    assert [splits.count(split) for split in ("train", "dev", "test")] == [350, 50, 100]
    assert reading.entries[0].text == "嗯变温温度设为两度"
    assert reading.entries[0].speaker == "S0252"
