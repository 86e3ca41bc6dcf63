import torch

from signloom.core.cmvn import Normalise

MEAN, STD = torch.tensor([1.0, -2.0, 0.5]), torch.tensor([2.0, 0.5, 1.0])


def test_globally_every_row_is_standardised_by_the_same_numbers() -> None:
    frames = torch.randn(2, 5, 3)
    found = Normalise(MEAN, STD, over="global")(frames, torch.ones(2, 5, dtype=torch.bool))
    torch.testing.assert_close(found, (frames - MEAN) / STD)


def test_an_utterance_has_no_mean_and_unit_variance_whatever_pads_it() -> None:
    torch.manual_seed(0)
    frames, present = 3 + 5 * torch.randn(2, 9, 3), torch.ones(2, 9, dtype=torch.bool)
    present[1, 6:] = False
    found = Normalise(MEAN, STD, over="utterance")(frames, present)
    assert found[1, 6:].abs().max() == 0
    for row, count in ((0, 9), (1, 6)):
        torch.testing.assert_close(found[row, :count].mean(0), torch.zeros(3), atol=1e-5, rtol=0)
        spread = found[row, :count].std(0, correction=0)
        torch.testing.assert_close(spread, torch.ones(3), atol=1e-4, rtol=0)


def test_a_lone_or_constant_frame_becomes_nothing() -> None:
    found = Normalise(MEAN, STD, over="utterance")(
        torch.full((1, 1, 3), 7.0), torch.ones(1, 1, dtype=torch.bool)
    )
    assert found.abs().max() == 0
