"""STAMF as a whole: time, padding, placements, gradients."""

from __future__ import annotations

from itertools import product
from math import ceil

import pytest
import torch

from signloom.core.temporal import TimeAttention
from signloom.systems.recognize.model import RecognizeModel
from tests.systems.recognize.small_model import clips_of, small_model

LENGTHS = (9, 1, 6, 3)
KINDS = (
    {"streams": "keypoints", "embedding": "cnn"},
    {"streams": "keypoints", "scale": "shoulders", "points": "all", "axes": 3},
    {"streams": "pictures"},
    {"streams": "both"},
)


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("values", KINDS)
def test_padding_changes_nothing(values: dict, training: bool) -> None:
    results = []
    for padding in (0, 5):
        model = small_model(**values).train(training)
        clips, lengths = clips_of(model, LENGTHS, padding=padding)
        log_probs, counts = model(clips, lengths)
        steps = [row[:count] for row, count in zip(log_probs, counts.tolist(), strict=True)]
        results.append([counts, *steps, *(value.clone() for value in model.buffers())])
    torch.testing.assert_close(*results, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("values", KINDS)
def test_a_batch_of_unequal_lengths_equals_each_clip_alone(values: dict) -> None:
    model = small_model(num_languages=3, **values).eval()
    clips, lengths = clips_of(model, LENGTHS)
    together, counts = model(clips, lengths)
    for row, length in enumerate(LENGTHS):
        own = {name: array[row : row + 1] for name, array in clips.items()}
        own = {
            name: array if name == "language" else array[:, :length] for name, array in own.items()
        }
        alone, count = model(own, lengths[row : row + 1])
        assert count.tolist() == counts[row : row + 1].tolist()
        torch.testing.assert_close(together[row, : count[0]], alone[0], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("pools", [(2, 2), (2, 1), (1, 3)])
def test_there_is_a_step_for_every_stride_begun(pools: tuple[int, int]) -> None:
    model = small_model(streams="keypoints", pools=pools).eval()
    clips, lengths = clips_of(model, tuple(range(1, 10)))
    log_probs, counts = model(clips, lengths)
    expected = [ceil(ceil(length / pools[0]) / pools[1]) for length in range(1, 10)]
    assert counts.tolist() == expected
    assert log_probs.shape == (9, expected[-1], 11)
    torch.testing.assert_close(log_probs.exp().sum(-1), torch.ones(9, expected[-1]))


class TestTime:
    """Attention runs over time."""

    @pytest.fixture
    def model(self) -> RecognizeModel:
        return small_model(num_languages=2).eval()

    def test_permuting_the_batch_permutes_the_output(self, model: RecognizeModel) -> None:
        clips, lengths = clips_of(model, LENGTHS)
        order = torch.tensor([3, 1, 0, 2])
        expected, counts = model(clips, lengths)
        found, own = model({name: one[order] for name, one in clips.items()}, lengths[order])
        assert own.tolist() == counts[order].tolist()
        for row, count in enumerate(own.tolist()):
            torch.testing.assert_close(
                found[row, :count], expected[order][row, :count], atol=1e-6, rtol=1e-6
            )

    def test_permuting_frames_changes_the_output(self, model: RecognizeModel) -> None:
        clips, lengths = clips_of(model, (9,))
        expected, _ = model(clips, lengths)
        order = torch.tensor([8, 3, 0, 6, 1, 7, 2, 5, 4])
        moved = {name: one if name == "language" else one[:, order] for name, one in clips.items()}
        assert not torch.allclose(model(moved, lengths)[0], expected, atol=1e-4)

    def test_a_clip_sees_nothing_of_the_others(self, model: RecognizeModel) -> None:
        clips, lengths = clips_of(model, LENGTHS)
        clips["poses"].requires_grad_()
        model(clips, lengths)[0][2, 0].square().sum().backward()
        grad = clips["poses"].grad
        assert grad is not None
        assert (grad.abs().sum(-1) > 0).sum(1).tolist() == [0, 0, 6, 0]


@pytest.mark.parametrize("placement", [*product([False, True], repeat=3)])
@pytest.mark.parametrize("pools", [(2, 2), (2, 1, 2)])
def test_each_placement_switches_its_own_attention_on(
    placement: tuple[bool, bool, bool], pools: tuple[int, ...]
) -> None:
    spatial, early, late = placement
    model = small_model(
        pools=pools, spatial_attention=spatial, early_attention=early, late_attention=late
    )
    wanted = set()
    for stream in ("keypoints", "pictures"):
        wanted |= {f"streams.{stream}.attention"} if spatial else set()
        wanted |= {f"streams.{stream}.temporal.attentions.0"} if early else set()
        last = len(pools) - 1
        wanted |= {f"streams.{stream}.temporal.attentions.{last}"} if late else set()
    found = {
        name: module for name, module in model.named_modules() if isinstance(module, TimeAttention)
    }
    assert set(found) == wanted
    for name, module in found.items():
        assert module.attention.num_heads == (4 if "temporal" in name else 2)


@pytest.mark.parametrize("values", KINDS)
def test_gradients_reach_everything(values: dict) -> None:
    model = small_model(num_languages=3, auxiliary=True, **values)
    clips, lengths = clips_of(model, LENGTHS)
    # Blocks begin as their shortcuts alone: what lies before the last norm gets its gradient later.
    for name, value in model.named_parameters():
        if name.endswith(("bn2.weight", "bn3.weight")):
            value.data.fill_(0.5)
    steps, present = model.steps(clips, lengths)
    logits = model.read(steps, present.sum(1))
    assert model.visual_tokens is not None
    both = torch.stack([logits, model.visual_tokens(steps)])[:, present]
    (both.log_softmax(-1) * torch.randn(11)).sum().backward()
    for name, value in model.named_parameters():
        assert value.grad is not None, name
        assert value.grad.abs().sum() > 0, name


def test_what_language_a_clip_is_in_makes_a_difference_where_there_are_several() -> None:
    model = small_model(num_languages=3, streams="keypoints").eval()
    assert model.inputs == ("poses", "confidence", "language")
    clips, lengths = clips_of(model, (6,))
    first, _ = model(clips, lengths)
    second, _ = model(clips | {"language": torch.tensor([2])}, lengths)
    assert not torch.allclose(first, second, atol=1e-4)
    assert small_model(streams="keypoints").inputs == ("poses", "confidence")


def test_both_streams_join_before_the_lstm() -> None:
    model = small_model(keypoint_dim=20, picture_dim=28)
    assert model.sequence.layers.input_size == 48
    clips, lengths = clips_of(model, (5, 2))
    steps, _ = model.eval().steps(clips, lengths)
    assert steps.shape == (2, 2, 48)
    without = clips | {"pictures": torch.zeros_like(clips["pictures"])}
    changed, _ = model.steps(without, lengths)
    torch.testing.assert_close(changed[..., :20], steps[..., :20])
    assert not torch.allclose(changed[..., 20:], steps[..., 20:])
