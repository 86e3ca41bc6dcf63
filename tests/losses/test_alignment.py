from __future__ import annotations

import pytest
import torch

from signloom.losses.alignment import distillation_loss, step_labels, step_loss


def test_distillation_is_zero_where_both_read_the_same_and_positive_elsewhere() -> None:
    torch.manual_seed(0)
    main = torch.randn(3, 5, 7)
    present = torch.ones(3, 5, dtype=torch.bool)
    assert distillation_loss(main, main, present).abs() < 1e-6
    assert distillation_loss(main + 3, main, present).abs() < 1e-5
    assert distillation_loss(torch.randn(3, 5, 7), main, present) > 1e-2


def test_distillation_is_the_divergence_of_softened_distributions() -> None:
    torch.manual_seed(0)
    visual, main = torch.randn(2, 3, 5), torch.randn(2, 3, 5)
    present = torch.tensor([[True, True, True], [True, False, False]])
    teaching = (main / 4).softmax(-1)
    rows = (teaching * (teaching.log() - (visual / 4).log_softmax(-1))).sum(-1)
    expected = 16 * rows[present].mean()
    found = distillation_loss(visual, main, present, temperature=4.0)
    torch.testing.assert_close(found, expected)
    visual[1, 1:] = 1e3
    torch.testing.assert_close(distillation_loss(visual, main, present, temperature=4.0), expected)


def test_distillation_teaches_the_visual_logits_alone() -> None:
    visual = torch.randn(1, 3, 5, requires_grad=True)
    main = torch.randn(1, 3, 5, requires_grad=True)
    distillation_loss(visual, main, torch.ones(1, 3, dtype=torch.bool)).backward()
    assert visual.grad is not None
    assert visual.grad.abs().sum() > 0
    assert main.grad is None


def test_the_loss_of_steps_is_the_mean_over_those_that_are_known() -> None:
    torch.manual_seed(0)
    log_probs = torch.randn(2, 3, 5).log_softmax(-1)
    labels = torch.tensor([[4, -1, 0], [-1, 2, -1]])
    expected = -(log_probs[0, 0, 4] + log_probs[0, 2, 0] + log_probs[1, 1, 2]) / 3
    torch.testing.assert_close(step_loss(log_probs, labels), expected)
    assert step_loss(log_probs, torch.full((2, 3), -1)) == 0


@pytest.mark.parametrize(
    ("stride", "expected"),
    [(1, [1, 2, 3, 4, 5, 6, 7]), (2, [2, 4, 6, -1]), (3, [2, 5, -1]), (4, [3, 7]), (9, [5])],
)
def test_a_step_is_labelled_by_its_middle_frame(stride: int, expected: list[int]) -> None:
    frames = torch.tensor([[1, 2, 3, 4, 5, 6, 7], [-1, 0, -1, 0, -1, 0, -1]])
    labels = step_labels(frames, stride=stride)
    assert labels[0].tolist() == expected
    assert labels.shape == (2, -(-7 // stride))


def test_a_clip_is_labelled_alike_alone_and_in_a_longer_batch() -> None:
    alone = step_labels(torch.tensor([[5, 5, 5, 5, 6]]), stride=4)
    padded = step_labels(torch.tensor([[5, 5, 5, 5, 6, -1, -1, -1, -1]]), stride=4)
    assert alone.tolist() == [[5, -1]]
    assert padded[:, :2].tolist() == alone.tolist()
