from __future__ import annotations

import numpy as np

from signloom.features.pitch.processing import process, voicing


def raw(likeness: np.ndarray, hertz: np.ndarray) -> np.ndarray:
    return np.stack([likeness, hertz], axis=1).astype(np.float32)


def test_a_pitch_that_stays_is_neither_high_nor_changing() -> None:
    found = process(raw(np.linspace(-1.0, 1.0, 201), np.full(201, 133.0)))
    np.testing.assert_allclose(found[:, 1:], 0.0, atol=1e-6)
    assert (np.diff(found[:, 0]) < 0).all()


def test_pitch_is_measured_from_the_mean_of_the_voiced_frames_around() -> None:
    rng = np.random.default_rng(2)
    likeness, hertz = rng.uniform(0, 1, 233), rng.uniform(60, 300, 233)
    found = process(raw(likeness, hertz))[:, 1]
    weights, logs = voicing(likeness), np.log(hertz)
    for frame in (0, 5, 75, 76, 120, 157, 158, 232):
        around = slice(max(0, frame - 75), frame + 76)
        mean = (weights[around] * logs[around]).sum() / weights[around].sum()
        np.testing.assert_allclose(found[frame], 2 * (logs[frame] - mean), atol=1e-5)


def test_change_is_the_slope_over_five_frames() -> None:
    found = process(raw(np.full(17, 0.5), 100.0 * 1.01 ** np.arange(17)))[:, 2]
    np.testing.assert_allclose(found[2:-2], 10 * np.log(1.01), rtol=1e-4)
    # Before the first frame and after the last, pitch is taken to stay.
    np.testing.assert_allclose(found[[0, 1, -2, -1]] / found[7], [0.5, 0.8, 0.8, 0.5], rtol=1e-3)


def test_a_likeness_a_little_out_of_range_counts_as_full() -> None:
    over = process(raw(np.array([1.003, -1.003]), np.full(2, 99.0)))
    full = process(raw(np.array([1.0, -1.0]), np.full(2, 99.0)))
    np.testing.assert_array_equal(over, full)


def test_a_voice_is_the_surer_the_more_alike_its_frames() -> None:
    chances = voicing(np.array([0.0, 0.3, 0.6, 0.9, 1.0]))
    assert (np.diff(chances) > 0).all()
    assert chances[0] < 0.01
    assert chances[-1] > 0.99
    np.testing.assert_array_equal(voicing(np.array([-0.6])), voicing(np.array([0.6])))


def test_no_frame_gives_no_feature() -> None:
    assert process(np.zeros((0, 2), dtype=np.float32)).shape == (0, 3)
