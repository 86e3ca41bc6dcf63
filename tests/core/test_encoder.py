import pytest
import torch

from signloom.core.encoder import Encoder


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_padding_changes_nothing(norm: str) -> None:
    torch.manual_seed(0)
    encoder = Encoder(12, 20, num_layers=2, num_heads=3, norm=norm).eval()
    x = torch.randn(3, 7, 12)
    present = torch.ones(3, 7, dtype=torch.bool)
    present[:, 5:] = False
    torch.testing.assert_close(encoder(x, present)[:, :5], encoder(x[:, :5], present[:, :5]))


def test_post_norm_layers_equal_torch_encoder_layers() -> None:
    torch.manual_seed(0)
    ours = Encoder(12, 20, num_layers=1, num_heads=3).eval()
    theirs = torch.nn.TransformerEncoderLayer(12, 3, 20, dropout=0.0, batch_first=True).eval()
    layer = ours.layers[0]
    attention, target = layer.attention, theirs.self_attn
    with torch.no_grad():
        target.in_proj_weight.copy_(
            torch.cat([attention.queries.weight, attention.keys_values.weight])
        )
        target.in_proj_bias.copy_(torch.cat([attention.queries.bias, attention.keys_values.bias]))
        target.out_proj.load_state_dict(attention.output.state_dict())
        theirs.linear1.load_state_dict(layer.feedforward[0].state_dict())
        theirs.linear2.load_state_dict(layer.feedforward[3].state_dict())
    x = torch.randn(5, 7, 12)
    present = torch.ones(5, 7, dtype=torch.bool)
    torch.testing.assert_close(ours(x, present), theirs(x), atol=1e-5, rtol=1.3e-6)
