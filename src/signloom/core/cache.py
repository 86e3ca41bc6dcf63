"""The layout of every decoder's cache, written down once.

A cache is one float32 array `[positions, batch, layers, 2, heads, head_dim]`; index 0 of the axis
of two holds keys, index 1 values. Positions come first, so that the filled prefix of a preallocated
array is a contiguous view: a step reads it without a copy and appends its own positions behind it.
The cross-attention memory of a sentence has the same axes with the batch first:
`[batch, tokens, layers, 2, heads, head_dim]`.
"""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from signloom.core.attention import KeysValues

Cache = Float[Tensor, "positions batch layers two heads head_dim"]
Memory = Float[Tensor, "batch tokens layers two heads head_dim"]


def layer_of_cache(cache: Cache, layer: int) -> KeysValues:
    """Give one layer's keys and values, batch first.

    Example:
        >>> import torch
        >>> layer_of_cache(torch.zeros(5, 3, 2, 2, 4, 7), 1).shape
        torch.Size([3, 5, 2, 4, 7])
    """
    return cache[:, :, layer].transpose(0, 1)


def layer_of_memory(memory: Memory, layer: int) -> KeysValues:
    """Give one layer's keys and values of the encoder's memory."""
    return memory[:, :, layer]
