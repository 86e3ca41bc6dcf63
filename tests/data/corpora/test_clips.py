from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.data.corpora.clips import read_clip, read_index, trim
from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.errors import FormatError
from signloom.poses.skeleton import LEFT_SHOULDER, NECK, RIGHT_HAND, RIGHT_SHOULDER, RIGHT_WRIST
from tests.data.corpora.small_lexicon import still_points, write_clip, write_lexicon


def test_a_clip_has_the_neck_at_the_origin_and_a_shoulder_width_of_one(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.pose", still_points(17), fps=25)
    frames = read_clip(tmp_path / "a.pose", "a").frames
    np.testing.assert_allclose(frames[:, NECK], 0)
    np.testing.assert_allclose(
        frames[:, LEFT_SHOULDER] - frames[:, RIGHT_SHOULDER], [[1, 0, 0]] * 17
    )
    np.testing.assert_allclose(frames[:, RIGHT_WRIST], [[-0.7, 0.1, 0]] * len(frames))


def test_hands_are_relative_to_their_root_with_depth_in_the_same_unit(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.pose", still_points(17), fps=25)
    hand = read_clip(tmp_path / "a.pose", "a").frames[:, RIGHT_HAND]
    np.testing.assert_allclose(hand[:, 0], 0)
    # -.04 of normalised depth are -20 pixels of 500, and -.1 shoulder widths of 200 pixels.
    np.testing.assert_allclose(hand[:, 1:, 2], -0.1, atol=1e-4)
    np.testing.assert_allclose(hand[0, 20, :2], [32 / 200, -48 / 200], atol=1e-6)


def test_other_frame_rates_are_resampled_to_25(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.pose", still_points(30), fps=30)
    clip = read_clip(tmp_path / "a.pose", "a")
    assert len(clip.frames) == 25
    assert clip.duration_s == pytest.approx(1.0)


def test_missing_frames_of_a_hand_are_interpolated(tmp_path: Path) -> None:
    points = still_points(17)
    points[:, RIGHT_HAND, 0] += np.linspace(0, 16, 17)[:, None]
    points[:, RIGHT_WRIST, 0] += np.linspace(0, 16, 17)
    whole = points.copy()
    points[5:8, RIGHT_HAND] = np.nan
    for name, values in (("gap", points), ("whole", whole)):
        write_clip(tmp_path / f"{name}.pose", values, fps=25)
    gap, full = (read_clip(tmp_path / f"{name}.pose", "a").frames for name in ("gap", "whole"))
    np.testing.assert_allclose(gap, full, atol=1e-4)


def test_the_way_up_and_the_way_down_are_cut_off() -> None:
    frames = np.zeros((20, 50, 3))
    frames[:, RIGHT_WRIST, 1] = [1.0, 0.6, 0.2, 0.1, *[0.0] * 13, 0.1, 0.2, 0.9]
    kept = trim(frames, (True, False))
    assert (kept.start, kept.stop) == (4, 17)


def test_no_more_than_30_percent_are_cut_for_speed_at_either_end() -> None:
    frames = np.zeros((20, 50, 3))
    frames[:, RIGHT_WRIST, 0] = 0.1 * np.arange(20)
    kept = trim(frames, (True, False))
    assert (kept.start, kept.stop) == (6, 14)


def test_one_frame_in_which_the_hand_has_not_settled_is_cut_at_either_end() -> None:
    frames = np.zeros((20, 50, 3))
    frames[:2, RIGHT_HAND] = [[[0.2]], [[0.1]]]
    frames[19, RIGHT_HAND] = 0.1
    kept = trim(frames, (True, False))
    assert (kept.start, kept.stop) == (1, 19)


@pytest.mark.parametrize(
    ("seconds", "fault"), [(0.24, "lasts 0.24 s"), (4.0, "lasts 4.00 s"), (0.8, None)]
)
def test_clips_of_an_odd_duration_are_refused(
    tmp_path: Path, seconds: float, fault: str | None
) -> None:
    write_clip(tmp_path / "a.pose", still_points(round(25 * seconds)), fps=25)
    found = read_clip(tmp_path / "a.pose", "a").fault
    assert found is None if fault is None else fault in (found or "")


def test_clips_with_elastic_bones_are_refused(tmp_path: Path) -> None:
    points = still_points(20)
    root = points[:, RIGHT_HAND.start : RIGHT_HAND.start + 1]
    stretch = np.where(np.arange(20) % 2, 0.4, 1.6)[:, None, None]
    points[:, RIGHT_HAND] = root + stretch * (points[:, RIGHT_HAND] - root)
    write_clip(tmp_path / "a.pose", points, fps=25)
    assert "bones of the hand vary by 0.6" in (read_clip(tmp_path / "a.pose", "a").fault or "")


def test_clips_without_a_hand_are_refused(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.pose", still_points(20), fps=25, seen="NONE")
    assert read_clip(tmp_path / "a.pose", "a").fault == "shows no hand"


def test_the_first_clip_with_the_lowest_priority_stands_for_a_letter(tmp_path: Path) -> None:
    (tmp_path / "index.csv").write_text(
        "path,spoken_language,signed_language,start,end,words,glosses,priority\n"
        "late.pose,en,xyz,0,0,A,A,2\nfirst.pose,en,xyz,0,0,A,A,1\n"
        "second.pose,en,xyz,0,0,A,A,1\nother.pose,en,abc,0,0,B,B,0\n",
        encoding="utf-8",
    )
    assert [row.path.name for row in read_index(tmp_path, "xyz")] == ["first.pose"]


def test_a_folder_without_an_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a folder with an `index.csv`, but .* cannot be read"):
        Fingerspelling("xyz", tmp_path)


def test_a_language_without_clips_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="rows of the language `ase`, but has none"):
        Fingerspelling("ase", write_lexicon(tmp_path, "ab"))


def test_an_index_without_the_right_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index.csv").write_text("one,two\n1,2\n", encoding="utf-8")
    with pytest.raises(FormatError, match="is not the index of a lexicon"):
        Fingerspelling("ase", tmp_path)


@pytest.mark.parametrize("damage", ["missing", "truncated"])
def test_a_clip_that_cannot_be_read_is_refused_by_path(tmp_path: Path, damage: str) -> None:
    path = write_lexicon(tmp_path, "ab") / "a.pose"
    content = path.read_bytes()
    path.unlink()
    if damage == "truncated":
        path.write_bytes(content[: len(content) // 3])
    with pytest.raises(FormatError, match=r"a\.pose"):
        Fingerspelling("xyz", tmp_path)


def test_a_lexicon_whose_every_clip_is_refused_says_why(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"usable clip of `xyz`, but the first of 2 lasts 0.20 s"):
        Fingerspelling("xyz", write_lexicon(tmp_path, "ab", seconds=0.2))


def test_any_lexicon_in_the_same_format_can_be_spelled_from(tmp_path: Path) -> None:
    corpus = Fingerspelling("xyz", write_lexicon(tmp_path, "ab"))
    (tmp_path / "c.pose").write_bytes(b"")
    assert corpus.alphabet.letters == ("a", "b")
    assert corpus.stitched("abba", 50).frames.shape == (50, 50, 3)


def test_refused_clips_are_listed_and_their_letters_missing(tmp_path: Path) -> None:
    write_lexicon(tmp_path, "abc")
    write_clip(tmp_path / "b.pose", still_points(100), fps=25)
    corpus = Fingerspelling("xyz", tmp_path)
    assert corpus.alphabet.letters == ("a", "c")
    assert [(clip.letter, clip.path.name) for clip in corpus.excluded] == [("b", "b.pose")]
    assert "4.00 s" in corpus.excluded[0].reason


def test_two_handed_letters_move_both_arms(tmp_path: Path) -> None:
    write_lexicon(tmp_path, "ab")
    points = still_points(20)
    points[:, 3:5] = points[:, 6:8] * (-1, 1, 1) + (500, 0, 0)
    points[:, 29:50] = points[:, 8:29] * (-1, 1, 1) + (500, 0, 0)
    write_clip(tmp_path / "b.pose", points, fps=25, seen="BOTH")
    frames = Fingerspelling("xyz", tmp_path).stitched("ab", 40).frames
    mirrored = frames[-10, 8:29] * (-1, 1, 1)
    np.testing.assert_allclose(frames[-10, 29:50], mirrored, atol=0.02)
    assert frames[10, 4, 1] > 1
