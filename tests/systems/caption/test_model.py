"""A captioning model: a word sees the groups before its own and its own picture, nothing else."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from signloom.decoders.token_adapter import TorchGroupStepper
from signloom.errors import ConfigError
from signloom.search.draws import Sources
from signloom.systems.caption.batch import shift_captions
from tests.systems.caption.small_captioner import (
    NUM_FEATURES,
    NUM_TOKENS,
    small_config,
    small_model,
)

LENGTHS = torch.tensor([7, 3, 1])
PICTURES = torch.tensor([0, 0, 2, 1])
CAPTIONS = [(4, 9, 5, 8, 10, 3), (7, 3), (6, 6, 5, 3), (10, 9, 8, 7, 6, 5, 4, 3)]
GROUPS = (1, 2, 4, 6)


def features() -> Tensor:
    torch.manual_seed(1)
    return torch.randn(3, 7, NUM_FEATURES)


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("norm", ["post", "pre"])
@torch.no_grad()
def test_group_by_group_equals_teacher_forcing(group: int, norm: str) -> None:
    model = small_model(group=group, norm=norm)
    fed, targets = shift_captions(CAPTIONS, start=2, group=group)
    forced = model(features(), LENGTHS, fed, PICTURES)
    assert forced.shape == (*targets.shape, NUM_TOKENS)
    stepper = TorchGroupStepper(model)
    state = stepper.begin(Sources(features().numpy(), LENGTHS.numpy()))
    state = stepper.reorder(state, PICTURES.numpy())
    for first in range(0, fed.shape[1], group):
        logits, state = stepper.step(fed[:, first : first + group].numpy(), state)
        np.testing.assert_allclose(logits, forced[:, first : first + group], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("group", GROUPS)
def test_a_word_sees_its_own_group_and_those_before(group: int) -> None:
    model, slots = small_model(group=group), 12
    fed = torch.full((1, slots), 4)
    embedded: list[Tensor] = []
    hook = model.decoder.words.register_forward_hook(lambda *call: embedded.append(call[-1]))
    logits = model(features()[:1], LENGTHS[:1], fed, torch.tensor([0]))
    hook.remove()
    for slot in range(slots):
        (gradient,) = torch.autograd.grad(
            logits[:, slot].square().sum(), embedded[0], retain_graph=True
        )
        seen = (slot // group + 1) * group
        assert (gradient[0, :seen].abs().sum(-1) > 0).all()
        assert (gradient[0, seen:] == 0).all()


@pytest.mark.parametrize("group", [1, 4])
@torch.no_grad()
def test_a_batch_of_unequal_pictures_equals_each_alone(group: int) -> None:
    model = small_model(group=group)
    fed, _ = shift_captions(CAPTIONS, start=2, group=group)
    together = model(features(), LENGTHS, fed, PICTURES)
    for row, picture in enumerate(PICTURES.tolist()):
        length = int(LENGTHS[picture])
        alone = model(
            features()[picture : picture + 1, :length],
            LENGTHS[picture : picture + 1],
            fed[row : row + 1],
            torch.tensor([0]),
        )
        torch.testing.assert_close(together[row], alone[0], atol=1e-5, rtol=1.3e-6)


def test_the_paper_s_size_is_the_default() -> None:
    config = small_config().__class__()
    assert (config.dim, config.ffn_dim, config.num_heads) == (512, 2048, 8)
    assert (config.encoder_layers, config.decoder_layers, config.norm) == (6, 6, "post")
    assert (config.dropout, config.feature_dropout) == (0.1, 0.5)


def test_sizes_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"`model.dim` must be even and a multiple"):
        small_config(dim=10)
