"""CSL as films: sentences by id, splits by signer, by sentence or from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from signloom.data.readers.csl_frames import Options, read
from signloom.errors import ConfigError
from tests.data.readers.small_films import write_film, write_poses


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "corpus.txt").write_text("000000 他的 同学 是 警察\n000001 他是教师\n", "utf-8")
    for number, name in enumerate(("000000/P01_s1_00_0", "000000/P41_s1_00_0._color")):
        write_film(tmp_path / name, 2 + number, seed=number)
    write_film(tmp_path / "000001/P50_s1_01_4", 5, seed=7)
    return tmp_path


def splits_of(folder: Path, **options: str) -> dict[str, str]:
    return {entry.name: entry.split for entry in read(folder, Options(**options)).entries}


def test_signers_from_the_41st_on_are_tested(folder) -> None:
    reading = read(folder, Options(side_px=16))
    assert reading.faults == ()
    assert [(entry.name, entry.signer, entry.split) for entry in reading.entries] == [
        ("000000/P01_s1_00_0", "P01", "train"),
        ("000000/P41_s1_00_0._color", "P41", "test"),
        ("000001/P50_s1_01_4", "P50", "test"),
    ]
    first, _, last = reading.entries
    assert first.glosses == ("他的", "同学", "是", "警察")
    assert last.glosses == tuple("他是教师")
    assert last.pictures().shape == (5, 16, 16, 3)


def test_no_sentence_is_in_two_splits_if_sentences_are_split(folder) -> None:
    splits = splits_of(folder, split="sentences")
    assert splits["000000/P01_s1_00_0"] == splits["000000/P41_s1_00_0._color"]
    assert len(splits) == 3


def test_a_file_splits_by_film_before_it_splits_by_sentence(folder) -> None:
    (folder / "split_1.txt").write_text("000000|train\nP41_s1_00_0|dev\n000001|test\n")
    assert splits_of(folder, split="split_1.txt") == {
        "000000/P01_s1_00_0": "train",
        "000000/P41_s1_00_0._color": "dev",
        "000001/P50_s1_01_4": "test",
    }


def test_lines_without_a_split_and_films_that_none_names_are_faults(folder) -> None:
    (folder / "split.txt").write_text("000000|train\n000001|exam\n")
    faults = [str(fault) for fault in read(folder, Options(split="split.txt")).faults]
    assert "split.txt line 2: must read `name|split`, but reads '000001|exam'" in faults[0]
    assert "must have a split for '000001/P50_s1_01_4', but `split.txt` says none" in faults[1]


def test_a_sentence_without_films_is_a_fault_of_its_line(folder) -> None:
    with (folder / "corpus.txt").open("a", encoding="utf-8") as file:
        file.write("000002 你好\n../000000 你好\n")
    faults = [str(fault) for fault in read(folder, Options()).faults]
    assert "line 3: names '000002', but" in faults[0]
    assert "line 4: names '../000000', but" in faults[1]


def test_films_and_poses_may_lie_elsewhere(folder) -> None:
    (folder / "color").mkdir()
    for name in ("000000", "000001"):
        (folder / name).rename(folder / "color" / name)
    for frames, name in ((2, "000000/P01_s1_00_0"), (3, "000000/P41_s1_00_0._color")):
        write_poses(folder / "poses" / f"{name}.pose", frames)
    write_poses(folder / "poses/000001/P50_s1_01_4.pose", 5)
    reading = read(folder, Options(films="color", poses="poses"))
    assert reading.faults == ()
    assert [entry.load().num_frames for entry in reading.entries] == [2, 3, 5]


def test_an_empty_split_is_refused() -> None:
    with pytest.raises(ConfigError, match="`split` must be signers or sentences or a file"):
        Options(split="")
