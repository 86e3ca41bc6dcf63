from __future__ import annotations

import numpy as np
import pytest

from signloom.data.picture_augment import bring_to, crop, flip
from signloom.errors import ConfigError


def places(frames: int, height: int, width: int) -> np.ndarray:
    """Pictures whose red is the row and whose green is the column; blue is the frame."""
    number, row, column = np.indices((frames, height, width), dtype=np.uint8)
    return np.stack([row, column, number], axis=-1)


def test_pictures_are_brought_to_the_size_of_their_middle() -> None:
    film = bring_to(places(3, 20, 40), side_px=10)
    assert (film.shape, film.dtype) == ((3, 10, 10, 3), np.uint8)
    assert film[2, 0, 0].tolist() == pytest.approx([0, 10, 2], abs=2)
    assert film[2, 9, 9].tolist() == pytest.approx([19, 29, 2], abs=2)
    same = places(2, 7, 7)
    assert bring_to(same, side_px=7) is same


def test_a_crop_without_chance_is_the_middle() -> None:
    film = crop(places(3, 9, 13), side_px=5)
    assert film.shape == (3, 5, 5, 3)
    assert film[1, 0, 0].tolist() == [2, 4, 1]


def test_a_random_crop_is_at_one_place_in_all_frames_and_anywhere_in_time() -> None:
    rng = np.random.default_rng(0)
    corners = set()
    for _ in range(200):
        film = crop(places(3, 9, 7), side_px=5, rng=rng)
        assert (film[..., :2] == film[0, ..., :2]).all()
        corners.add(tuple(film[0, 0, 0, :2].tolist()))
    assert corners == {(row, column) for row in range(5) for column in range(3)}


def test_a_crop_larger_than_the_pictures_is_refused() -> None:
    with pytest.raises(ConfigError, match="13 x 9 pixels, but is 10"):
        crop(places(1, 9, 13), side_px=10)


def test_a_flipped_film_is_mirrored_from_left_to_right() -> None:
    film = flip(places(2, 3, 5))
    assert film[1, 2, 0].tolist() == [2, 4, 1]
    np.testing.assert_array_equal(flip(film), places(2, 3, 5))
