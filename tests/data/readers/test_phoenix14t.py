"""PHOENIX-2014-T: the parallel files and the tables, written small and in the real sample."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.data.readers import phoenix14t_csv, phoenix14t_skels
from signloom.errors import FormatError
from signloom.poses.pose import Pose
from tests.data.small_corpus import moving_frames, skels_line, write_parallel

SKELS = phoenix14t_skels.Options()
HEADER = "name|video|start|end|speaker|orth|translation\n"


def test_line_i_of_each_file_is_one_utterance(tmp_path) -> None:
    write_parallel(tmp_path, "train", [3, 5])
    write_parallel(tmp_path, "dev", [2], seed=9)
    reading = phoenix14t_skels.read(tmp_path, SKELS)
    assert reading.faults == ()
    assert [entry.name for entry in reading.entries] == [
        "train/tagesschau-0",
        "train/tagesschau-1",
        "dev/tagesschau-0",
    ]
    second = reading.entries[1]
    assert (second.split, second.text) == ("train", "satz 1 von train .")
    assert second.glosses == ("SATZ", "NUMMER1")
    assert str(second.place) == f"{tmp_path / 'train.skels'} line 2"
    pose = second.load()
    assert pose.fps == 25
    np.testing.assert_allclose(pose.frames, moving_frames(5, seed=1), atol=1e-6)


def test_sides_can_be_named_the_other_way(tmp_path) -> None:
    write_parallel(tmp_path, "train", [3])
    [plain] = phoenix14t_skels.read(tmp_path, SKELS).entries
    [swapped] = phoenix14t_skels.read(tmp_path, phoenix14t_skels.Options(swap_sides=True)).entries
    np.testing.assert_array_equal(swapped.load().frames[:, 2:5], plain.load().frames[:, 5:8])
    np.testing.assert_array_equal(swapped.load().frames[:, 8:29], plain.load().frames[:, 29:])


def test_glosses_and_names_may_be_missing(tmp_path) -> None:
    write_parallel(tmp_path, "test", [3, 5])
    (tmp_path / "test.gloss").unlink()
    (tmp_path / "test.files").unlink()
    reading = phoenix14t_skels.read(tmp_path, SKELS)
    assert [entry.name for entry in reading.entries] == ["test/1", "test/2"]
    assert reading.entries[0].glosses == ()


def test_files_of_unequal_length_are_faults_and_their_split_is_left_out(tmp_path) -> None:
    write_parallel(tmp_path, "train", [3, 5])
    write_parallel(tmp_path, "dev", [2], seed=9)
    with (tmp_path / "train.text").open("a") as file:
        file.write("einer mehr .\n")
    (tmp_path / "train.gloss").write_text("")
    reading = phoenix14t_skels.read(tmp_path, SKELS)
    assert [str(fault).removeprefix(f"{tmp_path}/") for fault in reading.faults] == [
        "train.text: must have 2 lines as train.skels has, but has 3",
        "train.gloss: must have 2 lines as train.skels has, but has 0",
    ]
    assert [entry.split for entry in reading.entries] == ["dev"]


def test_a_missing_text_an_empty_one_and_a_repeated_id_are_faults(tmp_path) -> None:
    write_parallel(tmp_path, "train", [3, 5, 2])
    write_parallel(tmp_path, "dev", [2], seed=9)
    (tmp_path / "dev.text").unlink()
    (tmp_path / "train.text").write_text("a\n\nb\n")
    (tmp_path / "train.files").write_text("x\ny\nx\n")
    write_parallel(tmp_path, "test", [2, 2], seed=3)
    (tmp_path / "test.files").write_text("z\n\n")
    faults = [str(fault) for fault in phoenix14t_skels.read(tmp_path, SKELS).faults]
    assert "train.skels line 2: must have a text" in faults[0]
    assert "train.skels line 3: repeats the id 'x' of" in faults[1]
    assert "dev.text: must go with dev.skels, but is missing" in faults[2]
    assert "test.skels line 2: must have an id, but that is empty" in faults[3]


LINES = {
    "one number short": (lambda line: line.rsplit(" ", 1)[0], "452|151 numbers"),
    "nan": (lambda line: "nan " + line.split(" ", 1)[1], "finite"),
    "a word": (lambda line: "abc " + line.split(" ", 1)[1], "numbers"),
    "nothing": (lambda line: "", "at least one frame"),
    "too large": (lambda line: "1e30 " + line.split(" ", 1)[1], "coordinates|Coordinates|below"),
}


@pytest.mark.parametrize("fault", LINES)
def test_a_line_that_does_not_hold_is_refused(tmp_path, fault: str) -> None:
    spoil, claim = LINES[fault]
    write_parallel(tmp_path, "train", [3, 3])
    lines = [skels_line(moving_frames(3)), spoil(skels_line(moving_frames(3)))]
    (tmp_path / "train.skels").write_text("\n".join(lines) + "\n")
    first, second = phoenix14t_skels.read(tmp_path, SKELS).entries
    assert first.load().num_frames == 3
    with pytest.raises(FormatError, match=claim) as caught:
        second.load()
    assert "\n" not in str(caught.value)


def test_the_real_sample_is_read_whole(data_dir: Path) -> None:
    folder = data_dir / "sign/phoenix14t_skels_sample"
    reading = phoenix14t_skels.read(folder, SKELS)
    assert reading.faults == ()
    assert [entry.split for entry in reading.entries] == 5 * ["train"] + 5 * ["dev"] + 5 * ["test"]
    first = reading.entries[0]
    assert first.name == "train/11August_2010_Wednesday_tagesschau-1"
    pose = first.load()
    line = (folder / "train.skels").read_text().split("\n")[0].split()
    naive = np.array(line, dtype=np.float64).reshape(-1, 151)[:, :150].reshape(-1, 50, 3) * [
        3,
        3,
        -3,
    ]
    np.testing.assert_array_equal(pose.frames, naive.astype(np.float32))
    widths = np.linalg.norm(pose.frames[:, 2, :2] - pose.frames[:, 5, :2], axis=-1)
    assert np.median(widths) == pytest.approx(1, abs=0.02)


@pytest.fixture
def tables(tmp_path) -> Path:
    for split, names in (("train", ("a-1", "b-2")), ("test", ("a-1",))):
        rows = [f"{name}|{name}/1/*.png|-1|-1|Signer0{n}|REGEN __ON__|es regnet .\n"
                for n, name in enumerate(names)]  # fmt: skip
        (tmp_path / f"PHOENIX-2014-T.{split}.corpus.csv").write_text(HEADER + "".join(rows))
        (tmp_path / split).mkdir()
        for number, name in enumerate(names):
            Pose.of(moving_frames(3 + number)).save(tmp_path / split / f"{name}.pose")
    return tmp_path


def test_rows_of_the_tables_find_their_recordings_in_the_folder_of_the_split(tables) -> None:
    reading = phoenix14t_csv.read(tables, phoenix14t_csv.Options())
    assert reading.faults == ()
    assert [(entry.name, entry.split) for entry in reading.entries] == [
        ("train/a-1", "train"),
        ("train/b-2", "train"),
        ("test/a-1", "test"),
    ]
    entry = reading.entries[1]
    assert (entry.signer, entry.text) == ("Signer01", "es regnet .")
    assert entry.glosses == ("REGEN", "__ON__")
    assert entry.load().num_frames == 4


def test_recordings_may_lie_in_another_folder_and_be_skels(tables) -> None:
    (tables / "poses").mkdir()
    for name in ("a-1", "b-2"):
        (tables / "poses" / f"{name}.skels").write_text(skels_line(moving_frames(7)) + "\n")
    options = phoenix14t_csv.Options(recordings="poses")
    reading = phoenix14t_csv.read(tables, options)
    assert reading.faults == ()
    assert {entry.load().num_frames for entry in reading.entries} == {7}


def test_a_recording_that_is_not_there_is_a_fault_of_its_line(tables) -> None:
    (tables / "train/b-2.pose").unlink()
    [fault] = phoenix14t_csv.read(tables, phoenix14t_csv.Options()).faults
    assert str(fault.place).endswith("PHOENIX-2014-T.train.corpus.csv line 3")
    assert "names 'b-2', but" in fault.message
