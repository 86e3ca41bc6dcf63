from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.distributions import Categorical, kl_divergence

from signloom.core.lwta import (
    LocalCompetition,
    competitions,
    hard_winners,
    last_divergence,
    relaxed_winners,
    shares,
    winner_divergence,
)
from signloom.search.chance import DECODER, winner_noise

LOGITS = torch.tensor([-1.3, 0.4, 2.1, 0.0, 0.7])


def noise(positions: int, units: int, *, seed: int = 0) -> Tensor:
    drawn = winner_noise(0, positions, units=units, side=DECODER, sentence=77, seed=seed, sample=0)
    return torch.from_numpy(drawn)[None]


def test_the_divergence_equals_that_of_torch() -> None:
    torch.manual_seed(0)
    logits = 3 * torch.randn(3, 7, 11, 5)
    uniform = Categorical(logits=torch.zeros_like(logits))
    expected = kl_divergence(Categorical(logits=logits), uniform).sum(-1)
    torch.testing.assert_close(winner_divergence(logits.log_softmax(-1)), expected)


def test_the_divergence_is_0_where_all_units_are_alike_and_at_most_ln_u() -> None:
    alike = torch.full((2, 3, 5), 0.7).log_softmax(-1)
    torch.testing.assert_close(winner_divergence(alike), torch.zeros(2), atol=1e-6, rtol=0)
    sure = torch.tensor([[100.0, 0.0, 0.0, 0.0, 0.0]]).log_softmax(-1)
    assert winner_divergence(sure).item() == pytest.approx(math.log(5))


@pytest.mark.parametrize("noisy", [False, True])
def test_one_unit_of_a_block_speaks_in_evaluation_and_says_what_it_computed(noisy: bool) -> None:
    torch.manual_seed(0)
    linear = torch.randn(3, 7, 15)
    given = torch.randn(3, 7, 15) if noisy else None
    output = LocalCompetition(5).eval()(linear, given)
    assert ((output.reshape(3, 7, 3, 5) != 0).sum(-1) == 1).all()
    assert torch.equal(output[output != 0], linear[output != 0])


def test_without_noise_the_likeliest_unit_wins() -> None:
    torch.manual_seed(0)
    linear = torch.randn(3, 7, 15)
    layer = LocalCompetition(5).eval()
    output = layer(linear)
    torch.testing.assert_close(output, layer(linear, torch.zeros_like(linear)), rtol=0, atol=0)
    blocks = linear.reshape(3, 7, 3, 5)
    torch.testing.assert_close(output.reshape(3, 7, 3, 5).sum(-1), blocks.max(-1).values)


def test_of_equal_units_the_first_wins() -> None:
    assert hard_winners(torch.zeros(2, 3, 4)).nonzero()[:, -1].tolist() == [0] * 6


def test_units_win_as_often_as_their_softmax_says() -> None:
    linear = LOGITS.repeat(1, 2003, 3)
    output = LocalCompetition(5).eval()(linear, noise(2003, 15))
    # The unit whose output is 0 wins where no other speaks.
    won = (output.reshape(-1, 5) != 0).float()
    won[:, 3] = 1 - won.sum(1)
    expected, draws = LOGITS.softmax(-1), len(won)
    off = (won.mean(0) - expected).abs() / (expected * (1 - expected) / draws).sqrt()
    assert off.max() < 4


def test_relaxed_winners_become_hard_ones_when_the_temperature_falls() -> None:
    linear, drawn = LOGITS.repeat(1, 101, 3), noise(101, 15)
    log_q, gumbel = linear.reshape(-1, 5).log_softmax(-1), drawn.reshape(-1, 5)
    hard = hard_winners(linear.reshape(-1, 5) + gumbel).float()
    off = [
        (relaxed_winners(log_q, gumbel, temperature) - hard).abs().mean().item()
        for temperature in (1.69, 0.1, 1e-4)
    ]
    assert off[0] > off[1] > off[2]
    assert off[2] < 1e-6
    # The paper tests at T = 0.01, where all but a hair of the weight is the winner's.
    assert (relaxed_winners(log_q, gumbel, 0.01) - hard).abs().mean() < 0.01


def test_training_mixes_by_relaxed_winners_of_its_temperature() -> None:
    linear = LOGITS.repeat(1, 2003, 1)
    torch.manual_seed(1)
    whole = LocalCompetition(5, temperature=1.69).train()(linear)
    shared = whole / LOGITS
    inside = LOGITS != 0
    assert ((shared[..., inside] > 0) & (shared[..., inside] < 1)).all()
    first = (shared[..., 2] > 0.5).float().mean()
    torch.manual_seed(1)
    cold = (LocalCompetition(5, temperature=0.05).train()(linear) / LOGITS)[..., 2]
    assert (cold > 0.5).float().mean() > first
    expected = LOGITS.softmax(-1)[2].item()
    assert abs(cold.mean() - expected) < 4 * (expected * (1 - expected) / 2003) ** 0.5


def test_the_divergence_of_a_pass_is_kept_for_each_position_in_training() -> None:
    torch.manual_seed(0)
    layer = LocalCompetition(5)
    linear = torch.randn(3, 7, 15, requires_grad=True)
    layer.train()(linear)
    assert layer.divergence is not None
    expected = winner_divergence(linear.reshape(3, 7, 3, 5).log_softmax(-1))
    torch.testing.assert_close(layer.divergence, expected)
    layer.divergence.sum().backward()
    assert linear.grad is not None
    assert (linear.grad != 0).any()


def test_the_divergence_of_a_model_is_the_sum_over_its_competitions() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(LocalCompetition(5), nn.Linear(15, 12), LocalCompetition(4))
    assert last_divergence(model) is None
    model.train()(torch.randn(3, 7, 15))
    first, second = (one.divergence for one in competitions(model))
    found = last_divergence(model)
    assert found is not None
    torch.testing.assert_close(found, first + second)


def test_without_competition_there_is_no_divergence() -> None:
    model = nn.Sequential(nn.Linear(3, 5), nn.ReLU())
    model.train()(torch.randn(2, 3))
    assert last_divergence(model) is None


def test_noise_is_dealt_to_the_layers_in_order() -> None:
    drawn = torch.from_numpy(np.arange(42, dtype=np.float32)).reshape(1, 2, 21)
    first, second, third = shares(drawn, 3)
    assert torch.equal(torch.cat([first, second, third], -1), drawn)
    assert first.shape == third.shape == (1, 2, 7)
    assert list(shares(None, 3)) == [None, None, None]
