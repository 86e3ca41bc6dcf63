from __future__ import annotations

import numpy as np
import pytest

from signloom.features.wholebody import (
    fit,
    from_columns_and_rows,
    from_heatmaps,
    to_keypoints,
)
from signloom.poses.skeleton import LEFT_HAND, LEFT_WRIST, NECK, RIGHT_HAND, RIGHT_SHOULDER

MEAN = np.array([123.675, 116.28, 103.53])
SPREAD = np.array([58.395, 57.12, 57.375])


@pytest.mark.parametrize(
    ("shape", "inside"),
    [((40, 30, 3), np.s_[:, :]), ((40, 15, 3), np.s_[:, 15:45]), ((20, 30, 3), np.s_[20:60, :])],
)
def test_a_picture_fills_what_the_model_takes_and_the_rest_is_black(shape, inside) -> None:
    fitted = fit(np.full(shape, [200, 100, 50], np.uint8), height=80, width=60)
    assert fitted.values.shape == (1, 3, 80, 60)
    assert fitted.values.dtype == np.float32
    rest = np.ones((80, 60), bool)
    rest[inside] = False
    picture = fitted.values[0].transpose(1, 2, 0) * SPREAD + MEAN
    np.testing.assert_allclose(picture[~rest], [[200, 100, 50]] * (~rest).sum(), atol=1e-3)
    np.testing.assert_allclose(picture[rest], 0, atol=1e-3)


def test_a_heatmap_is_read_at_its_peak_a_quarter_towards_the_higher_neighbour() -> None:
    maps = np.zeros((3, 8, 6), np.float32)
    maps[0, 5, 2], maps[0, 5, 3], maps[0, 4, 2] = 0.9, 0.4, 0.3
    maps[1, 0, 0] = 0.5
    maps[2, 7, 5], maps[2, 7, 4] = 0.7, 0.6
    maps[2] = np.roll(maps[2], -1, axis=0)
    maps[2, 5, 5] = 0.1
    places, scores = from_heatmaps(maps)
    expected = [[2.25 / 6, 4.75 / 8], [0, 0], [5 / 6, 5.75 / 8]]
    np.testing.assert_allclose(places, expected, atol=1e-6)
    np.testing.assert_allclose(scores, [0.9, 0.5, 0.7])


def test_columns_and_rows_are_as_sure_as_the_less_sure_of_them() -> None:
    columns, rows = np.zeros((2, 12), np.float32), np.zeros((2, 16), np.float32)
    columns[0, 3], rows[0, 8] = 0.9, 0.6
    columns[1, 11], rows[1, 0] = 0.2, 0.8
    places, scores = from_columns_and_rows(columns, rows)
    np.testing.assert_allclose(places, [[3 / 12, 8 / 16], [11 / 12, 0]])
    np.testing.assert_allclose(scores, [0.6, 0.2])


def test_points_go_to_the_joints_of_their_own_side_in_pixels_of_the_picture() -> None:
    fitted = fit(np.zeros((40, 20, 3), np.uint8), height=80, width=60)
    places = np.zeros((133, 2), np.float32)
    places[:, 0] = (10 + 2 * (np.arange(133) % 20)) / 60
    places[:, 1] = np.arange(133) / 160
    scores = np.full(133, 0.8, np.float32)
    scores[[6, 120]], scores[9] = 0.29, 1.7
    points, confidence = to_keypoints(places, scores, fitted)
    numbers = points[:, 1] * 4  # of the point that each joint is
    np.testing.assert_allclose(numbers[[0, 2, 3, 4, 5, 6, 7]], [0, 5, 7, 9, 6, 8, 10], atol=1e-4)
    np.testing.assert_allclose(numbers[LEFT_HAND], np.arange(91, 112), atol=1e-4)
    np.testing.assert_allclose(numbers[RIGHT_HAND], np.arange(112, 133), atol=1e-4)
    np.testing.assert_allclose(points[LEFT_HAND, 0], np.arange(91, 112) % 20, atol=1e-4)
    assert (points[:, 2] == 0).all()
    unseen = [NECK, RIGHT_SHOULDER, RIGHT_HAND.start + 8]
    assert np.flatnonzero(confidence == 0).tolist() == unseen
    assert confidence[LEFT_WRIST] == 1
