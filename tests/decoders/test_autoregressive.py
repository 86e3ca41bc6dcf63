"""The battery of the autoregressive decoder, in all its variants."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from signloom.core.dense import Dense
from signloom.decoders.autoregressive import AutoregressiveDecoder

KINDS: dict[str, dict[str, Any]] = {
    "relu-post": {"dense": Dense(), "norm": "post"},
    "relu-pre": {"dense": Dense(), "norm": "pre"},
    "lwta-pre": {"dense": Dense(units="lwta", weights="bayesian"), "norm": "pre"},
    "lwta-post": {"dense": Dense(units="lwta"), "norm": "post"},
}
TOKENS = torch.tensor([[2, 5, 9, 4, 4, 7, 1], [2, 8, 8, 10, 3, 6, 5], [3, 4, 5, 6, 7, 8, 9]])
LENGTHS = torch.tensor([5, 1, 3])
SLOTS = TOKENS.shape[1]
PRESENT = torch.arange(5) < LENGTHS[:, None]


@pytest.fixture(params=[*KINDS])
def decoder(request: pytest.FixtureRequest) -> AutoregressiveDecoder:
    torch.manual_seed(0)
    return AutoregressiveDecoder(
        11, 12, ffn_dim=20, num_layers=2, num_heads=3, **KINDS[request.param]
    ).eval()


def noise_of(decoder: AutoregressiveDecoder) -> Tensor | None:
    units = decoder.noisy_units
    return torch.randn(3, SLOTS, units) if units else None


def states() -> Tensor:
    torch.manual_seed(1)
    return torch.randn(3, 5, 12)


def run(
    decoder: AutoregressiveDecoder,
    tokens: Tensor,
    noise: Tensor | None,
    *,
    states: Tensor,
    present: Tensor = PRESENT,
) -> Tensor:
    """Give the logits of all slots at once."""
    memory = decoder.remember(states)
    nothing = memory.new_zeros(0, len(tokens), *memory.shape[2:])
    logits, _ = decoder(tokens, nothing, memory, present=present, noise=noise)
    return logits


@pytest.mark.parametrize("sizes", [(1,) * SLOTS, (5, 2)])
@torch.no_grad()
def test_step_by_step_equals_all_at_once(
    decoder: AutoregressiveDecoder, sizes: tuple[int, ...]
) -> None:
    noise, memory = noise_of(decoder), decoder.remember(states())
    past = memory.new_zeros(0, 3, *memory.shape[2:])
    pieces, first = [], 0
    for size in sizes:
        part = slice(first, first + size)
        logits, new = decoder(
            TOKENS[:, part],
            past,
            memory,
            present=PRESENT,
            noise=None if noise is None else noise[:, part],
        )
        past = torch.cat([past, new])
        pieces.append(logits)
        first += size
    whole = run(decoder, TOKENS, noise, states=states())
    torch.testing.assert_close(torch.cat(pieces, 1), whole, atol=1e-5, rtol=1.3e-6)


def test_teacher_forcing_lets_the_likeliest_units_win(decoder: AutoregressiveDecoder) -> None:
    silent = torch.zeros(3, SLOTS, decoder.noisy_units) if decoder.noisy_units else None
    memory = decoder.remember(states())
    torch.testing.assert_close(
        decoder.teacher_forced(TOKENS, memory, present=PRESENT),
        run(decoder, TOKENS, silent, states=states()),
    )


def test_noise_counts_where_units_compete(decoder: AutoregressiveDecoder) -> None:
    noise = noise_of(decoder)
    if noise is None:
        assert decoder.noisy_units == 0
        return
    assert decoder.noisy_units == 2 * 20
    with torch.no_grad():
        silent = run(decoder, TOKENS, None, states=states())
        for share in noise.chunk(2, -1):  # every layer has its own
            moved = noise.clone()
            moved[..., :20] = share
            assert not torch.allclose(run(decoder, TOKENS, moved, states=states()), silent)


def test_a_slot_sees_the_tokens_up_to_it_and_no_more(decoder: AutoregressiveDecoder) -> None:
    noise = noise_of(decoder)
    embedded: list[Tensor] = []
    hook = decoder.words.register_forward_hook(lambda *call: embedded.append(call[-1]))
    logits = run(decoder, TOKENS, noise, states=states())
    hook.remove()
    for slot in range(SLOTS):
        (gradient,) = torch.autograd.grad(
            logits[:, slot].square().sum(), embedded[0], retain_graph=True
        )
        assert (gradient[:, : slot + 1].abs().sum(-1) > 0).all()
        assert (gradient[:, slot + 1 :] == 0).all()


def test_a_slot_sees_all_of_its_own_source_and_no_more(decoder: AutoregressiveDecoder) -> None:
    source = states().requires_grad_()
    logits = run(decoder, TOKENS, noise_of(decoder), states=source)
    for slot in (0, SLOTS - 1):
        (gradient,) = torch.autograd.grad(logits[:, slot].square().sum(), source, retain_graph=True)
        assert torch.equal(gradient.abs().sum(-1) > 0, PRESENT)


@torch.no_grad()
def test_a_batch_of_unequal_sources_equals_each_alone(decoder: AutoregressiveDecoder) -> None:
    noise = noise_of(decoder)
    together = run(decoder, TOKENS, noise, states=states())
    for row, length in enumerate(LENGTHS.tolist()):
        alone = run(
            decoder,
            TOKENS[row : row + 1],
            None if noise is None else noise[row : row + 1],
            states=states()[row : row + 1, :length],
            present=torch.ones(1, length, dtype=torch.bool),
        )
        torch.testing.assert_close(together[row], alone[0], atol=1e-5, rtol=1.3e-6)
