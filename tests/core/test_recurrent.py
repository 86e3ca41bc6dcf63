from __future__ import annotations

import pytest
import torch

from signloom.core.recurrent import BiLSTM

LENGTHS = (11, 1, 7, 4)


def clips() -> torch.Tensor:
    torch.manual_seed(1)
    x = torch.randn(len(LENGTHS), max(LENGTHS) + 2, 5)
    for row, length in enumerate(LENGTHS):
        x[row, length:] = 1e3
    return x


@pytest.mark.parametrize("num_layers", [1, 2, 3])
def test_each_row_is_what_torchs_lstm_gives_for_it_alone(num_layers: int) -> None:
    torch.manual_seed(0)
    ours = BiLSTM(5, 6, num_layers=num_layers)
    theirs = torch.nn.LSTM(5, 3, num_layers, batch_first=True, bidirectional=True)
    theirs.load_state_dict(ours.layers.state_dict())
    x = clips()
    found = ours(x, torch.tensor(LENGTHS))
    assert found.shape == (4, 13, 6)
    for row, length in enumerate(LENGTHS):
        expected, _ = theirs(x[row : row + 1, :length])
        torch.testing.assert_close(found[row, :length], expected[0], atol=1e-5, rtol=1.3e-6)
        assert (found[row, length:] == 0).all()


def test_a_clip_sees_all_of_its_steps_and_no_other() -> None:
    torch.manual_seed(0)
    layers = BiLSTM(5, 6, num_layers=2)
    x = clips().requires_grad_()
    layers(x, torch.tensor(LENGTHS))[2, 3].square().sum().backward()
    assert x.grad is not None
    seen = x.grad.abs().sum(-1) > 0
    assert seen.sum(1).tolist() == [0, 0, 7, 0]
    assert all(value.grad is not None for value in layers.parameters())


def test_dropout_is_between_layers_alone() -> None:
    for num_layers, same in ((1, True), (2, False)):
        torch.manual_seed(0)
        layers = BiLSTM(5, 6, num_layers=num_layers, dropout=0.5).train()
        x = clips()
        first, second = (layers(x, torch.tensor(LENGTHS)) for _ in range(2))
        assert torch.equal(first, second) == same
