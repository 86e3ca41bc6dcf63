from __future__ import annotations

import pytest
import torch

from signloom.losses.tokens import token_loss

TARGETS = torch.tensor([[3, 1, 6, 2], [5, 4, 0, 0], [1, 0, 0, 0]])


def logits() -> torch.Tensor:
    torch.manual_seed(0)
    return 3 * torch.randn(3, 4, 7)


@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_the_loss_is_the_formula(smoothing: float) -> None:
    """Each token's own probability weighs 1 - s, and all tokens together s, each the same."""
    scores = logits()
    log_probs = scores.log_softmax(-1)
    expected = torch.zeros(3)
    for row, line in enumerate(TARGETS.tolist()):
        for slot, token in enumerate(line):
            if token:
                own, all_ = log_probs[row, slot, token], log_probs[row, slot].mean()
                expected[row] -= (1 - smoothing) * own + smoothing * all_
    torch.testing.assert_close(token_loss(scores, TARGETS, smoothing=smoothing), expected)


@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_padding_counts_nothing(smoothing: float) -> None:
    scores = logits().requires_grad_()
    token_loss(scores, TARGETS, smoothing=smoothing).sum().backward()
    assert scores.grad is not None
    assert torch.equal((scores.grad != 0).any(-1), TARGETS != 0)


def test_sure_and_right_costs_nothing() -> None:
    scores = 200 * torch.nn.functional.one_hot(TARGETS, 7).float()
    assert token_loss(scores, TARGETS).abs().max() < 1e-6
