from __future__ import annotations

import numpy as np
import pytest

from signloom.features.squares import square


@pytest.mark.parametrize("shape", [(6, 10, 3), (10, 6, 3)])
def test_the_middle_of_a_picture_is_kept_and_scaled(shape) -> None:
    picture = np.zeros(shape, np.uint8)
    middle = np.s_[:, 2:8] if shape[1] > shape[0] else np.s_[2:8]
    picture[middle] = [10, 20, 30]
    small = square(picture, side_px=4)
    assert small.shape == (4, 4, 3)
    assert small.dtype == np.uint8
    assert (small == [10, 20, 30]).all()


def test_a_square_of_the_size_is_left_as_it_is() -> None:
    picture = np.random.default_rng(0).integers(256, size=(7, 7, 3), dtype=np.uint8)
    np.testing.assert_array_equal(square(picture, side_px=7), picture)
