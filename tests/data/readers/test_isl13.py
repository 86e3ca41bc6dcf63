"""Isolated clips: sentences are drawn by a seed, and no take serves two splits."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from signloom.data.readers.isl13 import NUM_VALUES, Options, read, to_pose
from signloom.errors import ConfigError, FormatError
from signloom.poses.skeleton import LEFT_HAND, LEFT_WRIST, NECK, RIGHT_HAND

SMALL = Options(train=6, dev=3, test=3, transition_frames=2)


def values(frames: int = 3, *, mark: float = 0.0) -> np.ndarray:
    """Place shoulders .3 of the picture apart; `mark` is where the nose is."""
    clip = np.zeros((frames, NUM_VALUES), dtype=np.float32)
    body = clip[:, :132].reshape(frames, 33, 4)
    body[..., 3] = 1
    body[:, 0, :2] = 0.5 + mark, 0.2
    body[:, 11, :2], body[:, 12, :2] = (0.65, 0.4), (0.35, 0.4)
    body[:, 13, :2], body[:, 14, :2] = (0.7, 0.7), (0.3, 0.7)
    body[:, 15, :2], body[:, 16, :2] = (0.7, 0.9), (0.3, 0.9)
    left = clip[:, 132:195].reshape(frames, 21, 3)
    left[:] = (0.7, 0.9, 0.0) + np.arange(21)[:, None] * np.array((0.005, 0.005, -0.002))
    return clip


def write(folder: Path, **changes) -> Path:
    takes = [(gloss, take) for gloss in ("GO", "HI", "YES") for take in range(8)]
    arrays = {
        "x": np.stack([values(mark=0.01 * take) for _, take in takes]).astype(np.float16),
        "gloss": np.array([gloss for gloss, _ in takes]),
        "seq": np.array([take for _, take in takes]),
    }
    np.savez_compressed(folder / "isl13.npz", **(arrays | changes))
    return folder


def test_a_clip_is_placed_by_its_shoulders_and_a_hand_of_zeros_is_missing() -> None:
    pose = to_pose(values(), fps=25.0, aspect=4 / 3)
    assert (pose.frames[:, NECK] == 0).all()
    width = pose.frames[:, 2, 0] - pose.frames[:, 5, 0]
    np.testing.assert_allclose(width, 1, atol=1e-5)
    down = (0.9 - 0.4) / (0.3 * 4 / 3)
    np.testing.assert_allclose(pose.frames[:, LEFT_WRIST, 1], down, atol=1e-5)
    np.testing.assert_allclose(pose.frames[:, LEFT_HAND.start], pose.frames[:, 4], atol=1e-5)
    assert (pose.confidence[:, LEFT_HAND] == 1).all()
    assert (pose.confidence[:, RIGHT_HAND] == 0).all()
    assert pose.frames[0, LEFT_HAND.stop - 1, 2] == pytest.approx(-0.04 / 0.3, abs=1e-5)


def test_sentences_have_three_to_six_signs_and_none_is_drawn_twice(tmp_path) -> None:
    reading = read(write(tmp_path), SMALL)
    assert [entry.split for entry in reading.entries] == 6 * ["train"] + 3 * ["dev"] + 3 * ["test"]
    assert len({entry.text for entry in reading.entries}) == 12
    for entry in reading.entries:
        assert 3 <= len(entry.glosses) <= 6
        assert entry.text == " ".join(entry.glosses)
        assert entry.load().num_frames == 5 * len(entry.glosses) - 2


def test_the_seed_fixes_the_sentences(tmp_path) -> None:
    write(tmp_path)
    texts = [
        [entry.text for entry in read(tmp_path, Options(train=9, dev=0, test=0, seed=seed)).entries]
        for seed in (0, 0, 1)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_takes_of_the_splits_are_disjoint(tmp_path) -> None:
    write(tmp_path)
    reading = read(tmp_path, Options(train=20, dev=5, test=5, transition_frames=0))
    marks: dict[str, set[float]] = {"train": set(), "dev": set(), "test": set()}
    for entry in reading.entries:
        nose = entry.load().frames[:, 0, 0]
        marks[entry.split] |= {round(float(x) * 0.4, 2) for x in nose}
    assert {split: len(found) for split, found in marks.items()} == {
        "train": 6,
        "dev": 1,
        "test": 1,
    }
    assert len(set.union(*marks.values())) == 8


FAULTS = {
    "no array": ({"x": np.zeros(3)}, "of shape"),
    "wrong width": ({"x": np.zeros((24, 3, 9))}, r"\[24, 3, 9\]"),
    "one label short": ({"seq": np.arange(23)}, "one `gloss` and one `seq`"),
    "nan": ({"x": np.full((24, 3, NUM_VALUES), np.nan)}, "clip 0 does not"),
    "few takes": ({"gloss": np.array(["A"] * 20 + ["B"] * 4)}, "'B' has not"),
    "pickled": ({"x": np.array([{}] * 24, dtype=object)}, "must hold arrays"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_does_not_hold_is_one_line(tmp_path, fault: str) -> None:
    changes, claim = FAULTS[fault]
    with pytest.raises(FormatError, match=claim) as caught:
        read(write(tmp_path, **changes), SMALL)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no archive"])
def test_a_file_that_is_no_archive_is_one_line(tmp_path, content: bytes) -> None:
    (tmp_path / "isl13.npz").write_bytes(content)
    with pytest.raises(FormatError, match=r"isl13\.npz"):
        read(tmp_path, SMALL)


def test_an_array_that_says_it_is_of_terabytes_is_one_line(tmp_path) -> None:
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 30, 258), }"
    header = header.ljust(117) + b"\n"
    array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(99)
    with zipfile.ZipFile(tmp_path / "isl13.npz", "w") as archive:
        archive.writestr("x.npy", array)
    with pytest.raises(FormatError, match="must hold arrays"):
        read(tmp_path, SMALL)


def test_an_archive_that_says_it_unfolds_into_gigabytes_is_refused_unread(tmp_path) -> None:
    path = write(tmp_path) / "isl13.npz"
    data = path.read_bytes()
    size = data.index(b"PK\x01\x02") + 24  # of the first file, in the list at the end
    path.write_bytes(data[:size] + struct.pack("<I", 2**31) + data[size + 4 :])
    with pytest.raises(FormatError, match="at most 536870912 bytes, but says 2147"):
        read(tmp_path, SMALL)


def test_more_sentences_than_there_are_is_refused(tmp_path) -> None:
    with pytest.raises(ConfigError, match="Ask for fewer"):
        read(write(tmp_path, gloss=np.array(["A"] * 24)), Options(train=5))


def test_the_real_clips_are_read(data_dir: Path) -> None:
    reading = read(data_dir / "sign/isl_isolated13", SMALL)
    assert len(reading.entries) == 12
    pose = reading.entries[0].load()
    assert pose.num_frames == 32 * len(reading.entries[0].glosses) - 2
    widths = np.linalg.norm(pose.frames[:, 2, :2] - pose.frames[:, 5, :2], axis=-1)
    assert np.median(widths) == pytest.approx(1, abs=0.05)


def test_takes_are_held_out_from_the_end_or_spread_and_never_shared(tmp_path) -> None:
    write(tmp_path)

    def marks(takes: str) -> dict[str, set[float]]:
        options = Options(train=30, dev=8, test=8, transition_frames=0, takes=takes)
        found: dict[str, set[float]] = {"train": set(), "dev": set(), "test": set()}
        for entry in read(tmp_path, options).entries:
            pose = entry.load()
            for start, _ in entry.spans:
                found[entry.split].add(round(float(pose.frames[start, 0, 0]), 3))
        return found

    for takes in ("last", "spread"):
        assert all(marks(takes).values())
    last = marks("last")
    assert not last["train"] & last["test"]
    assert max(last["train"]) < min(last["test"])
    with pytest.raises(ConfigError, match="`takes` must be last or spread, but is 'first'"):
        Options(takes="first")


def test_spans_say_when_each_sign_is_signed(tmp_path) -> None:
    write(tmp_path)
    entry = read(tmp_path, SMALL).entries[0]
    assert [end - start for start, end in entry.spans] == [3] * len(entry.glosses)
    assert entry.spans[1][0] == 3 + 2
    assert entry.spans[-1][1] == entry.load().num_frames
