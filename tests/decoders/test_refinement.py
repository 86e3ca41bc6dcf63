"""The unified bidirectional decoder: nothing of a token reaches its own output."""

from __future__ import annotations

import pytest
import torch

from signloom.decoders.refinement import Guard, RefinementDecoder, SideBySide

TOKENS = torch.tensor([[4, 6, 5, 4, 8, 7], [5, 5, 7, 0, 0, 0], [8, 0, 0, 0, 0, 0]])
LENGTHS = torch.tensor([6, 3, 1])
PRESENT = torch.arange(9)[None] < torch.tensor([9, 4, 7])[:, None]


def new_decoder(norm: str = "pre", **guard) -> RefinementDecoder:
    torch.manual_seed(0)
    made = RefinementDecoder(
        9, 12, ffn_dim=20, num_layers=3, num_heads=3, guard=Guard(**guard), norm=norm
    )
    return made.eval()


def logits_of(decoder: RefinementDecoder, tokens: torch.Tensor) -> torch.Tensor:
    torch.manual_seed(1)
    states = torch.randn(3, 9, 12)
    memory = decoder.remember(states)
    return decoder(tokens, LENGTHS, memory, present=PRESENT)


def reach(decoder: RefinementDecoder) -> torch.Tensor:
    """Say which token of the longest row moves which output [token, output]."""
    before, moved = logits_of(decoder, TOKENS), []
    for place in range(6):
        changed = TOKENS.clone()
        changed[0, place] = 3
        moved.append((logits_of(decoder, changed)[0] - before[0]).abs().amax(-1))
    return torch.stack(moved)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_no_token_reaches_its_own_output_and_all_reach_the_others(norm: str) -> None:
    found = reach(new_decoder(norm=norm))
    own = torch.eye(6, dtype=torch.bool)
    assert (found[own] == 0).all()
    assert (found[~own] > 1e-4).all()


def test_the_gradient_to_its_own_embedding_is_exactly_zero() -> None:
    decoder = new_decoder()
    given: list[torch.Tensor] = []

    def keep(_module, _arguments, output: torch.Tensor) -> torch.Tensor:
        given.append(output.detach().requires_grad_())
        return given[0]

    decoder.words.register_forward_hook(keep)
    found = logits_of(decoder, TOKENS)
    for place in range(6):
        [gradient] = torch.autograd.grad(found[0, place].sum(), given, retain_graph=True)
        assert gradient[0, place].abs().max() == 0
        assert gradient[0].abs().amax(-1).count_nonzero() == 5


@pytest.mark.parametrize(
    ("options", "leaks"),
    [
        ({"separate": False}, True),
        ({"sight": "padding"}, True),
        ({"separate": False, "sight": "padding"}, True),
        ({"sight": "left_to_right"}, False),
        ({"sight": "right_to_left"}, False),
    ],
)
def test_a_token_leaks_unless_queries_are_apart_and_it_is_hidden(options, leaks: bool) -> None:
    assert (reach(new_decoder(**options)).diagonal() > 0).all() == leaks


@pytest.mark.parametrize(("sight", "seen"), [("left_to_right", 1), ("right_to_left", -1)])
def test_from_one_side_a_token_reaches_those_on_the_other(sight: str, seen: int) -> None:
    found = reach(new_decoder(sight=sight)) > 0
    expected = torch.ones(6, 6).triu(1) if seen == 1 else torch.ones(6, 6).tril(-1)
    assert torch.equal(found, expected.bool())


@pytest.mark.parametrize("sight", ["unified", "left_to_right", "right_to_left", "padding"])
def test_a_token_that_sees_nothing_has_finite_logits_and_gradients(sight: str) -> None:
    decoder = new_decoder(sight=sight)
    logits = logits_of(decoder, TOKENS)
    assert logits.isfinite().all()
    logits.square().sum().backward()
    assert all(one.grad is None or one.grad.isfinite().all() for one in decoder.parameters())


@pytest.mark.parametrize("separate", [True, False])
def test_a_row_is_the_same_alone_and_in_a_batch(separate: bool) -> None:
    decoder = new_decoder(separate=separate)
    torch.manual_seed(1)
    states = torch.randn(3, 9, 12)
    whole = decoder(TOKENS, LENGTHS, decoder.remember(states), present=PRESENT)
    for row, (length, steps) in enumerate(zip((6, 3, 1), (9, 4, 7), strict=True)):
        own = states[row : row + 1, :steps]
        alone = decoder(
            TOKENS[row : row + 1, :length],
            LENGTHS[row : row + 1],
            decoder.remember(own),
            present=PRESENT[row : row + 1, :steps],
        )
        torch.testing.assert_close(alone[0], whole[row, :length], atol=1e-5, rtol=1e-5)


def test_decoders_side_by_side_give_what_each_gives() -> None:
    readers = [new_decoder(sight="left_to_right"), new_decoder(sight="right_to_left")]
    torch.nn.init.normal_(readers[1].output.weight)
    both = SideBySide(*readers).eval()
    states = torch.randn(3, 9, 12)
    found = both(TOKENS, LENGTHS, both.remember(states), present=PRESENT)
    for reader, own in zip(readers, found, strict=True):
        alone = reader(TOKENS, LENGTHS, reader.remember(states), present=PRESENT)
        torch.testing.assert_close(own, alone)
