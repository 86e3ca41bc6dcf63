"""The temporal module: halving, attention over time, and padding that changes nothing."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from signloom.core.masks import length_mask
from signloom.core.temporal import FrameNorm, TemporalModule, TemporalStage, TimeAttention

LENGTHS = (9, 1, 6, 2)


def padded(lengths: tuple[int, ...], dim: int) -> tuple[Tensor, Tensor]:
    """Draw clips; what lies beyond their ends is large."""
    torch.manual_seed(1)
    present = length_mask(torch.tensor(lengths), torch.arange(max(lengths)))
    x = torch.randn(len(lengths), max(lengths), dim)
    return torch.where(present[..., None], x, 1e3 * torch.randn_like(x)), present


def new_module(**options) -> TemporalModule:
    torch.manual_seed(0)
    return TemporalModule(7, 12, **options)


@pytest.mark.parametrize("pools", [(2, 2), (2, 1), (3,), (1, 1)])
def test_each_stage_gives_a_step_for_every_pool_begun(pools: tuple[int, ...]) -> None:
    module = new_module(pools=pools, attention=[False] * len(pools)).eval()
    lengths = torch.arange(1, 10)
    present = length_mask(lengths, torch.arange(9))
    steps, real = module(torch.randn(9, 9, 7), present)
    expected = lengths
    for pool in pools:
        expected = -(-expected // pool)
    assert real.sum(1).tolist() == expected.tolist()
    assert steps.shape == (9, int(expected.max()), 12)
    for row, length in enumerate(lengths.tolist()):
        alone, _ = module(torch.randn(1, length, 7), torch.ones(1, length, dtype=torch.bool))
        assert alone.shape[1] == expected[row]


def test_a_stage_is_convolution_normalisation_relu_and_max_pooling() -> None:
    torch.manual_seed(0)
    stage = TemporalStage(7, 5, kernel=3, pool=2).eval()
    stage.norm.running_mean.normal_()
    x = torch.randn(3, 8, 7)
    steps, _ = stage(x, torch.ones(3, 8, dtype=torch.bool))
    y = stage.convolution(x.transpose(1, 2))
    y = functional.batch_norm(y, stage.norm.running_mean, stage.norm.running_var)
    expected = functional.max_pool1d(y.relu(), 2).transpose(1, 2)
    torch.testing.assert_close(steps, expected, atol=1e-5, rtol=1.3e-6)


@pytest.mark.parametrize("training", [False, True])
def test_padding_changes_nothing(training: bool) -> None:
    x, present = padded(LENGTHS, 7)
    wide = functional.pad(x, (0, 0, 0, 5), value=-77.0)
    wider = functional.pad(present, (0, 5))
    results, statistics = [], []
    for frames, real in ((x, present), (wide, wider)):
        module = new_module(attention=(True, True)).train(training)
        steps, kept = module(frames, real)
        results.append(steps[kept])
        statistics.append([value.clone() for value in module.buffers()])
    torch.testing.assert_close(*results, atol=1e-5, rtol=1.3e-6)
    torch.testing.assert_close(*statistics, atol=1e-5, rtol=1.3e-6)


def test_a_batch_of_unequal_lengths_equals_each_clip_alone() -> None:
    x, present = padded(LENGTHS, 7)
    module = new_module(attention=(True, True)).eval()
    together, real = module(x, present)
    for row, length in enumerate(LENGTHS):
        alone, _ = module(x[row : row + 1, :length], present[row : row + 1, :length])
        torch.testing.assert_close(together[row, real[row]], alone[0], atol=1e-5, rtol=1.3e-6)


def test_statistics_are_those_of_real_frames() -> None:
    x, present = padded(LENGTHS, 5)
    norm, plain = FrameNorm(5), nn.BatchNorm1d(5)
    found = norm(x, present)
    torch.testing.assert_close(found[present], plain(x[present]))
    torch.testing.assert_close(norm.running_var, plain.running_var)
    assert (found[~present] == 0).all()
    norm.eval()
    torch.testing.assert_close(norm(x, present)[present], plain.eval()(x[present]))


class TestAttention:
    """Attention over time, not over the batch."""

    @pytest.fixture
    def attention(self) -> TimeAttention:
        torch.manual_seed(0)
        return TimeAttention(12, 3).eval()

    def test_permuting_the_batch_permutes_the_output(self, attention: TimeAttention) -> None:
        x, present = padded(LENGTHS, 12)
        order = torch.tensor([2, 0, 3, 1])
        torch.testing.assert_close(
            attention(x[order], present[order]), attention(x, present)[order], rtol=0, atol=0
        )

    def test_a_frame_sees_every_real_frame_of_its_own_clip_and_nothing_else(
        self, attention: TimeAttention
    ) -> None:
        x, present = padded(LENGTHS, 12)
        x.requires_grad_()
        attention(x, present)[0, 4].square().sum().backward()
        assert x.grad is not None
        seen = x.grad.abs().sum(-1) > 0
        assert seen[0].all()
        assert not seen[1:].any()
        x.grad = None
        attention(x, present)[2, 0].square().sum().backward()
        assert (x.grad.abs().sum(-1) > 0)[2].tolist() == [True] * 6 + [False] * 3

    def test_it_equals_torchs_attention_in_a_residual_connection(
        self, attention: TimeAttention
    ) -> None:
        x, present = padded(LENGTHS, 12)
        own = attention.attention
        theirs, _ = functional.multi_head_attention_forward(
            *[x.transpose(0, 1)] * 3,
            12,
            3,
            torch.cat([own.queries.weight, own.keys_values.weight]),
            torch.cat([own.queries.bias, own.keys_values.bias]),
            None,
            None,
            False,
            0.0,
            own.output.weight,
            own.output.bias,
            key_padding_mask=~present,
        )
        expected = attention.residual.norm(x + theirs.transpose(0, 1))
        found = attention(x, present)
        torch.testing.assert_close(found[present], expected[present], atol=1e-4, rtol=1e-5)


@pytest.mark.parametrize("attention", [(False, False), (True, False), (False, True), (True, True)])
def test_attention_follows_the_stages_that_ask_for_it(attention: tuple[bool, bool]) -> None:
    module = new_module(attention=attention)
    found = tuple(isinstance(one, TimeAttention) for one in module.attentions)
    assert found == attention
    x, present = padded(LENGTHS, 7)
    steps, real = module(x, present)
    (steps[real] * torch.randn(12)).sum().backward()
    for name, value in module.named_parameters():
        assert value.grad is not None, name
        assert value.grad.abs().sum() > 0, name


def test_without_attention_a_step_sees_its_surroundings_and_with_it_the_whole_clip() -> None:
    for attention, reach in (((False, False), 16), ((False, True), 41)):
        module = new_module(attention=attention).eval()
        x = torch.randn(1, 41, 7, requires_grad=True)
        steps, _ = module(x, torch.ones(1, 41, dtype=torch.bool))
        steps[0, 5].square().sum().backward()
        assert x.grad is not None
        seen = (x.grad.abs().sum((0, 2)) > 0).nonzero().flatten()
        assert int(seen[-1] - seen[0]) == reach - 1
        assert (len(seen) == 41) == attention[1]
