"""Utterances that are read without being prepared: what was seen, when, and the film."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.data.example import Span
from signloom.data.preparation import to_example, to_row
from signloom.data.readers.reading import Entry, Place
from signloom.errors import FormatError
from signloom.poses.pose import Pose
from tests.data.small_corpus import moving_frames


def entry(pose: Pose, **more) -> Entry:
    return Entry("a", "train", "t", Place(Path("x"), 3), lambda: pose, **more)


def film(count: int) -> np.ndarray:
    return np.broadcast_to(
        np.arange(count, dtype=np.uint8)[:, None, None, None], (count, 3, 4, 3)
    ).copy()


def test_joints_are_filled_as_in_rows_but_it_is_kept_which_were_seen() -> None:
    confidence = np.full((9, 50), 0.75, dtype=np.float32)
    confidence[:, 8:29] = 0
    one = entry(Pose(moving_frames(9), confidence), glosses=("A", "B"), signer="ann")
    example = to_example(one)
    np.testing.assert_array_equal(example.confidence, confidence)
    np.testing.assert_array_equal(example.frames, to_row(one).example.frames)
    assert (example.name, example.glosses, example.signer) == ("a", ("A", "B"), "ann")
    assert np.abs(example.frames[:, 8:29]).max() > 0.1


@pytest.mark.parametrize("fps", [50.0, 29.97, 12.5, 25.0])
def test_everything_follows_the_frame_rate(fps: float) -> None:
    pose = Pose.of(moving_frames(31), fps=fps)
    spans = ((0, 7), (11, 31))
    example = to_example(entry(pose, spans=spans, pictures=lambda: film(31)))
    count = round(31 * 25 / fps)
    assert example.num_frames == count
    assert example.confidence is not None
    assert example.confidence.shape == (count, 50)
    for (start, end), span in zip(spans, example.spans, strict=True):
        assert span.start / 25 == pytest.approx(start / fps, abs=0.51 / 25)
        assert span.end / 25 == pytest.approx(end / fps, abs=0.51 / 25)
    assert example.spans[-1].end == count
    assert example.pictures is not None
    shown = example.pictures()
    assert shown.shape == (count, 3, 4, 3)
    times = shown[:, 0, 0, 0] / fps
    np.testing.assert_allclose(times, np.arange(count) / 25, atol=1.01 / fps)
    if fps == 25:
        assert example.spans == tuple(Span(*one) for one in spans)
        np.testing.assert_array_equal(shown, film(31))


def test_a_film_is_read_when_it_is_asked_for() -> None:
    asked: list[int] = []

    def read() -> np.ndarray:
        asked.append(1)
        return film(5)

    example = to_example(entry(Pose.of(moving_frames(5)), pictures=read))
    assert asked == []
    assert example.pictures is not None
    assert example.pictures().shape == (5, 3, 4, 3)
    assert asked == [1]


def test_rows_of_shards_keep_none_of_it() -> None:
    one = entry(Pose.of(moving_frames(5)), spans=((0, 2),), pictures=lambda: film(5))
    example = to_row(one).example
    assert (example.spans, example.confidence, example.pictures) == ((), None, None)


def test_what_does_not_hold_is_named_by_its_place() -> None:
    def load() -> Pose:
        raise FormatError("x line 3 holds nothing")

    broken = Entry("a", "train", "t", Place(Path("x"), 3), load)
    with pytest.raises(FormatError, match=r"^x line 3: holds nothing$"):
        to_example(broken)
