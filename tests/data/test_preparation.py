"""Preparing: what was killed goes on, what changed is refused, frames stay exact."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import numpy as np
import pytest

from signloom.data.preparation import prepare, to_row
from signloom.data.prepared import CARD, PreparedCorpus
from signloom.data.readers import folder as folder_reader
from signloom.data.readers import phoenix14t_skels
from signloom.data.readers.reading import Entry, Place, Reading
from signloom.data.shard_guard import SHARD_EXAMPLES
from signloom.data.unfinished import PLAN
from signloom.errors import FormatError
from signloom.poses.pose import Pose
from tests.data.small_corpus import moving_frames, write_folder, write_parallel

ABOUT = phoenix14t_skels.ABOUT


class Killed(Exception):
    pass


def reading_of(count: int, *, killed_at: int | None = None) -> tuple[Reading, list[int]]:
    """List utterances of 1 to 3 frames, and note which are loaded; one of them may kill the run."""
    loaded: list[int] = []

    def load(number: int) -> Pose:
        if number == killed_at:
            raise Killed
        loaded.append(number)
        return Pose.of(moving_frames(1 + number % 3, seed=number))

    entries = [
        Entry(
            name=f"n{number}",
            split="dev" if number % 7 == 3 else "train",
            text=f"text {number}",
            place=Place(Path("list.txt"), number + 1),
            load=lambda number=number: load(number),
        )
        for number in range(count)
    ]
    return Reading(ABOUT, tuple(entries), (), ()), loaded


def run(reading: Reading, folder: Path, **options):
    return prepare(reading, folder, source=Path("src"), options=options)


def test_frames_of_25_fps_are_kept_bit_for_bit(tmp_path) -> None:
    reading, _ = reading_of(5)
    run(reading, tmp_path / "out")
    corpus = PreparedCorpus.open(tmp_path / "out")
    for example, number in zip(corpus.examples("train"), (0, 1, 2, 4), strict=True):
        np.testing.assert_array_equal(example.frames, moving_frames(1 + number % 3, seed=number))
        assert (example.name, example.text) == (f"n{number}", f"text {number}")


def test_the_card_says_what_the_corpus_is(tmp_path) -> None:
    reading, _ = reading_of(5)
    card = run(reading, tmp_path / "out", letters=3).card
    assert card == json.loads((tmp_path / "out" / CARD).read_text())
    assert card["splits"]["train"] == {"utterances": 4, "frames": 8, "missing_joints": 0.0}
    assert (card["kind"], card["language"], card["spoken_language"]) == ("signing", "gsg", "de")
    assert card["licence"].startswith("CC BY-NC-SA")
    assert (card["fps"], card["options"]) == (25.0, {"letters": 3})
    assert not (tmp_path / "out" / PLAN).exists()


def test_a_killed_run_goes_on_after_its_last_shard_and_ends_the_same(tmp_path) -> None:
    count = 2 * SHARD_EXAMPLES + 30
    whole, _ = reading_of(count)
    expected = run(whole, tmp_path / "whole")
    killed, before = reading_of(count, killed_at=SHARD_EXAMPLES + 20)
    with pytest.raises(Killed):
        run(killed, tmp_path / "out")
    assert not (tmp_path / "out" / CARD).exists()
    again, after = reading_of(count)
    done = run(again, tmp_path / "out")
    assert (done.written, done.kept) == (len(expected.card["shards"]) - 1, 1)
    first_shard = [number for number in range(count) if number % 7 != 3][:SHARD_EXAMPLES]
    assert before[:SHARD_EXAMPLES] == first_shard
    assert not set(after) & set(first_shard)
    assert done.card == expected.card


def test_a_shard_damaged_since_is_written_anew(tmp_path) -> None:
    killed, _ = reading_of(2 * SHARD_EXAMPLES, killed_at=2 * SHARD_EXAMPLES - 1)
    with pytest.raises(Killed):
        run(killed, tmp_path / "out")
    shard = tmp_path / "out/train-00000.parquet"
    shard.write_bytes(shard.read_bytes()[:-1])
    again, _ = reading_of(2 * SHARD_EXAMPLES)
    done = run(again, tmp_path / "out")
    assert done.kept == 0
    assert len(PreparedCorpus.open(tmp_path / "out").examples("train")[:]) > SHARD_EXAMPLES


def test_a_finished_corpus_is_not_read_again(tmp_path) -> None:
    reading, loaded = reading_of(5)
    run(reading, tmp_path / "out")
    done = run(reading, tmp_path / "out")
    assert (done.written, done.kept) == (0, 2)
    assert len(loaded) == 5


def test_other_data_or_options_are_refused_where_a_corpus_is_or_was_begun(tmp_path) -> None:
    reading, _ = reading_of(5)
    run(reading, tmp_path / "out")
    with pytest.raises(FormatError, match="of other data or options"):
        run(reading, tmp_path / "out", seed=2)
    killed, _ = reading_of(5, killed_at=3)
    with pytest.raises(Killed):
        run(killed, tmp_path / "begun")
    with pytest.raises(FormatError, match="begun with other data"):
        run(reading_of(6)[0], tmp_path / "begun")


def test_a_changed_recording_is_other_data(tmp_path) -> None:
    source = write_folder(tmp_path / "src", count=3)
    options = folder_reader.Options()
    run(folder_reader.read(source, options), tmp_path / "out")
    Pose.of(moving_frames(5, seed=99)).save(source / "clip0.pose")
    with pytest.raises(FormatError, match="of other data or options"):
        run(folder_reader.read(source, options), tmp_path / "out")


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/mine.txt").write_text("keep")
    with pytest.raises(FormatError, match="must be new or empty"):
        run(reading_of(2)[0], tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_a_folder_with_a_plan_that_cannot_be_read_is_refused(tmp_path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / PLAN).write_text("[" * 100_000)
    with pytest.raises(FormatError, match="must be new or empty"):
        run(reading_of(2)[0], tmp_path / "out")


def test_a_first_line_that_did_not_hold_may_be_mended_and_prepared_again(tmp_path) -> None:
    write_parallel(tmp_path / "src", "train", [3, 2])
    skels = tmp_path / "src/train.skels"
    whole = skels.read_text()
    skels.write_text("1 " + whole)
    options = phoenix14t_skels.Options()
    with pytest.raises(FormatError, match="line 1"):
        run(phoenix14t_skels.read(tmp_path / "src", options), tmp_path / "out")
    skels.write_text(whole)
    done = run(phoenix14t_skels.read(tmp_path / "src", options), tmp_path / "out")
    assert (done.written, done.kept) == (1, 0)


def test_a_source_whose_name_is_no_utf8_goes_on_the_card(tmp_path) -> None:
    source = Path(os.fsdecode(b"mine\xff"))
    prepare(reading_of(2)[0], tmp_path / "out", source=source, options={})
    assert Path(PreparedCorpus.open(tmp_path / "out").card["source"]) == source


def test_a_place_that_is_a_file_is_refused(tmp_path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(FormatError, match="cannot be made"):
        run(reading_of(2)[0], tmp_path / "out")


def test_a_reading_with_faults_is_refused_before_anything_is_written(tmp_path) -> None:
    source = write_folder(tmp_path / "src", count=4)
    (source / "clip1.pose").unlink()
    (source / "clip2.pose").unlink()
    reading = folder_reader.read(source, folder_reader.Options())
    with pytest.raises(FormatError, match=r"table\.csv line 3: .*clip1.*There are 1 more"):
        run(reading, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_reading_without_utterances_is_refused(tmp_path) -> None:
    with pytest.raises(FormatError, match="at least one utterance"):
        run(reading_of(0)[0], tmp_path / "out")


@pytest.mark.parametrize("fps", [50.0, 29.97, 12.5])
def test_other_frame_rates_become_25_and_the_duration_stays(fps: float) -> None:
    pose = Pose.of(moving_frames(31), fps=fps)
    row = to_row(Entry("a", "train", "t", Place(Path("x")), lambda: pose))
    assert row.example.fps == 25
    assert row.example.num_frames / 25 == pytest.approx(31 / fps, abs=0.501 / 25)


def test_missing_joints_are_filled_and_counted() -> None:
    confidence = np.ones((4, 50), dtype=np.float32)
    confidence[:, 8:29] = 0
    pose = Pose(moving_frames(4), confidence)
    row = to_row(Entry("a", "train", "t", Place(Path("x")), lambda: pose))
    assert row.missing == pytest.approx(0.42)
    assert np.abs(row.example.frames[:, 8:29]).max() > 0.1


def test_a_recording_too_long_is_refused_by_its_place() -> None:
    pose = Pose.of(np.repeat(moving_frames(1), 41, axis=0), fps=0.1)
    entry = Entry("a", "train", "t", Place(Path("x.csv"), 7), lambda: pose)
    with pytest.raises(FormatError, match=r"x\.csv line 7: .*at most 10000 frames .* has 10250"):
        to_row(entry)


def test_a_split_without_utterances_has_no_shard(tmp_path) -> None:
    source = tmp_path / "src"
    write_parallel(source, "test", [3, 5])
    reading = phoenix14t_skels.read(source, phoenix14t_skels.Options())
    run(dataclasses.replace(reading), tmp_path / "out")
    assert PreparedCorpus.open(tmp_path / "out").splits == ("test",)
