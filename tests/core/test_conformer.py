import torch

from signloom.core.conformer import ConformerEncoder, ConvolutionModule


def test_padding_changes_nothing() -> None:
    torch.manual_seed(0)
    encoder = ConformerEncoder(12, 20, num_layers=2, num_heads=3, kernel=5).eval()
    x = torch.randn(3, 9, 12)
    present = torch.ones(3, 9, dtype=torch.bool)
    present[:, 7:] = False
    torch.testing.assert_close(encoder(x, present)[:, :7], encoder(x[:, :7], present[:, :7]))


def test_a_convolution_sees_as_many_steps_as_its_kernel() -> None:
    torch.manual_seed(0)
    module = ConvolutionModule(6, kernel=5).eval()
    x = torch.randn(1, 11, 6)
    changed = x.clone()
    changed[0, 5] += 1
    present = torch.ones(1, 11, dtype=torch.bool)
    moved = (module(x, present) - module(changed, present)).abs().sum(-1)[0] > 1e-6
    assert moved.nonzero().flatten().tolist() == [3, 4, 5, 6, 7]
