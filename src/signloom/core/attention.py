"""Multi-head attention whose keys and values are explicit, so that a cache can hold them.

    MHA(Q, K, V) = Concat(head_1 … head_h) W_O,  head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)

(PSAT-RS eq. 11–12.) Projecting keys and values is a step of its own: a decoder projects each frame
once and appends the result to its cache, and projects the encoder's memory once a sentence.
"""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional

from signloom.core.dense import RELU, Dense
from signloom.errors import ConfigError

KeysValues = Float[Tensor, "batch keys two heads head_dim"]


def check_heads(dim: int, num_heads: int) -> None:
    """Refuse a size of states that heads and positions cannot share out.

    Raises:
        ConfigError: It is odd, or no multiple of the heads.
    """
    if dim % 2 or dim % num_heads:
        raise ConfigError(
            f"`model.dim` must be even and a multiple of `model.num_heads`, {num_heads}, "
            f"but is {dim}."
        )


class Attention(nn.Module):
    """Scaled dot-product attention with `num_heads` heads.

    Args:
        dim: Size of queries and of what is attended to.
        num_heads: Number of heads; divides `dim`.
        dropout: Probability of dropping an attention weight in training.
        dense: What the projections are made of.
        own_keys: Whether it projects keys and values itself; if not, it can only attend to those
            that something else has projected.
    """

    def __init__(
        self,
        dim: int,
        num_heads: int,
        *,
        dropout: float = 0.0,
        dense: Dense = RELU,
        own_keys: bool = True,
    ) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.dropout = dropout
        self.queries = dense.linear(dim, dim)
        self.keys_values = dense.linear(dim, 2 * dim) if own_keys else None
        self.output = dense.linear(dim, dim)

    def project(
        self, source: Float[Tensor, "batch keys dim"]
    ) -> Float[Tensor, "batch own two heads head_dim"]:
        """Project what is attended to into keys and values; nothing where it has no keys."""
        if self.keys_values is None:
            # `len` would fix the batch of an exported graph
            return source.new_empty(source.shape[0], 0, 2, self.num_heads, self.head_dim)
        return self.keys_values(source).unflatten(-1, (2, self.num_heads, self.head_dim))

    def forward(
        self,
        x: Float[Tensor, "batch queries dim"],
        keys_values: KeysValues,
        mask: Bool[Tensor, "#batch #queries keys"],
    ) -> Float[Tensor, "batch queries dim"]:
        """Attend from `x` to projected keys and values; `mask` is True where it may."""
        queries = self.queries(x).unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)
        keys, values = (part.transpose(1, 2) for part in keys_values.unbind(2))
        attended = functional.scaled_dot_product_attention(
            queries,
            keys,
            values,
            attn_mask=mask[:, None],
            dropout_p=self.dropout if self.training else 0.0,
        )
        return self.output(attended.transpose(1, 2).flatten(2))
