"""A lexicon's signs joined to sentences: found by word or gloss, trimmed, at 25 fps."""

from __future__ import annotations

from pathlib import Path

import pytest

from signloom.data.readers.lexicon import Options, read
from signloom.errors import ConfigError, FormatError
from tests.data.corpora.small_lexicon import still_points, write_clip, write_lexicon


@pytest.fixture
def lexicon(tmp_path) -> Path:
    return write_lexicon(tmp_path, "abc")


def test_a_line_is_a_sentence_of_words_or_of_text_and_glosses(lexicon) -> None:
    (lexicon / "sentences.txt").write_text("a B c\n\nThe cab | C A B\n", encoding="utf-8")
    reading = read(lexicon, Options(transition_frames=4))
    assert reading.faults == ()
    first, second = reading.entries
    assert (first.name, first.text, first.glosses) == ("line-00001", "a B c", ("a", "B", "c"))
    assert (second.name, second.text, second.glosses) == ("line-00003", "The cab", ("C", "A", "B"))
    assert (reading.about.language, reading.about.spoken_language) == ("xyz", "en")
    pose = first.load()
    assert pose.fps == 25
    assert pose.num_frames == 3 * 20 + 2 * 4
    assert len(reading.files) == 5


def test_a_sign_that_is_not_there_is_named_with_its_line(lexicon) -> None:
    (lexicon / "sentences.txt").write_text("a\nb x c\n")
    [fault] = read(lexicon, Options()).faults
    assert str(fault.place).endswith("sentences.txt line 2")
    assert "'x' must be a sign of" in fault.message


def test_start_end_and_priority_choose_the_clip(lexicon) -> None:
    write_clip(lexicon / "other.pose", still_points(30), fps=25)
    with (lexicon / "index.csv").open("a") as file:
        file.write("other.pose,en,xyz,400,800,a,A,-1\n")
    (lexicon / "sentences.txt").write_text("a\n")
    [entry] = read(lexicon, Options()).entries
    assert entry.load().num_frames == 10


def test_rows_that_do_not_hold_are_named(lexicon) -> None:
    with (lexicon / "index.csv").open("a") as file:
        file.write("no.pose,en,xyz,0,0,d,D,0\na.pose,en,xyz,x,0,e,E,0\na.pose,en,xyz\n")
    (lexicon / "sentences.txt").write_text("a\n")
    faults = {fault.place.line: fault.message for fault in read(lexicon, Options()).faults}
    assert faults.keys() == {5, 6, 7}
    assert "names 'no.pose'" in faults[5]
    assert "whole numbers" in faults[6]
    assert "must have 8 fields" in faults[7]


def test_a_sign_outside_its_clip_is_refused(lexicon) -> None:
    with (lexicon / "index.csv").open("a") as file:
        file.write("a.pose,en,xyz,5000,6000,d,D,0\n")
    (lexicon / "sentences.txt").write_text("d\n")
    [entry] = read(lexicon, Options()).entries
    with pytest.raises(FormatError, match=r"has 20 frames, but its sign lies at 125 to 150"):
        entry.load()


def test_several_languages_need_a_choice(lexicon) -> None:
    with (lexicon / "index.csv").open("a") as file:
        file.write("a.pose,de,abc,0,0,a,A,0\n")
    (lexicon / "sentences.txt").write_text("a\n")
    with pytest.raises(ConfigError, match=r"languages abc, xyz\. Choose one"):
        read(lexicon, Options())
    assert read(lexicon, Options(language="abc")).about.spoken_language == "de"
    with pytest.raises(ConfigError, match="one of abc, xyz"):
        read(lexicon, Options(language="ase"))


def test_the_real_sample_makes_sentences(data_dir: Path, tmp_path) -> None:
    sentences = tmp_path / "mine.txt"
    sentences.write_text("kleine Kinder essen Pizza\nPizza essen\n")
    folder = data_dir / "sign/pose_format_samples/s2s_dummy_lexicon"
    reading = read(folder, Options(sentences=str(sentences)))
    assert reading.faults == ()
    first, second = (entry.load() for entry in reading.entries)
    assert first.num_frames > second.num_frames > 40
