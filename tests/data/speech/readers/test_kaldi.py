from __future__ import annotations

import pytest

from signloom.data.speech.readers.kaldi import Options, read
from signloom.errors import FormatError
from tests.data.speech.small_speech import claims, write_lines, write_speech


def test_folders_of_lists_are_read(tmp_path) -> None:
    one = write_speech(tmp_path / "a b.wav")
    write_speech(tmp_path / "wav" / "two.wav")
    write_lines(tmp_path / "train/wav.scp", f"u1 {one}", "u2\twav/two.wav")
    write_lines(tmp_path / "train/text", "u1 so it  is", "u2\t温 度")
    write_lines(tmp_path / "train/utt2spk", "u1 ann")
    write_lines(tmp_path / "train/utt2dur", "u2 0.30")
    write_speech(tmp_path / "valid/three.wav")
    write_lines(tmp_path / "valid/wav.scp", "u3 three.wav")
    write_lines(tmp_path / "valid/text", "u3 yes")
    reading = read(tmp_path, Options(spoken_language="zh", licence="mine"))
    assert reading.faults == ()
    found = [(e.name, e.split, e.text, e.speaker, e.duration_s) for e in reading.entries]
    assert found == [
        ("u1", "train", "so it  is", "ann", None),
        ("u2", "train", "温 度", "", 0.3),
        ("u3", "dev", "yes", "", None),
    ]
    assert [e.path.name for e in reading.entries] == ["a b.wav", "two.wav", "three.wav"]
    assert reading.entries[1].place.line == 2
    assert (reading.about.name, reading.about.spoken_language) == (tmp_path.name, "zh")


def test_segments_are_parts_of_recordings(tmp_path) -> None:
    write_speech(tmp_path / "long.wav", 1.0)
    write_lines(tmp_path / "test/wav.scp", "rec long.wav")
    write_lines(tmp_path / "test/segments", "u1 rec 0.25 0.5", "u2 rec 0.5 -1")
    write_lines(tmp_path / "test/text", "u1 one", "u2 two")
    reading = read(tmp_path, Options())
    assert reading.faults == ()
    assert [(e.start_s, e.end_s) for e in reading.entries] == [(0.25, 0.5), (0.5, None)]


def test_a_command_is_refused_and_not_run(tmp_path) -> None:
    write_lines(
        tmp_path / "train/wav.scp",
        f"u1 touch {tmp_path / 'was_run'} |",
        "u2 | cat",
        "u3 sph2pipe -f wav a.sph|",
    )
    write_lines(tmp_path / "train/text", "u1 a", "u2 b", "u3 c")
    reading = read(tmp_path, Options())
    assert reading.entries == ()
    assert len(reading.faults) == 3
    for fault in reading.faults:
        assert "names a command" in fault.message
        assert "is not run" in fault.message
    assert not (tmp_path / "was_run").exists()


def test_a_path_longer_than_any_file_has_is_one_fault(tmp_path) -> None:
    write_speech(tmp_path / "a.wav")
    write_lines(tmp_path / "train/wav.scp", f"u1 {'x' * 9000}", "u2 a.wav", "u3 a\0.wav")
    write_lines(tmp_path / "train/text", "u1 a", "u2 b", "u3 c")
    reading = read(tmp_path, Options())
    assert [entry.name for entry in reading.entries] == ["u2"]
    assert len(reading.faults) == 2
    assert all("no such file" in one.message for one in reading.faults)
    assert max(len(one.message) for one in reading.faults) < 400 + len(str(tmp_path))


def test_every_line_that_does_not_hold_is_named(tmp_path) -> None:
    write_speech(tmp_path / "a.wav")
    (tmp_path / "empty.wav").touch()
    scp = ["a a.wav", "b no.wav", "c", "d empty.wav", "a a.wav", "e a.wav", "f /etc", "g -"]
    text = ["a fine", "b one", "x nowhere", "d two", "e", "f four", "g five"]
    write_lines(tmp_path / "train/wav.scp", *scp)
    write_lines(tmp_path / "train/text", *text)
    reading = read(tmp_path, Options())
    assert [entry.name for entry in reading.entries] == ["a"]
    lists = {"wav.scp": {}, "text": {}}
    for fault in reading.faults:
        lists[fault.place.path.name][fault.place.line] = fault.message
    assert "must read `id path`, but reads 'c'" in lists["wav.scp"][3]
    assert "repeats the id 'a'" in lists["wav.scp"][5]
    assert "lists 'e', but" in lists["wav.scp"][6]
    assert "names 'no.wav', but there is no such file" in lists["text"][2]
    assert "names 'x', but" in lists["text"][3]
    assert "empty.wav, but that is empty" in lists["text"][4]
    assert "must read `id what is said`, but reads 'e'" in lists["text"][5]
    assert "no such file" in lists["text"][6]
    assert "no such file" in lists["text"][7]
    assert len(reading.faults) == 9


@pytest.mark.parametrize(
    ("segment", "claim"),
    [
        ("u rec 0.5", "must have a segment `recording start end`"),
        ("u rec 0.5 0.5", "must end after its start, but goes from 0.5 to 0.5 s"),
        ("u rec nan 1", "must have seconds from 0 up, but has 'nan'"),
        ("u rec -2 1", "must have seconds from 0 up, but has '-2'"),
        ("u other 0 1", "names 'other', but"),
        ("v rec 0 1", "names 'u', but"),
    ],
)
def test_a_segment_that_does_not_hold_is_named(tmp_path, segment, claim) -> None:
    write_speech(tmp_path / "long.wav")
    write_lines(tmp_path / "train/wav.scp", "rec long.wav")
    write_lines(tmp_path / "train/segments", segment)
    write_lines(tmp_path / "train/text", "u one")
    messages = [fault.message for fault in read(tmp_path, Options()).faults]
    assert any(claim in message for message in messages)


def test_an_id_of_training_may_not_come_again_in_test(tmp_path) -> None:
    write_speech(tmp_path / "a.wav")
    for split in ("train", "test"):
        write_lines(tmp_path / split / "wav.scp", "a a.wav")
        write_lines(tmp_path / split / "text", "a one")
    [message] = claims(read(tmp_path, Options()).faults).values()
    assert "repeats the id 'a'" in message


def test_one_folder_of_all_is_split_at_random(tmp_path) -> None:
    write_speech(tmp_path / "a.wav")
    write_lines(tmp_path / "wav.scp", *[f"u{number} a.wav" for number in range(20)])
    write_lines(tmp_path / "text", *[f"u{number} one" for number in range(20)])

    def splits(seed: int) -> list[str]:
        options = Options(seed=seed, dev_percent=20.0, test_percent=15.0)
        return [entry.split for entry in read(tmp_path, options).entries]

    assert sorted(splits(0)) == ["dev"] * 4 + ["test"] * 3 + ["train"] * 13
    assert splits(0) == splits(0) != splits(1)


def test_lists_that_are_missing_are_named(tmp_path) -> None:
    with pytest.raises(FormatError, match=r"must hold .*train/wav.scp or its like"):
        read(tmp_path, Options())
    write_lines(tmp_path / "train/wav.scp", "a a.wav")
    with pytest.raises(FormatError, match=r"train/text cannot be read: No such file"):
        read(tmp_path, Options())
