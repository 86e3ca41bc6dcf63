"""RWTH-BOSTON-104: known joints are where the tracks say, unknown ones are marked as such."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.data.preparation import to_row
from signloom.data.readers.boston104 import Options, place_tracks, read
from signloom.errors import ConfigError
from signloom.poses.rest import rest_pose
from signloom.poses.skeleton import HEAD, LEFT_WRIST, RIGHT_WRIST

HANDS = "video,frame,left-x,left-y,right-x,right-y,nose-x,nose-y\n"
WORDS = "video,speaker,word,startframe,endframe\n"


def write(folder: Path, *, hands: str = "", train: str = "", test: str = "") -> Path:
    track = "".join(f"1,{n},200,{180 + n},120,150,160,60\n" for n in range(9))
    more = "".join(f"2,{n},200,180,120,150,160,60\n" for n in range(3))
    (folder / "hands_condensed.csv").write_text(HANDS + track + more + hands)
    (folder / "train_words.csv").write_text(WORDS + "1,w,JOHN,2,3\n1,w,WRITE,5,6\n" + train)
    (folder / "test_words.csv").write_text(WORDS + "2,m,MARY,0,2\n" + test)
    (folder / "speaker.csv").write_text("video,speaker\n1,woman-1\n2,man-1\n")
    return folder


def test_a_sentence_is_its_words_from_the_first_frame_to_the_last(tmp_path) -> None:
    reading = read(write(tmp_path), Options())
    assert reading.faults == ()
    first, second = reading.entries
    assert (first.name, first.text, first.glosses) == ("1", "JOHN WRITE", ("JOHN", "WRITE"))
    assert (first.signer, second.signer, second.split) == ("woman-1", "man-1", "test")
    assert first.split in ("train", "dev")
    pose = first.load()
    assert (pose.num_frames, pose.fps) == (5, 30)
    down = pose.frames[:, LEFT_WRIST, 1] * 80
    np.testing.assert_allclose(np.diff(down), 1, atol=1e-4)


def test_tracks_are_placed_in_shoulder_widths_under_a_still_neck() -> None:
    tracks = np.array([[200, 180, 120, 150, 160, 60], [200, 180, 120, 150, 176, 60]] * 3)
    pose = place_tracks(tracks.astype(np.float32), shoulder_px=80.0)
    assert (pose.frames[:, 1] == 0).all()
    nose = pose.frames[:, HEAD, :2]
    np.testing.assert_allclose(nose[1] - nose[0], (0.2, 0), atol=1e-6)
    left, right = pose.frames[0, LEFT_WRIST, :2], pose.frames[0, RIGHT_WRIST, :2]
    np.testing.assert_allclose(left - right, (1, 30 / 80), atol=1e-6)
    np.testing.assert_allclose((left - nose[0]) * 80, (40, 120), atol=1e-4)
    known = np.flatnonzero((pose.confidence > 0).all(axis=0)).tolist()
    assert known == [0, 1, 2, 4, 5, 7, 8, 29]
    assert not (pose.confidence[:, [n for n in range(50) if n not in known]] > 0).any()


def test_what_is_not_tracked_is_guessed_and_counted(tmp_path) -> None:
    row = to_row(read(write(tmp_path), Options()).entries[0])
    assert row.missing == pytest.approx(42 / 50)
    frames = row.example.frames
    assert row.example.num_frames == 4  # 5 of 30 fps
    size = np.linalg.norm(frames[:, 33] - frames[:, 29], axis=-1)
    np.testing.assert_allclose(size, np.linalg.norm(rest_pose()[33] - rest_pose()[29]), atol=1e-3)


def test_every_row_that_does_not_hold_is_named(tmp_path) -> None:
    hands = "1,11,1,1,1,1,1,1\n1,9,a,1,1,1,1,1\n1,9,-1,1,1,1,1,1\n"
    reading = read(
        write(tmp_path, hands=hands, train="3,w,BOOK,0,4\n4,w,BOOK,x,4\n", test="2,m,BUY,3,7\n"),
        Options(),
    )
    found = {(fault.place.path.name, fault.place.line): fault.message for fault in reading.faults}
    assert "must be frame 9 of video 1, but is 11" in found["hands_condensed.csv", 14]
    assert "must hold numbers" in found["hands_condensed.csv", 15]
    assert "must hold pixels" in found["hands_condensed.csv", 16]
    assert "frames 0 to 4 of video 3, but 0 are tracked" in found["train_words.csv", 4]
    assert "whole numbers" in found["train_words.csv", 5]
    assert "frames 0 to 7 of video 2, but 3 are tracked" in found["test_words.csv", 2]


def test_an_impossible_shoulder_width_is_refused() -> None:
    with pytest.raises(ConfigError, match="`shoulder_px` must be 10 to 1000, but is 0"):
        Options(shoulder_px=0.0)


def test_the_real_tracks_give_201_sentences(data_dir: Path) -> None:
    reading = read(data_dir / "sign/rwth_boston104", Options())
    assert reading.faults == ()
    assert len(reading.entries) == 201
    assert sum(entry.split == "test" for entry in reading.entries) == 40
    assert {entry.signer for entry in reading.entries} == {"man-1", "woman-1", "woman-2"}
    texts = {
        split: {entry.text for entry in reading.entries if entry.split == split}
        for split in ("train", "dev")
    }
    assert not texts["train"] & texts["dev"]
