import pytest
import torch

from signloom.decoders.length import LengthPredictor
from signloom.systems.produce.model import read_lengths


def test_the_encoder_gets_no_gradient() -> None:
    states = torch.randn(3, 5, 8, requires_grad=True)
    LengthPredictor(8, max_frames=11)(states, torch.ones(3, 5, dtype=torch.bool)).sum().backward()
    assert states.grad is None


def test_padding_counts_nothing() -> None:
    torch.manual_seed(0)
    predictor, states = LengthPredictor(8, max_frames=11), torch.randn(1, 5, 8)
    present = torch.tensor([[True, True, True, False, False]])
    torch.testing.assert_close(predictor(states, present), predictor(states[:, :3], present[:, :3]))


@pytest.mark.parametrize(("rule", "frames"), [("expectation", 3), ("argmax", 5)])
def test_a_length_is_read_by_the_rule(rule: str, frames: int) -> None:
    logits = torch.tensor([[0.3, 0.2, 0.05, 0.05, 0.4]]).log()
    assert read_lengths(logits, rule).tolist() == [frames]
