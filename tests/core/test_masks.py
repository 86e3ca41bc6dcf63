import pytest
import torch

from signloom.core.masks import length_mask, relaxed_mask, relaxed_mask_between, sight_mask


@pytest.mark.parametrize("group", [1, 2, 3, 8])
def test_a_frame_sees_its_own_group_and_every_group_before(group: int) -> None:
    mask = relaxed_mask(11, group=group)
    for query in range(11):
        for key in range(11):
            assert mask[query, key] == (key // group <= query // group)


def test_groups_of_one_are_the_causal_mask() -> None:
    assert torch.equal(relaxed_mask(7, group=1), torch.ones(7, 7).tril().bool())


def test_one_group_sees_everything() -> None:
    assert relaxed_mask(7, group=300).all()


def test_a_mask_between_positions_is_rows_of_the_whole_mask() -> None:
    whole = relaxed_mask(13, group=4)
    part = relaxed_mask_between(torch.arange(8, 11), torch.arange(13), group=4)
    assert torch.equal(part, whole[8:11])


def test_length_mask_is_true_inside() -> None:
    assert length_mask(torch.tensor([0, 2, 5]), torch.arange(3)).sum(1).tolist() == [0, 2, 3]


SIGHTS = {
    "unified": lambda query, key: query != key,
    "left_to_right": lambda query, key: key < query,
    "right_to_left": lambda query, key: key > query,
    "padding": lambda query, key: True,
}


@pytest.mark.parametrize("sight", SIGHTS)
def test_a_token_sees_those_of_its_row_that_it_may(sight: str) -> None:
    lengths = torch.tensor([5, 1, 3])
    mask = sight_mask(lengths, 5, sight=sight)
    for row, length in enumerate(lengths.tolist()):
        for query in range(5):
            for key in range(5):
                expected = key < length and SIGHTS[sight](query, key)
                assert mask[row, query, key] == expected
