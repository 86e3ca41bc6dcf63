from __future__ import annotations

import json

import pytest

from signloom.data.speech.readers.jsonl import Options, read
from signloom.errors import FormatError
from tests.data.speech.small_speech import claims, write_lines, write_speech


def test_a_file_a_split_is_read(tmp_path) -> None:
    path = write_speech(tmp_path / "deep" / "a.wav")
    lines = [
        {"audio": "deep/a.wav", "text": "so it is", "speaker": 7, "duration": 0.3},
        {"id": "b", "audio": str(path), "text": "yes", "offset": 0.1, "duration": 0.2},
    ]
    write_lines(tmp_path / "train.jsonl", *map(json.dumps, lines))
    write_lines(tmp_path / "val.jsonl", '{"id": "c", "audio": "deep/a.wav", "text": "温度"}')
    reading = read(tmp_path, Options())
    assert reading.faults == ()
    assert [(e.name, e.split, e.text, e.speaker) for e in reading.entries] == [
        ("deep/a.wav", "train", "so it is", "7"),
        ("b", "train", "yes", ""),
        ("c", "dev", "温度", ""),
    ]
    assert [(e.start_s, e.end_s, e.duration_s) for e in reading.entries] == [
        (0.0, None, 0.3),
        (0.1, pytest.approx(0.3), 0.2),
        (0.0, None, None),
    ]


def test_one_file_of_all_names_its_splits_or_they_are_drawn(tmp_path) -> None:
    write_speech(tmp_path / "a.wav")
    lines = [{"id": f"u{n}", "audio_filepath": "a.wav", "said": "one"} for n in range(10)]
    lines += [line | {"id": f"{line['id']}v", "split": "validation"} for line in lines]
    write_lines(tmp_path / "all.json", *map(json.dumps, lines))
    options = Options(audio="audio_filepath", text="said", dev_percent=0.0, test_percent=50.0)
    reading = read(tmp_path, options)
    assert reading.faults == ()
    splits = [entry.split for entry in reading.entries]
    assert splits[10:] == ["dev"] * 10
    assert sorted(splits[:10]) == ["test"] * 5 + ["train"] * 5


def test_every_line_that_does_not_hold_is_named(tmp_path) -> None:
    write_speech(tmp_path / "a.wav")
    lines = [
        '{"audio": "a.wav", "text": "fine"}',
        '{"audio": "a.wav", "text": "again"}',
        "no json",
        "[1]",
        '{"text": "no audio"}',
        '{"audio": "no.wav", "text": "one"}',
        '{"id": "b", "audio": "a.wav"}',
        '{"id": "c", "audio": "a.wav", "text": ["one"]}',
        '{"id": "d", "audio": "a.wav", "text": "one", "duration": -1}',
        '{"id": "e", "audio": "a.wav", "text": "one", "duration": NaN}',
        '{"id": "f", "audio": "a.wav", "text": "one", "split": "trian"}',
        '{"id": "g", "audio": "touch x |", "text": "one"}',
        '{"id": "h", "audio": "a\\u0000.wav", "text": "one"}',
        "",
    ]
    write_lines(tmp_path / "train.jsonl", *lines)
    reading = read(tmp_path, Options())
    assert [entry.text for entry in reading.entries] == ["fine"]
    expected = {
        2: "repeats the id 'a.wav'",
        3: "must be an object of JSON, but is not",
        4: "must be an object of JSON, but is a list",
        5: "must have the path of a recording under `audio`, but has none",
        6: "names 'no.wav', but there is no such file",
        7: "must have a text, but that of 'b' is empty",
        8: "must have a text under `text`, but has \"['one']\"",
        9: "must have seconds from 0 up, but has '-1'",
        10: "must have seconds from 0 up, but has 'nan'",
        11: "`split` must be one of train, dev, test, but is 'trian'",
        12: "names a command",
        13: "there is no such file",
        14: "must be an object of JSON, but is not",
    }
    found = claims(reading.faults)
    assert found.keys() == expected.keys()
    for line, claim in expected.items():
        assert claim in found[line]


def test_several_files_need_a_name(tmp_path) -> None:
    write_speech(tmp_path / "a.wav")
    for name in ("one.jsonl", "two.jsonl"):
        write_lines(tmp_path / name, '{"audio": "a.wav", "text": "one"}')
    with pytest.raises(FormatError, match=r"holds one\.jsonl, two\.jsonl\. .*--set table"):
        read(tmp_path, Options())
    assert len(read(tmp_path, Options(table="two.jsonl")).entries) == 1
