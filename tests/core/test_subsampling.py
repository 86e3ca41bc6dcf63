import pytest
import torch

from signloom.core.subsampling import STRIDE, ConvSubsampling, halved


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 9])
def test_a_step_begins_with_every_second_frame(count: int) -> None:
    assert halved(count) == len(range(0, count, 2))


def test_padding_changes_nothing() -> None:
    torch.manual_seed(0)
    module = ConvSubsampling(7, 10, channels=3).eval()
    lengths = torch.tensor([21, 1, 8, 4, 13])
    frames = torch.randn(5, 21, 7)
    steps, present = module(frames, lengths)
    assert present.sum(1).tolist() == [6, 1, 2, 1, 4]
    for row, length in enumerate(lengths.tolist()):
        alone, _ = module(frames[row : row + 1, :length], torch.tensor([length]))
        assert alone.shape[1] == -(-length // STRIDE)
        torch.testing.assert_close(alone[0], steps[row, : alone.shape[1]])
