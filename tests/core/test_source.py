from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from signloom.core.dense import Dense
from signloom.core.positions import sinusoidal
from signloom.core.source import FeatureSource, TokenSource

LENGTHS = torch.tensor([17, 1, 8, 11])
SHAPES = [(1, 1), (4, 4), (9, 4), (5, 2), (7, 3)]


def features(stack: int, stride: int, *, units: str = "lwta") -> FeatureSource:
    torch.manual_seed(0)
    return FeatureSource(
        torch.randn(5),
        torch.rand(5) + 0.5,
        12,
        stack=stack,
        stride=stride,
        dense=Dense(units=units, weights="bayesian"),
    ).eval()


def frames_of(position: int, length: int, *, stack: int, stride: int) -> list[int]:
    first = position * stride - (stack - stride) // 2
    return [frame for frame in range(first, first + stack) if 0 <= frame < length]


def test_tokens_are_scaled_and_placed() -> None:
    torch.manual_seed(0)
    source = TokenSource(7, 6).eval()
    tokens = torch.tensor([[3, 5, 0], [4, 0, 0]])
    x, present = source(tokens, torch.tensor([2, 1]))
    words = source.words.weight[tokens] * math.sqrt(6)
    torch.testing.assert_close(x, words + sinusoidal(torch.arange(3.0), 6))
    assert present.tolist() == [[True, True, False], [True, False, False]]
    assert source.noisy_units == 0


@pytest.mark.parametrize(("stack", "stride"), SHAPES)
def test_a_batch_of_unequal_lengths_equals_each_row_alone(stack: int, stride: int) -> None:
    source = features(stack, stride)
    frames, noise = torch.randn(4, 17, 5), torch.randn(4, -(-17 // stride), 12)
    together, present = source(frames, LENGTHS, noise)
    for row, length in enumerate(LENGTHS.tolist()):
        positions = -(-length // stride)
        assert present[row].tolist() == [place < positions for place in range(together.shape[1])]
        alone, there = source(
            frames[row : row + 1, :length], LENGTHS[row : row + 1], noise[row : row + 1, :positions]
        )
        assert there.all()
        torch.testing.assert_close(together[row, :positions], alone[0])


@pytest.mark.parametrize(("stack", "stride"), SHAPES)
def test_what_lies_in_the_padding_changes_nothing(stack: int, stride: int) -> None:
    source = features(stack, stride)
    frames = torch.randn(4, 17, 5)
    before, present = source(frames, LENGTHS)
    for row, length in enumerate(LENGTHS.tolist()):
        frames[row, length:] = 1e4
    after, _ = source(frames, LENGTHS)
    torch.testing.assert_close(after[present], before[present], rtol=0, atol=0)


@pytest.mark.parametrize(("stack", "stride"), SHAPES)
def test_a_position_sees_exactly_its_stacked_frames(stack: int, stride: int) -> None:
    length = 17
    source = features(stack, stride, units="relu")
    frames = torch.randn(1, length, 5, requires_grad=True)
    x, _ = source(frames, torch.tensor([length]))
    assert x.shape == (1, -(-length // stride), 12)
    for position in range(x.shape[1]):
        (gradient,) = torch.autograd.grad(x[0, position].square().sum(), frames, retain_graph=True)
        seen = gradient[0].abs().sum(-1).nonzero().flatten().tolist()
        assert seen == frames_of(position, length, stack=stack, stride=stride)


@pytest.mark.parametrize(("stack", "stride"), SHAPES)
def test_every_frame_is_seen(stack: int, stride: int) -> None:
    for length in range(1, 23):
        positions = range(-(-length // stride))
        seen = {
            frame
            for position in positions
            for frame in frames_of(position, length, stack=stack, stride=stride)
        }
        assert seen == set(range(length))


def test_features_are_the_formula() -> None:
    source = features(3, 1, units="relu")
    frames = torch.randn(1, 7, 5)

    def at(position: int) -> Tensor:
        rows = [
            (frames[0, frame] - source.mean) / source.std if 0 <= frame < 7 else torch.zeros(5)
            for frame in range(position - 1, position + 2)
        ]
        hidden = torch.relu(source.layer.weight @ torch.cat(rows) + source.layer.bias)
        return source.norm(hidden)

    expected = torch.stack([at(position) for position in range(7)])
    x, _ = source(frames, torch.tensor([7]))
    torch.testing.assert_close(x[0], expected + sinusoidal(torch.arange(7.0), 12))
