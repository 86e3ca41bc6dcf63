"""The decoder battery: both schedules, AT, SAT, NAT and the pyramids, by the same claims."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from signloom.decoders.adapter import stepper_of
from signloom.search.blocks import decode, decode_blocks, forced_pass
from signloom.systems.produce.config import ProduceConfig
from signloom.systems.produce.model import ProduceModel

RICH = {"rich_semantics": True, "norm": "pre"}
COUNTER = {"counter": True, "source_relative": False}
KINDS: dict[str, dict[str, Any]] = {
    "psat4-rich": {"levels": (8, 4, 2, 1), **RICH},
    "psat3": {"levels": (8, 4, 2)},
    "ragged": {"levels": (8, 6, 4, 2)},
    "ragged-up-rich": {"levels": (2, 3), **RICH},
    "injected4": {"levels": (8, 4, 2, 1), "schedule": "injected"},
    "injected2-rich": {"levels": (6, 3), "schedule": "injected", **RICH},
    "at": {"levels": (1, 1, 1)},
    "sat2": {"levels": (2, 2)},
    "sat4": {"levels": (4, 4)},
    "sat8": {"levels": (8, 8)},
    "nat": {"levels": (0, 0, 0)},
    "counter": {"levels": (1, 1), **COUNTER},
    "counter-rich": {"levels": (1, 1), **COUNTER, **RICH},
}
LENGTHS = np.array([25, 13, 8, 7, 1])
TOKENS = np.array(
    [[3, 4, 5, 0, 0], [5, 6, 7, 8, 3], [4, 0, 0, 0, 0], [8, 7, 0, 0, 0], [9, 3, 3, 5, 0]]
)


@pytest.fixture(params=[*KINDS])
def model(request: pytest.FixtureRequest) -> ProduceModel:
    torch.manual_seed(0)
    config = ProduceConfig(
        dim=24,
        ffn_dim=20,
        num_heads=3,
        encoder_layers=1,
        max_frames=113,
        **KINDS[request.param],
    )
    config.check()
    return ProduceModel(config, 11, num_features=9).eval()


def teacher_forced(model: ProduceModel, frames: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        predicted, _ = model(
            torch.from_numpy(TOKENS[: len(lengths)]),
            torch.from_numpy(frames),
            torch.from_numpy(lengths),
        )
    return np.asarray(predicted)


def known_before(model: ProduceModel, frame: int, *, length: int) -> int:
    """Count the frames that a frame may depend on."""
    plan = model.decoder.schedule
    if plan.kind == "injected":
        shift, first = plan.block, frame // plan.block * plan.block
    else:
        horizon = frame
        for level in reversed(plan.levels):
            horizon = (horizon // level + 1) * level - 1
        shift, first = plan.shift, max(0, horizon + 1 - plan.shift)
    return min(first, max(0, length - shift))


def test_decoding_equals_the_teacher_forced_pass_on_it(model: ProduceModel) -> None:
    decoded = decode(stepper_of(model), TOKENS, LENGTHS)
    in_numpy = forced_pass(stepper_of(model), TOKENS, LENGTHS, frames=decoded)
    in_torch = teacher_forced(model, decoded, LENGTHS)
    for row, own in enumerate(LENGTHS):
        np.testing.assert_allclose(decoded[row, :own], in_torch[row, :own], atol=1e-5)
        np.testing.assert_allclose(in_numpy[row, :own], in_torch[row, :own], atol=1e-5)


def test_cached_equals_uncached(model: ProduceModel) -> None:
    decoded = decode(stepper_of(model), TOKENS, LENGTHS)
    uncached = np.zeros_like(decoded)
    for first, _, keep in model.decoder.schedule.plan(decoded.shape[1]):
        forced = teacher_forced(model, uncached, LENGTHS)
        uncached[:, first : first + keep] = forced[:, first : first + keep]
    for row, alone, own in zip(decoded, uncached, LENGTHS, strict=True):
        np.testing.assert_allclose(row[:own], alone[:own], atol=1e-5)


def test_a_batch_of_unequal_lengths_equals_each_alone(model: ProduceModel) -> None:
    batch = decode(stepper_of(model), TOKENS, LENGTHS)
    for row, tokens, own in zip(batch, TOKENS, LENGTHS, strict=True):
        alone = decode(stepper_of(model), tokens[tokens != 0][None], own[None])
        np.testing.assert_allclose(row[:own], alone[0], atol=1e-5)


@pytest.mark.parametrize("length", [7, 13])
def test_streamed_equals_whole(model: ProduceModel, length: int) -> None:
    lengths = np.array([length])
    pieces = list(decode_blocks(stepper_of(model), TOKENS[1:2], lengths))
    assert len(pieces) == model.decoder.schedule.passes(length)
    np.testing.assert_array_equal(
        np.concatenate([piece.frames for piece in pieces], axis=1),
        decode(stepper_of(model), TOKENS[1:2], lengths),
    )


def test_a_frame_depends_on_all_that_it_may_and_on_no_more(model: ProduceModel) -> None:
    length = 37
    frames = torch.randn(1, length, model.decoder.embedding.num_features, requires_grad=True)
    tokens = torch.from_numpy(TOKENS[1:2])
    predicted, _ = model(tokens, frames, torch.tensor([length]))
    for query in range(length):
        (gradient,) = torch.autograd.grad(predicted[0, query].sum(), frames, retain_graph=True)
        seen = gradient[0].abs().sum(-1).nonzero().flatten().tolist()
        assert seen == list(range(known_before(model, query, length=length)))


def test_frames_beyond_a_row_s_length_are_never_looked_at(model: ProduceModel) -> None:
    torch.manual_seed(1)
    frames, lengths = torch.randn(1, 20, model.decoder.embedding.num_features), torch.tensor([13])
    tokens = torch.from_numpy(TOKENS[1:2])
    predicted, _ = model(tokens, frames, lengths)
    frames[:, 13:] = 1e6
    again, _ = model(tokens, frames, lengths)
    torch.testing.assert_close(again[:, :13], predicted[:, :13])


def test_padding_of_the_source_changes_nothing(model: ProduceModel) -> None:
    frames, lengths = torch.randn(1, 11, model.decoder.embedding.num_features), torch.tensor([11])
    padded, logits = model(torch.from_numpy(TOKENS[:1]), frames, lengths)
    bare, bare_logits = model(torch.from_numpy(TOKENS[:1, :3]), frames, lengths)
    torch.testing.assert_close(padded, bare)
    torch.testing.assert_close(logits, bare_logits)


def test_the_length_steers_the_first_frame_unless_the_model_counts(model: ProduceModel) -> None:
    tokens = TOKENS[1:2]
    short = decode(stepper_of(model), tokens, np.array([9]))
    long = decode(stepper_of(model), tokens, np.array([11]))
    assert np.allclose(short[:, 0], long[:, 0]) == model.config.counter
