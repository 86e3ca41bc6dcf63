"""What the decoder of captions is fed."""

from __future__ import annotations

import pytest
import torch

from signloom.systems.caption.batch import shift_captions


@pytest.mark.parametrize("group", [1, 2, 3, 5])
def test_each_group_is_fed_the_one_before(group: int) -> None:
    captions = [(7, 8, 9, 4, 5, 3), (6, 3), (9, 9, 9, 3)]
    fed, targets = shift_captions(captions, start=2, group=group)
    assert fed.shape == targets.shape
    assert fed.shape[1] % group == 0
    assert (fed[:, :group] == 2).all()
    assert torch.equal(fed[:, group:], targets[:, : fed.shape[1] - group])
    for row, caption in zip(targets.tolist(), captions, strict=True):
        assert tuple(row[: len(caption)]) == caption
        assert set(row[len(caption) :]) <= {0}
