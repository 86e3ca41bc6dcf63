"""A recogniser reads clips of any length as each alone, and nothing else comes in or out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from signloom.errors import FormatError, PackageError
from signloom.poses.normalize import to_features
from signloom.runtime.package import Package, write_package
from signloom.runtime.recognizer import BATCH_FRAMES, Clip, RecognizerSession
from tests.evaluation.tiny_judge import write_down, write_tiny_judge
from tests.tiny_package import serialise

EVERYTHING = """
<ir_version: 10, opset_import: ["" : 20]>
recognizer (float[B, T, 150] poses, float[B, T, 50] confidence, uint8[B, T, 5, 5, 3] pictures,
            int64[B] language, int64[B] lengths)
  => (float[B, S, 3] log_probs, int64[B] out_lengths)
<int64[1] first = {0}, int64[1] end = {1}, int64[1] axis = {2}, int64[2] rest = {3, 4},
 int64[2] sides = {1, 2}, float below = {-9.0}>
{
  pose = Slice (poses, first, end, axis)
  sure = Slice (confidence, first, end, axis)
  seen = Cast <to = 1> (pictures)
  bright = ReduceMax <keepdims = 0> (seen, rest)
  picture = Slice (bright, first, end, axis)
  spoken = Cast <to = 1> (language)
  wide = Unsqueeze (spoken, sides)
  one = Add (pose, sure)
  two = Add (one, picture)
  three = Add (two, wide)
  four = Mul (three, below)
  log_probs = Concat <axis = 2> (four, four, four)
  out_lengths = Identity (lengths)
}
"""
BROKEN = """
<ir_version: 10, opset_import: ["" : 20]>
recognizer (float[B, T, 150] poses, int64[B] lengths)
  => (float[B, S, 2] log_probs, int64[C] out_lengths)
<int64 more = {MORE}, int64[1] first = {0}, int64[1] end = {2},
 int64[1] axis = {2}>
{
  scores = Slice (poses, first, end, axis)
  log_probs = MAKE
  out_lengths = Add (lengths, more)
}
"""


def written(folder: Path, graph: str, tokens: int, **changes: Any) -> Package:
    config = {"name": "x", "system": "recognize", "kind": "signing", "spoken_language": "en"}
    return write_package(
        folder,
        graphs={"recognizer": serialise(graph)},
        config=config | {"languages": ["ase", "gsg"], "stride": 1} | changes,
        vocabulary={"tokens": ["<pad>", "A", "B"][:tokens]},
        card="# X\n",
    )


def test_clips_are_read_in_the_order_given_as_each_alone(tmp_path: Path) -> None:
    session = RecognizerSession(write_tiny_judge(tmp_path / "tiny"))
    clips = [Clip(to_features(write_down("ab" * count))) for count in (5, 1, 7, *range(2, 20))]
    counted: list[int] = []
    for clip, found in zip(clips, session.read(clips, done=counted.append), strict=True):
        [alone] = session.read([clip])
        assert found.shape == (clip.num_frames, 29)
        assert np.allclose(found, alone, atol=1e-6)
    assert sum(counted) == len(clips)
    assert session.read([]) == []


def test_long_clips_come_in_smaller_batches(tmp_path: Path) -> None:
    session = RecognizerSession(write_tiny_judge(tmp_path / "tiny"))
    counted: list[int] = []
    long = Clip(np.zeros((BATCH_FRAMES // 4, 150), np.float32))
    session.read([long] * 5, done=counted.append)
    assert counted == [4, 1]


def test_a_graph_is_fed_all_that_it_asks_for(tmp_path: Path) -> None:
    inputs = ["poses", "confidence", "pictures", "language"]
    session = RecognizerSession(
        written(tmp_path / "all", EVERYTHING, 3, inputs=inputs, picture_px=5)
    )
    rng = np.random.default_rng(0)
    poses = rng.random((7, 150), np.float32)
    sure = rng.random((7, 50), np.float32)
    pictures = rng.integers(0, 255, (7, 5, 5, 3), np.uint8)
    [found] = session.read([Clip(poses, sure, pictures)], language=1)
    bright = pictures[:, 0].max(axis=(1, 2))
    assert found[:, 2] == pytest.approx(-9 * (poses[:, 0] + sure[:, 0] + bright + 1), rel=1e-5)
    for lacking, message in (
        (Clip(poses, sure), r"reads pictures \[7, 5, 5, 3\], but there are none"),
        (Clip(poses, sure[:5], pictures), r"reads confidence \[7, 50\], but they are \[5, 50\]"),
        (Clip(pictures=pictures), r"reads poses \[7, 150\], but there are none"),
    ):
        with pytest.raises(FormatError, match=message):
            session.read([lacking])


def test_a_clip_without_frames_or_with_too_many_is_refused(tmp_path: Path) -> None:
    session = RecognizerSession(write_tiny_judge(tmp_path / "tiny", max_frames=11))
    for count in (0, 12):
        with pytest.raises(
            FormatError, match=f"reads 1 to 11 frames at once, but there are {count}"
        ):
            session.read([Clip(np.zeros((count, 150), np.float32))])


def test_a_clip_shorter_than_a_step_is_filled_up(tmp_path: Path) -> None:
    session = RecognizerSession(write_tiny_judge(tmp_path / "tiny", stride=4))
    [found] = session.read([Clip(np.zeros((1, 150), np.float32))])
    assert found.shape == (1, 29)


@pytest.mark.parametrize(
    ("make", "more", "message"),
    [
        ("Identity (scores)", 0, "`log_probs` must be at most 0, but are not"),
        ("Concat <axis = 0> (scores, scores)", 0, r"`log_probs` must be \[1, steps, 2\]"),
        ("Neg (scores)", 1, "`out_lengths` must be 0 to the 3 steps"),
        ("Neg (scores)", -4, "`out_lengths` must be 0 to the 3 steps"),
        ("Concat <axis = 1> (scores, scores)", 0, "these at most 3, but are"),
        ("Log (scores)", 0, "`log_probs` must be at most 0, but are not"),
    ],
)
def test_what_is_no_log_probability_is_refused(
    tmp_path: Path, make: str, more: int, message: str
) -> None:
    graph = BROKEN.replace("MAKE", make).replace("MORE", str(more))
    session = RecognizerSession(written(tmp_path / "x", graph, 2))
    values = np.full((3, 150), -1.0 if make.startswith("Log") else 1.0, np.float32)
    with pytest.raises(PackageError, match=message):
        session.read([Clip(values)])


def test_a_graph_that_does_not_fit_its_config_is_refused_at_once(tmp_path: Path) -> None:
    package = write_tiny_judge(tmp_path / "tiny", inputs=["poses", "confidence"])
    with pytest.raises(PackageError, match=r"must take \['confidence', 'lengths', 'poses'\]"):
        RecognizerSession(package)
    inputs = ["poses", "confidence", "pictures", "language"]
    package = written(tmp_path / "few", EVERYTHING, 2, inputs=inputs, picture_px=5)
    with pytest.raises(PackageError, match=r"`log_probs` must have shape \[any, any, 2\]"):
        RecognizerSession(package)
    package = written(tmp_path / "side", EVERYTHING, 3, inputs=inputs, picture_px=7)
    with pytest.raises(PackageError, match=r"`pictures` must have shape \[any, any, 7, 7, 3\]"):
        RecognizerSession(package)
