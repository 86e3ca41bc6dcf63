import torch
from torch.nn import functional

from signloom.core.attention import Attention
from signloom.core.cache import layer_of_cache, layer_of_memory


def test_attention_equals_torch_multi_head_attention() -> None:
    torch.manual_seed(0)
    ours = Attention(12, 3).eval()
    x, source = torch.randn(5, 7, 12), torch.randn(5, 11, 12)
    mask = torch.rand(5, 7, 11) > 0.4
    mask[..., 0] = True
    theirs, _ = functional.multi_head_attention_forward(
        x.transpose(0, 1),
        source.transpose(0, 1),
        source.transpose(0, 1),
        12,
        3,
        torch.cat([ours.queries.weight, ours.keys_values.weight]),
        torch.cat([ours.queries.bias, ours.keys_values.bias]),
        None,
        None,
        False,
        0.0,
        ours.output.weight,
        ours.output.bias,
        attn_mask=~mask.repeat_interleave(3, dim=0),
    )
    result = ours(x, ours.project(source), mask)
    torch.testing.assert_close(result, theirs.transpose(0, 1), atol=1e-5, rtol=1.3e-6)


def test_a_prefix_of_the_cache_is_a_view_without_a_copy() -> None:
    cache = torch.zeros(9, 3, 2, 2, 5, 7)
    assert cache[:4].is_contiguous()
    assert layer_of_cache(cache, 1).data_ptr() == cache[0, 0, 1].data_ptr()


def test_memory_is_batch_first() -> None:
    assert layer_of_memory(torch.zeros(3, 11, 2, 2, 5, 7), 0).shape == (3, 11, 2, 5, 7)
