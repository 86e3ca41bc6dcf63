from __future__ import annotations

import pytest

from signloom.features.steady import Shown, at_constant_rate


def timed(*starts: float, last: float = 0.04) -> list[tuple[Shown, int]]:
    return [(Shown(start, start + last), number) for number, start in enumerate(starts)]


@pytest.mark.parametrize("origin", [0.0, 3.21, -0.08])
def test_frames_at_the_rate_are_given_once_each_wherever_time_begins(origin) -> None:
    jitter = (0.0, 0.004, -0.006, 0.01, 0.0)
    frames = timed(*(origin + number / 25 + late for number, late in enumerate(jitter)))
    assert list(at_constant_rate(frames, 25.0)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("fps", "count"), [(50.0, 22), (25.0, 11), (24.0, 11), (12.5, 6), (5.0, 2)]
)
def test_the_duration_is_kept_at_every_rate(fps, count) -> None:
    given = list(at_constant_rate(timed(*(number / 25 for number in range(11))), fps))
    assert len(given) == count
    assert given == sorted(given)


def test_a_frame_is_held_until_the_next_and_the_last_one_for_its_own_time() -> None:
    frames = [*timed(0.0, 0.2, 0.24), (Shown(0.28, 0.4), 3)]
    assert list(at_constant_rate(frames, 25.0)) == [0, 0, 0, 0, 0, 1, 2, 3, 3, 3]


def test_time_that_runs_backwards_neither_repeats_nor_ends_the_film() -> None:
    assert list(at_constant_rate(timed(0.0, 0.04, 0.0, 0.08, 0.12), 25.0)) == [0, 2, 3, 4]


def test_one_frame_is_a_film_and_none_is_none() -> None:
    assert list(at_constant_rate(timed(7.0, last=0.0), 25.0)) == [0]
    assert list(at_constant_rate([], 25.0)) == []
