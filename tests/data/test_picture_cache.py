from __future__ import annotations

import numpy as np
import pytest

from signloom.data.picture_cache import PictureCache


def film(value: int, frames: int = 3) -> np.ndarray:
    return np.full((frames, 5, 7, 3), value, np.uint8)


def test_what_was_unused_longest_goes_first() -> None:
    cache = PictureCache(2 * film(0).nbytes)
    for key in (b"a", b"b"):
        cache.get(key, lambda: film(1))
    cache.get(b"a", lambda: film(9))
    cache.get(b"c", lambda: film(2))
    kept = {key: int(cache.get(key, lambda: film(7))[0, 0, 0, 0]) for key in (b"a", b"b")}
    assert kept == {b"a": 1, b"b": 7}
    assert cache.num_bytes == cache.max_bytes


def test_a_film_larger_than_the_cache_is_made_each_time_and_drives_nothing_out() -> None:
    cache = PictureCache(film(0).nbytes)
    cache.get(b"a", lambda: film(1))
    for value in (4, 5):
        assert cache.get(b"large", lambda value=value: film(value, frames=11))[0, 0, 0, 0] == value
    assert cache.get(b"a", lambda: film(9))[0, 0, 0, 0] == 1


def test_remembered_films_cannot_be_written_to() -> None:
    cache = PictureCache()
    with pytest.raises(ValueError, match="read-only"):
        cache.get(b"a", lambda: film(1))[0] = 0
