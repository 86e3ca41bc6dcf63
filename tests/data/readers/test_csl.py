"""CSL: recordings find their sentence by id, and sentences are shared out exactly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from signloom.data.readers.csl import Options, read, share_out
from signloom.data.readers.reading import Place
from signloom.poses.pose import Pose
from tests.data.small_corpus import moving_frames


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "corpus.txt").write_text(
        "000000 他的同学是警察\n000001\t他的妈妈是 教师\n", encoding="utf-8"
    )
    (tmp_path / "000000").mkdir()
    for name in ("000000/P01_s1_00_0", "000000/P02_s1_00_0", "000001_P01_0"):
        Pose.of(moving_frames(3, seed=len(name))).save(tmp_path / f"{name}.pose")
    return tmp_path


def test_recordings_belong_to_a_sentence_by_folder_or_by_name(folder) -> None:
    reading = read(folder, Options())
    assert reading.faults == ()
    assert [(entry.name, entry.text, entry.signer) for entry in reading.entries] == [
        ("000000/P01_s1_00_0", "他的同学是警察", "P01"),
        ("000000/P02_s1_00_0", "他的同学是警察", "P02"),
        ("000001_P01_0", "他的妈妈是 教师", "P01"),
    ]
    assert reading.entries[0].split == reading.entries[1].split
    assert (reading.about.language, reading.about.spoken_language) == ("csl", "zh")
    assert reading.entries[2].load().num_frames == 3


def test_one_signer_can_be_chosen_and_a_sentence_without_recording_is_a_fault(folder) -> None:
    assert {entry.signer for entry in read(folder, Options(signer="P01")).entries} == {"P01"}
    [fault] = read(folder, Options(signer="P02")).faults
    assert str(fault.place).endswith("corpus.txt line 2")
    assert "no recording of P02" in fault.message


def test_lines_without_a_sentence_and_repeated_ids_are_faults(folder) -> None:
    with (folder / "corpus.txt").open("a", encoding="utf-8") as file:
        file.write("000002\n000000 你好\n")
    faults = [str(fault) for fault in read(folder, Options()).faults]
    assert "line 3: must read `id sentence`, but reads '000002'" in faults[0]
    assert "line 4: repeats the id '000000' of" in faults[1]


@pytest.mark.parametrize(("count", "shares"), [(100, (70, 15, 15)), (20, (14, 3, 3)), (1, (1,))])
def test_a_hundred_sentences_are_split_70_15_15(count: int, shares: tuple[int, ...]) -> None:
    names = {f"{number:06d}": (Place(Path("t")), "") for number in range(count)}
    splits = Counter(share_out(names).values())
    assert tuple(splits[split] for split in ("train", "dev", "test") if splits[split]) == shares
    assert list(share_out(names)) != sorted(names, key=share_out(names).get) or count == 1
