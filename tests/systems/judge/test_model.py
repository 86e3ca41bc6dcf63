import numpy as np
import pytest
import torch
from torch.nn import functional

from signloom.losses.ctc import ctc_loss, steps_needed
from signloom.systems.judge.config import JudgeConfig
from signloom.systems.judge.model import JudgeModel


@pytest.fixture
def model() -> JudgeModel:
    torch.manual_seed(0)
    config = JudgeConfig(dim=11, num_blocks=2, kernel=3, dropout=0.5)
    return JudgeModel(config, 7, mean=torch.randn(13), std=torch.rand(13) + 0.5).eval()


def test_a_batch_of_unequal_lengths_equals_each_row_alone(model: JudgeModel) -> None:
    lengths = torch.tensor([17, 1, 8, 11])
    poses = torch.randn(4, 17, 13)
    together, steps = model(poses, lengths)
    assert steps.tolist() == [9, 1, 4, 6]
    for row, length in enumerate(lengths.tolist()):
        alone, _ = model(poses[row : row + 1, :length], lengths[row : row + 1])
        torch.testing.assert_close(together[row, : steps[row]], alone[0])


def test_one_output_sees_exactly_the_reach(model: JudgeModel) -> None:
    poses = torch.randn(1, 61, 13, requires_grad=True)
    log_probs, _ = model(poses, torch.tensor([61]))
    log_probs[0, 15].square().sum().backward()
    assert poses.grad is not None
    seen = poses.grad[0].abs().sum(-1).nonzero().flatten()
    half = model.config.reach // 2
    assert (seen.min().item(), seen.max().item()) == (30 - half, 30 + half)


def test_outputs_are_distributions(model: JudgeModel) -> None:
    log_probs, _ = model(torch.randn(3, 5, 13), torch.tensor([5, 4, 3]))
    torch.testing.assert_close(log_probs.exp().sum(-1), torch.ones(3, 3))


def test_the_loss_equals_torch_row_by_row() -> None:
    log_probs = torch.randn(3, 11, 7).log_softmax(-1)
    targets = torch.tensor([[1, 2, 3], [4, 4, 0], [5, 0, 0]])
    steps = torch.tensor([11, 7, 5])
    rows = [
        functional.ctc_loss(
            log_probs[row, : steps[row], None],
            targets[row : row + 1],
            steps[row : row + 1],
            torch.tensor([count]),
            reduction="sum",
        )
        for row, count in enumerate((3, 2, 1))
    ]
    torch.testing.assert_close(ctc_loss(log_probs, steps, targets), torch.stack(rows))


@pytest.mark.parametrize("labels", [[4, 4, 4], [4, 5, 6]])
def test_fewer_steps_than_needed_have_no_path(labels: list[int]) -> None:
    targets = torch.tensor([labels])
    needed = int(steps_needed(targets)[0])
    log_probs = torch.zeros(1, needed, 7).log_softmax(-1)
    assert np.isfinite(float(ctc_loss(log_probs, torch.tensor([needed]), targets)))
    assert float(ctc_loss(log_probs[:, 1:], torch.tensor([needed - 1]), targets)) == float("inf")
