"""A passage that begins or ends in the middle of sound is given room there, and no other is."""

from __future__ import annotations

import numpy as np
import pytest

from signloom.features.room import with_room

RATE = 8000
ROOM = 800
QUIET = 0.001 * np.random.default_rng(2).standard_normal(1000).astype(np.float32)
LOUD = 0.3 * np.random.default_rng(3).standard_normal(1700).astype(np.float32)


@pytest.mark.parametrize(
    ("pieces", "before", "behind"),
    [
        ((LOUD, QUIET), ROOM, 0),
        ((QUIET, LOUD), 0, ROOM),
        ((LOUD, QUIET, LOUD), ROOM, ROOM),
        ((QUIET, LOUD, QUIET), 0, 0),
        ((LOUD,), 0, 0),
        ((np.zeros(3000, np.float32),), 0, 0),
        ((LOUD[:100],), 0, 0),
    ],
)
def test_room_is_put_where_sound_begins_or_ends_at_once(
    pieces: tuple[np.ndarray, ...], before: int, behind: int
) -> None:
    samples = np.concatenate(pieces)
    found, lead = with_room(samples, rate=RATE, most=9 * RATE)
    assert (lead, len(found)) == (before, before + len(samples) + behind)
    np.testing.assert_array_equal(found[lead : lead + len(samples)], samples)
    assert found.dtype == np.float32


def test_room_is_as_faint_as_the_passage_gets_and_always_the_same() -> None:
    samples = np.concatenate([LOUD, QUIET, LOUD])
    found, lead = with_room(samples, rate=RATE, most=9 * RATE)
    assert found[:lead].std() == pytest.approx(0.001, rel=0.2)
    np.testing.assert_array_equal(found, with_room(samples, rate=RATE, most=9 * RATE)[0])
    silent, _ = with_room(np.concatenate([LOUD, 0 * QUIET]), rate=RATE, most=9 * RATE)
    assert not silent[:ROOM].any()


@pytest.mark.parametrize(("spare", "room"), [(0, 0), (1, 0), (7, 3), (2 * ROOM, ROOM)])
def test_a_passage_with_room_is_no_longer_than_the_longest(spare: int, room: int) -> None:
    samples = np.concatenate([LOUD, QUIET])
    found, lead = with_room(samples, rate=RATE, most=len(samples) + spare)
    assert (lead, len(found)) == (room, len(samples) + room)
