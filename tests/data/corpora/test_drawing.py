from __future__ import annotations

import numpy as np

from signloom.data.corpora.drawing import draw_clips, step_rng
from signloom.data.example import Example


def clips(count: int) -> list[Example]:
    lengths = np.random.default_rng(0).permutation(count) + 1
    return [
        Example(f"c{n}", "", (), np.zeros((n, 50, 3), np.float32), ()) for n in lengths.tolist()
    ]


def lengths(batch: list[Example]) -> list[int]:
    return [one.num_frames for one in batch]


def test_a_training_batch_is_cut_from_several_that_are_sorted_by_length() -> None:
    spreads = {1: [], 4: []}
    for pool, found in spreads.items():
        for step in range(30):
            rng = step_rng(3, "train", step)
            batch = lengths(draw_clips(clips(41), rng, train=True, size=5, pool=pool))
            assert batch == sorted(set(batch))
            found.append(batch[-1] - batch[0])
    assert np.mean(spreads[4]) < np.mean(spreads[1]) / 2


def test_other_batches_are_drawn_without_sorting_or_replacement() -> None:
    batches = [
        lengths(draw_clips(clips(11), step_rng(3, "dev", n), train=False, size=11, pool=4))
        for n in range(5)
    ]
    assert all(sorted(batch) == [*range(1, 12)] != batch for batch in batches)


def test_too_few_clips_come_again() -> None:
    batch = lengths(draw_clips(clips(3), step_rng(0, "dev", 0), train=False, size=7, pool=1))
    assert sorted(batch.count(one) for one in (1, 2, 3)) == [2, 2, 3]


def test_a_batch_follows_from_seed_split_and_step() -> None:
    def draws(*key) -> list[int]:
        return step_rng(*key).integers(1000, size=9).tolist()

    assert draws(3, "train", 7) == draws(3, "train", 7)
    others = [draws(4, "train", 7), draws(3, "dev", 7), draws(3, "train", 8)]
    assert all(one != draws(3, "train", 7) for one in others)
