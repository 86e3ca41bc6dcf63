from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses.formats import many, skels_file
from signloom.poses.formats.recording import Recording
from signloom.poses.pose import Pose
from signloom.poses.skeleton import LEFT_SHOULDER, RIGHT_SHOULDER


def naive_frames(line: str) -> list[list[list[float]]]:
    """Read a line as the format is described: 150 coordinates and a counter, again and again."""
    numbers = [float(word) for word in line.split()]
    rows = [numbers[start : start + 151] for start in range(0, len(numbers), 151)]
    return [[row[3 * joint : 3 * joint + 3] for joint in range(50)] for row in rows]


def naive_line(frames: np.ndarray) -> list[str]:
    rows = [
        [*map(str, frame.ravel().tolist()), str(number / len(frames))]
        for number, frame in enumerate(frames)
    ]
    return [word for row in rows for word in row]


def test_a_naive_reader_finds_thirds_of_shoulder_widths_and_the_counter(make_pose, tmp_path):
    pose = make_pose(7)
    pose.save(tmp_path / "a.skels")
    text = (tmp_path / "a.skels").read_text()
    assert text.count("\n") == 1
    np.testing.assert_allclose(naive_frames(text), pose.frames / [3, 3, -3], atol=1e-6)
    counter = [float(word) for word in text.split()[150::151]]
    np.testing.assert_allclose(counter, np.arange(7) / 7, atol=5e-5)


def test_a_pose_survives_the_round_trip(make_pose, tmp_path) -> None:
    noise = np.random.default_rng(0).normal(0, 0.3, (5, 50, 3)).astype(np.float32)
    noise[:, 1] = 0
    pose = Pose.of(make_pose(5).frames + noise)
    pose.save(tmp_path / "a.skels")
    again = Pose.load(tmp_path / "a.skels")
    np.testing.assert_allclose(again.frames, pose.frames, atol=1e-6)
    assert (again.fps, again.num_frames) == (25.0, 5)
    assert (again.confidence == 1).all()


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_the_real_sample_is_written_as_it_was(data_dir: Path, tmp_path, split: str) -> None:
    path = data_dir / "sign" / "phoenix14t_skels_sample" / f"{split}.skels"
    recordings = list(many.read_all(path))
    assert [recording.name for recording in recordings] == [
        line.strip() for line in path.with_suffix(".files").read_text().splitlines()
    ]
    for recording in recordings:
        frames = recording.pose.frames
        width = np.linalg.norm(frames[:, LEFT_SHOULDER] - frames[:, RIGHT_SHOULDER], axis=-1)
        assert abs(np.median(width) - 1) < 2e-2
    many.write_all(recordings, tmp_path / "a.skels")
    expected, found = (
        [np.array(line.split(), dtype=float) for line in file.read_text().splitlines()]
        for file in (path, tmp_path / "a.skels")
    )
    assert len(found) == len(expected) == 5
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_sides_bound_the_other_way_swap_arms_and_hands_and_nothing_else(make_pose, tmp_path):
    pose = make_pose(3)
    pose.save(tmp_path / "a.skels")
    [swapped] = skels_file.read_all(tmp_path / "a.skels", swap_sides=True)
    arms_and_hands = [(2, 5), (4, 7), (8, 29), (28, 49)]
    for one, other in arms_and_hands:
        np.testing.assert_allclose(swapped.frames[:, one], pose.frames[:, other], atol=1e-6)
        np.testing.assert_allclose(swapped.frames[:, other], pose.frames[:, one], atol=1e-6)
    np.testing.assert_allclose(swapped.frames[:, :2], pose.frames[:, :2], atol=1e-6)
    skels_file.write_all([swapped], tmp_path / "b.skels", swap_sides=True)
    assert (tmp_path / "b.skels").read_text() == (tmp_path / "a.skels").read_text()


@pytest.mark.parametrize("fps", [24.0, 25.01, 50.0])
def test_another_frame_rate_cannot_be_written(make_pose, tmp_path, fps: float) -> None:
    with pytest.raises(FormatError, match="25 fps"):
        make_pose(3, fps=fps).save(tmp_path / "a.skels")
    assert not list(tmp_path.iterdir())


def test_a_missing_joint_cannot_be_written(make_pose, tmp_path) -> None:
    confidence = np.ones((3, 50), dtype=np.float32)
    confidence[2, 30] = 0
    pose = Pose(make_pose(3).frames, confidence)
    with pytest.raises(FormatError, match="left_thumb_1 is missing in frame 2"):
        pose.save(tmp_path / "a.skels")


def test_a_file_without_sequences_cannot_be_written(tmp_path) -> None:
    with pytest.raises(FormatError, match="at least one sequence"):
        many.write_all([], tmp_path / "a.skels")
    assert not list(tmp_path.iterdir())


def test_several_sequences_are_no_pose_but_can_be_chosen(make_pose, tmp_path) -> None:
    path = tmp_path / "a.skels"
    many.write_all([Recording(str(count), make_pose(count)) for count in (3, 5, 7)], path)
    assert [len(recording.pose) for recording in many.read_all(path)] == [3, 5, 7]
    assert len(many.read_one(path, 2).pose) == 5
    with pytest.raises(FormatError, match=r"a\.skels .*several"):
        Pose.load(path)
    for number in (0, 4, -1):
        with pytest.raises(FormatError, match=rf"sequence {number} .*from 1"):
            many.read_one(path, number)


def spoiled(words: list[str], place: int, value: str) -> list[str]:
    return [*words[:place], value, *words[place + 1 :]]


MISTAKES = {
    "a number too few": (lambda words: words[:-1], "holds 452"),
    "a number too many": (lambda words: [*words, "0"], "holds 454"),
    "no frame": (lambda words: [], "at least one frame"),
    "nan": (lambda words: spoiled(words, 157, "nan"), "number 6 of frame 1 is 'nan'"),
    "infinity": (lambda words: spoiled(words, 0, "inf"), "number 0 of frame 0 is 'inf'"),
    "huge": (lambda words: spoiled(words, 0, "1e30"), "is '1e30'"),
    "a word": (lambda words: spoiled(words, 302, "word"), "number 0 of frame 2 is 'word'"),
    "neck away": (lambda words: spoiled(words, 154, "0.25"), "frame 1 has it at 0.25 0 0"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_line_that_does_not_hold_is_named_with_its_number(make_pose, tmp_path, mistake) -> None:
    spoil, reason = MISTAKES[mistake]
    words = naive_line(make_pose(3).frames / 3)
    path = tmp_path / "a.skels"
    path.write_text(" ".join(words) + "\n" + " ".join(spoil(words)) + "\n")
    poses = skels_file.read_all(path)
    assert len(next(poses)) == 3
    with pytest.raises(FormatError) as caught:
        next(poses)
    assert "a.skels line 2 " in str(caught.value)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\0\0", b"\n"])
def test_what_is_no_skels_file_is_refused(tmp_path, content: bytes) -> None:
    (tmp_path / "a.skels").write_bytes(content)
    with pytest.raises(FormatError, match=r"a\.skels"):
        Pose.load(tmp_path / "a.skels")


def test_a_line_without_end_is_not_read_whole(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(skels_file, "MAX_LINE_BYTES", 1000)
    (tmp_path / "a.skels").write_bytes(b"0 " * 2000)
    with pytest.raises(FormatError, match="line 1 must have at most 1000 bytes"):
        Pose.load(tmp_path / "a.skels")


@pytest.mark.parametrize("names", ["one\n", "one\ntwo\nthree\n"])
def test_names_that_are_not_as_many_as_the_sequences_are_refused(make_pose, tmp_path, names):
    many.write_all([Recording("1", make_pose(3))] * 2, tmp_path / "a.skels")
    (tmp_path / "a.files").write_text(names)
    with pytest.raises(FormatError, match=r"a\.files must have a line for each"):
        list(many.read_all(tmp_path / "a.skels"))


def test_names_may_begin_with_a_byte_order_mark_but_must_come_from_a_file(make_pose, tmp_path):
    many.write_all([Recording("1", make_pose(3))], tmp_path / "a.skels")
    names = tmp_path / "a.files"
    names.write_text("one\n", encoding="utf-8-sig")
    assert [each.name for each in many.read_all(tmp_path / "a.skels")] == ["one"]
    names.unlink()
    os.mkfifo(names)
    with pytest.raises(FormatError, match=r"a\.files must be a plain file"):
        list(many.read_all(tmp_path / "a.skels"))
