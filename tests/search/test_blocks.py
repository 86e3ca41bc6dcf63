"""A counter ends each row by itself; the others go on."""

from __future__ import annotations

import numpy as np
import pytest

from signloom.search.blocks import decode, decode_blocks
from signloom.search.levels import Schedule, schedule

TOKENS = np.array([[3], [5], [11]])


class Countdown:
    """Frames (place, place / tokens): row `b` ends after as many frames as its first id says."""

    schedule: Schedule = schedule((1,))
    velocity_span = 0
    num_features = 2
    counter = True

    def begin(self, tokens: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, int]:
        return tokens[:, 0], 0

    def step(
        self, window: np.ndarray, state: tuple[np.ndarray, int], *, keep: int
    ) -> tuple[np.ndarray, tuple[np.ndarray, int]]:
        ends, place = state
        frames = np.stack([np.full(len(ends), place + 1), (place + 1) / ends], axis=-1)
        return frames[:, None].astype(np.float32), (ends, place + keep)


def test_each_row_ends_with_its_own_counter() -> None:
    pieces = list(decode_blocks(Countdown(), TOKENS, np.full(3, 60)))
    assert len(pieces) == 11
    assert pieces[-1].lengths.tolist() == [3, 5, 11]
    assert [piece.lengths.tolist() for piece in pieces[2:5]] == [[3, 60, 60]] * 2 + [[3, 5, 60]]


def test_the_most_that_is_allowed_ends_a_row_too() -> None:
    *_, last = decode_blocks(Countdown(), TOKENS, np.array([60, 4, 7]))
    assert last.lengths.tolist() == [3, 4, 7]


@pytest.mark.parametrize("row", [0, 1, 2])
def test_a_row_alone_is_as_long_as_in_a_batch(row: int) -> None:
    alone = decode(Countdown(), TOKENS[row : row + 1], np.array([60]))
    np.testing.assert_array_equal(alone[0, :, 0], np.arange(TOKENS[row, 0]) + 1)


def test_a_decoder_without_a_counter_never_stops_early() -> None:
    stepper = Countdown()
    stepper.counter = False
    assert decode(stepper, TOKENS, np.array([13, 7, 60])).shape == (3, 60, 2)
