"""The decoder battery: AT, NAT and the pyramids, with and without velocity, by the same claims."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from signloom.decoders.adapter import TorchStepper
from signloom.search.blocks import decode, decode_blocks
from signloom.systems.produce.config import ProduceConfig
from signloom.systems.produce.model import ProduceModel

LEVELS = {"psat4": (8, 4, 2, 1), "psat3": (8, 4, 2), "at": (1, 1, 1), "nat": (0, 0, 0)}
LENGTHS = (1, 7, 8, 113)
TOKENS = np.array([[3, 4, 5, 0, 0], [5, 6, 7, 8, 3], [4, 0, 0, 0, 0]])


@pytest.fixture(params=[*LEVELS])
def levels(request: pytest.FixtureRequest) -> tuple[int, ...]:
    return LEVELS[request.param]


@pytest.fixture(params=[False, True], ids=["position", "rich"])
def model(levels: tuple[int, ...], request: pytest.FixtureRequest) -> ProduceModel:
    torch.manual_seed(0)
    config = ProduceConfig(
        dim=24,
        ffn_dim=20,
        num_heads=3,
        encoder_layers=1,
        levels=levels,
        rich_semantics=request.param,
        norm="pre" if request.param else "post",
    )
    return ProduceModel(config, 11, num_features=9).eval()


def teacher_forced(model: ProduceModel, frames: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        predicted, _ = model(
            torch.from_numpy(TOKENS[: len(lengths)]),
            torch.from_numpy(frames),
            torch.from_numpy(lengths),
        )
    return np.asarray(predicted)


@pytest.mark.parametrize("length", LENGTHS)
def test_decoding_equals_the_teacher_forced_pass_on_it(model: ProduceModel, length: int) -> None:
    lengths = np.array([length, max(1, length - 3), 1])
    decoded = decode(TorchStepper(model), TOKENS, lengths)
    for row, forced, own in zip(
        decoded, teacher_forced(model, decoded, lengths), lengths, strict=True
    ):
        np.testing.assert_allclose(row[:own], forced[:own], atol=1e-5)


@pytest.mark.parametrize("length", LENGTHS)
def test_cached_equals_uncached(model: ProduceModel, length: int) -> None:
    lengths = np.array([length, max(1, length - 3), 1])
    decoded = decode(TorchStepper(model), TOKENS, lengths)
    block = model.decoder.schedule.block
    uncached = np.zeros_like(decoded)
    for start in range(0, length, block):
        forced = teacher_forced(model, uncached, lengths)
        uncached[:, start : start + block] = forced[:, start : start + block]
        if model.config.levels == (1, 1, 1) and start > 16:
            length = start + 1
            break
    for row, alone, own in zip(decoded, uncached, lengths, strict=True):
        end = min(own, length)
        np.testing.assert_allclose(row[:end], alone[:end], atol=1e-5)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_batch_of_unequal_lengths_equals_each_alone(model: ProduceModel, length: int) -> None:
    lengths = np.array([length, max(1, length - 3), min(length, 5)])
    batch = decode(TorchStepper(model), TOKENS, lengths)
    for row, tokens, own in zip(batch, TOKENS, lengths, strict=True):
        alone = decode(TorchStepper(model), tokens[tokens != 0][None], own[None])
        np.testing.assert_allclose(row[:own], alone[0], atol=1e-5)


@pytest.mark.parametrize("length", LENGTHS)
def test_streamed_equals_whole(model: ProduceModel, length: int) -> None:
    lengths = np.array([length])
    blocks = list(decode_blocks(TorchStepper(model), TOKENS[1:2], lengths))
    assert len(blocks) == model.decoder.schedule.passes(length)
    np.testing.assert_array_equal(
        np.concatenate(blocks, axis=1), decode(TorchStepper(model), TOKENS[1:2], lengths)
    )


def test_a_frame_depends_only_on_frames_before_its_block(model: ProduceModel) -> None:
    length, block = 37, model.decoder.schedule.block
    frames = torch.randn(1, length, 9, requires_grad=True)
    tokens = torch.from_numpy(TOKENS[1:2])
    predicted, _ = model(tokens, frames, torch.tensor([length]))
    for query in range(length):
        (gradient,) = torch.autograd.grad(predicted[0, query].sum(), frames, retain_graph=True)
        seen = gradient[0].abs().sum(-1).nonzero().flatten().tolist()
        first_of_block = query // block * block
        known = min(first_of_block, max(0, length - model.decoder.schedule.shift))
        assert seen == list(range(known))


def test_frames_beyond_a_row_s_length_are_never_looked_at(model: ProduceModel) -> None:
    torch.manual_seed(1)
    frames, lengths = torch.randn(1, 20, 9), torch.tensor([13])
    tokens = torch.from_numpy(TOKENS[1:2])
    predicted, _ = model(tokens, frames, lengths)
    frames[:, 13:] = 1e6
    again, _ = model(tokens, frames, lengths)
    torch.testing.assert_close(again[:, :13], predicted[:, :13])


def test_padding_of_the_source_changes_nothing(model: ProduceModel) -> None:
    frames, lengths = torch.randn(1, 11, 9), torch.tensor([11])
    padded, logits = model(torch.from_numpy(TOKENS[:1]), frames, lengths)
    bare, bare_logits = model(torch.from_numpy(TOKENS[:1, :3]), frames, lengths)
    torch.testing.assert_close(padded, bare)
    torch.testing.assert_close(logits, bare_logits)


def test_the_length_steers_the_first_block(model: ProduceModel) -> None:
    tokens = TOKENS[1:2]
    short = decode(TorchStepper(model), tokens, np.array([9]))
    long = decode(TorchStepper(model), tokens, np.array([11]))
    assert not np.allclose(short[:, 0], long[:, 0])
