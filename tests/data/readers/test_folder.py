"""A person's own folder: what a row says is read, what does not hold is named by its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from signloom.data.corpora.words import SPLITS
from signloom.data.readers.folder import Options, read
from signloom.data.readers.splits import hashed_split
from signloom.errors import ConfigError, FormatError
from signloom.poses.pose import Pose
from tests.data.small_corpus import moving_frames, skels_line, write_folder


def test_each_row_is_an_utterance(tmp_path) -> None:
    reading = read(write_folder(tmp_path), Options(language="ase", spoken_language="en"))
    assert reading.faults == ()
    assert [entry.name for entry in reading.entries] == [f"clip{number}" for number in range(7)]
    entry = reading.entries[3]
    assert (entry.split, entry.text, entry.signer) == ("test", "Text, number 3", "ann")
    assert entry.glosses == ("A", "B3")
    assert entry.load().num_frames == 11
    assert (reading.about.language, reading.about.spoken_language) == ("ase", "en")
    assert len(reading.files) == 8


def test_only_file_and_text_are_needed_and_the_split_is_a_hash_of_the_text(tmp_path) -> None:
    names = [f"a{number}" for number in range(40)]
    for name in names:
        Pose.of(moving_frames(1)).save(tmp_path / f"{name}.pose")
    rows = "".join(f"{name}.pose,text {name}\n" for name in names)
    (tmp_path / "any.csv").write_text("file,text\n" + rows)
    reading = read(tmp_path, Options())
    splits = [entry.split for entry in reading.entries]
    assert splits == [hashed_split(f"text {name}") for name in names]
    assert set(splits) == set(SPLITS)
    assert splits.count("train") > 20


def test_recordings_may_lie_deeper_lack_their_suffix_and_be_of_any_format(tmp_path) -> None:
    (tmp_path / "deep").mkdir()
    Pose.of(moving_frames(3)).save(tmp_path / "deep/a.json")
    (tmp_path / "b.skels").write_text(skels_line(moving_frames(5)) + "\n")
    (tmp_path / "t.csv").write_text("file,text,split\ndeep/a,one,val\nb.skels,two,Train\n")
    reading = read(tmp_path, Options())
    assert [(entry.name, entry.split) for entry in reading.entries] == [
        ("deep/a", "dev"),
        ("b", "train"),
    ]
    assert [entry.load().num_frames for entry in reading.entries] == [3, 5]


def test_every_row_that_does_not_hold_is_named(tmp_path) -> None:
    Pose.of(moving_frames(3)).save(tmp_path / "a.pose")
    lines = [
        "file,text,split",
        "a.pose,fine,train",
        "no.pose,not there,train",
        "a.pose,again,train",
        "../a.pose,outside,train",
        "/etc/passwd,outside,train",
        "a.pose,wrong split,trian",
        "a.json,,train",
        "a.pose",
        f"{'a' * 300}.pose,a name too long,train",
        f"a.pose,{'a text too long' * 2000},train",
    ]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    reading = read(tmp_path, Options())
    assert [entry.text for entry in reading.entries] == ["fine"]
    claims = {
        3: "names 'no.pose', but",
        4: "repeats the id 'a' of",
        5: "must be named by its path in",
        6: "must be named by its path in",
        7: "`split` must be one of train, dev, test, but is 'trian'",
        8: "names 'a.json', but",
        9: "must have 3 fields as the header has, but has 1",
        10: "names 'aaaa",
        11: "must have names and texts of at most 20000 characters",
    }
    found = {fault.place.line: fault.message for fault in reading.faults}
    assert found.keys() == claims.keys()
    for line, claim in claims.items():
        assert claim in found[line]


def test_an_empty_text_is_a_fault(tmp_path) -> None:
    Pose.of(moving_frames(3)).save(tmp_path / "a.pose")
    (tmp_path / "t.csv").write_text("file,text\na.pose, \n")
    [fault] = read(tmp_path, Options()).faults
    assert "must have a text" in fault.message


def test_a_kind_that_no_corpus_has_is_refused() -> None:
    with pytest.raises(ConfigError, match="`kind` must be signing or fingerspelling"):
        Options(kind="dancing")


def test_several_tables_need_a_name(tmp_path) -> None:
    write_folder(tmp_path)
    (tmp_path / "other.csv").write_text("file,text\nclip0.pose,other\n")
    with pytest.raises(FormatError, match=r"holds other\.csv, table\.csv\. .*--set table"):
        read(tmp_path, Options())
    assert [entry.text for entry in read(tmp_path, Options(table="other.csv")).entries] == ["other"]


def test_a_skels_file_of_two_sequences_is_no_recording(tmp_path) -> None:
    line = skels_line(moving_frames(3))
    (tmp_path / "b.skels").write_text(f"{line}\n{line}\n")
    (tmp_path / "t.csv").write_text("file,text\nb.skels,two\n")
    [entry] = read(tmp_path, Options()).entries
    with pytest.raises(FormatError, match=r"b\.skels must hold one sequence"):
        entry.load()


def test_a_folder_made_by_hand_from_the_dgs_sample_is_read(data_dir: Path, tmp_path) -> None:
    sentences = sorted((data_dir / "sign/dgs_fluent/sentences").glob("*_original.pose"))[:3]
    rows = []
    for number, path in enumerate(sentences):
        (tmp_path / path.name).symlink_to(path)
        rows.append(f"{path.name},Satz {number}\n")
    (tmp_path / "t.csv").write_text("file,text\n" + "".join(rows))
    reading = read(tmp_path, Options())
    assert reading.faults == ()
    assert all(entry.load().num_frames > 20 for entry in reading.entries)
