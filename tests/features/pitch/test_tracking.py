from __future__ import annotations

import numpy as np
import pytest

from signloom.features.pitch.lags import FIRST_LAG, LAST_LAG, candidate_lags, lag_filters
from signloom.features.pitch.tracking import track

LAGS = np.arange(FIRST_LAG, LAST_LAG + 1) / 4000


def likeness(hertz: float, *, frames: int, strength: float = 1.0) -> np.ndarray:
    """Correlations as a tone has them."""
    return np.tile(strength * np.cos(2 * np.pi * hertz * LAGS), (frames, 1))


def hertz_of(*blocks: np.ndarray, **options: int) -> np.ndarray:
    return 1.0 / candidate_lags()[np.concatenate(list(track(blocks, **options)))]


def cost(path: np.ndarray, block: np.ndarray) -> float:
    lags = candidate_lags().astype(np.float64)
    near = (block @ lag_filters())[np.arange(len(path)), path]
    changes = np.diff(path) * np.log(1.005)
    return float((1 - near * (1 - 10 * lags[path])).sum() + 0.1 * (changes**2).sum())


def test_no_path_around_the_one_found_costs_less() -> None:
    rng = np.random.default_rng(5)
    block = likeness(140.0, frames=31) + 0.5 * rng.standard_normal((31, len(LAGS)))
    [path] = track([block])
    least = cost(path, block)
    for _ in range(300):
        start, end = np.sort(rng.integers(0, 32, 2))
        other = path.copy()
        other[start:end] = (other[start:end] + rng.integers(-40, 41)).clip(
            0, len(lag_filters().T) - 1
        )
        assert cost(other, block) >= least - 1e-5


def test_a_weak_frame_has_the_pitch_of_its_neighbours() -> None:
    strong, weak = likeness(110.0, frames=13), likeness(190.0, frames=3, strength=1e-4)
    np.testing.assert_allclose(hertz_of(strong, weak, strong), 110.0, rtol=0.01)


def test_of_two_likely_lags_the_shorter_is_chosen() -> None:
    # At 200 Hz, twice and three times the lag are just as like.
    np.testing.assert_allclose(hertz_of(likeness(200.0, frames=5)), 200.0, rtol=0.01)


@pytest.mark.parametrize("most_pending", [60, 100, 1000])
def test_a_path_decided_in_parts_is_the_path_of_the_whole(most_pending) -> None:
    rng = np.random.default_rng(11)
    blocks = [
        likeness(hertz, frames=43) + 0.2 * rng.standard_normal((43, len(LAGS)))
        for hertz in (130.0, 90.0, 210.0, 170.0, 120.0)
    ]
    [whole] = track([np.concatenate(blocks)])
    parts = list(track(blocks, most_pending=most_pending))
    assert len(parts) == {60: 4, 100: 3, 1000: 1}[most_pending]
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_nothing_to_follow_gives_no_path() -> None:
    assert list(track([])) == []


def test_candidates_run_from_400_to_50_hertz_in_even_steps() -> None:
    hertz = 1.0 / candidate_lags()
    assert hertz[0] == pytest.approx(400.0)
    assert 50.0 <= hertz[-1] < 50.0 * 1.005
    np.testing.assert_allclose(hertz[:-1] / hertz[1:], 1.005, rtol=1e-5)
