"""STAMF's temporal module: convolutions over time that halve the frame rate, and attention over it.

    stage      max-pool₂(ReLU(BN(conv₅(x))))      T → ⌈T / 2⌉, two of them in the paper
    attention  LN(x + dropout(MultiHead(x, x, x)))    over time, where a placement asks for it

(STAMF § 3.3 and 3.4, figures 5 and 7.) Differs from the paper: statistics of normalisation are
taken over real frames alone, so that padding changes nothing, and a clip need not be a multiple of
four long.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional

from signloom.core.attention import Attention
from signloom.core.residual import Residual


class FrameNorm(nn.BatchNorm1d):
    """Batch normalisation over the frames that exist."""

    def forward(  # type: ignore[override]
        self, x: Float[Tensor, "batch frames dim"], present: Bool[Tensor, "batch frames"]
    ) -> Float[Tensor, "batch frames dim"]:
        """Normalise each channel; what `present` leaves out may be anything."""
        if not self.training:
            return super().forward(x.transpose(1, 2)).transpose(1, 2)
        out = torch.zeros_like(x)
        out[present] = super().forward(x[present]).to(x.dtype)
        return out


class TimeAttention(nn.Module):
    """Self-attention over time in a residual connection; padding is not seen.

    Args:
        dim: Size of the frames.
        num_heads: Number of heads; divides `dim`.
        dropout: Dropout probability of the weights and of what they give.
    """

    def __init__(self, dim: int, num_heads: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.attention = Attention(dim, num_heads, dropout=dropout)
        self.residual = Residual(dim, dropout=dropout)

    def forward(
        self, x: Float[Tensor, "batch frames dim"], present: Bool[Tensor, "batch frames"]
    ) -> Float[Tensor, "batch frames dim"]:
        """Let each frame attend to every frame of its own clip."""
        mask = present[:, None]
        return self.residual(x, lambda y: self.attention(y, self.attention.project(y), mask))


class TemporalStage(nn.Module):
    """One convolution over time, and pooling.

    Args:
        in_dim: Size of the frames that come in.
        dim: Size of those that go out.
        kernel: Frames that the convolution sees, odd.
        pool: Frames that become one; 1 keeps the rate.
    """

    def __init__(self, in_dim: int, dim: int, *, kernel: int = 5, pool: int = 2) -> None:
        super().__init__()
        self.pool = pool
        self.convolution = nn.Conv1d(in_dim, dim, kernel, padding=kernel // 2)
        self.norm = FrameNorm(dim)

    def forward(
        self, x: Float[Tensor, "batch frames dim"], present: Bool[Tensor, "batch frames"]
    ) -> tuple[Float[Tensor, "batch steps wider"], Bool[Tensor, "batch steps"]]:
        """Give fewer frames, and which of them are real: ⌈frames / pool⌉ of each clip."""
        x = x * present[..., None]
        x = self.convolution(x.transpose(1, 2)).transpose(1, 2)
        x = torch.relu(self.norm(x, present)) * present[..., None]
        if self.pool == 1:
            return x, present
        # Nothing is below 0, so that zeros beyond the end change no maximum.
        count = (x.shape[1] + self.pool - 1) // self.pool
        starts = self.pool * torch.arange(count, device=x.device)
        within = torch.arange(self.pool, device=x.device)
        x = functional.pad(x, (0, 0, 0, self.pool))[:, starts[:, None] + within].amax(2)
        return x, present[:, starts]


class TemporalModule(nn.Module):
    """The stages of one stream, with attention after those that ask for it.

    Args:
        in_dim: Size of the frames.
        dim: Size of the steps.
        kernel: Frames that each convolution sees, odd.
        pools: What each stage divides the frame rate by.
        attention: Whether attention follows each stage: early, then late in the paper.
        num_heads: Heads of the attention; 4 in the paper.
        dropout: Dropout of the attention.
    """

    def __init__(
        self,
        in_dim: int,
        dim: int,
        *,
        kernel: int = 5,
        pools: Sequence[int] = (2, 2),
        attention: Sequence[bool] = (False, False),
        num_heads: int = 4,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        sizes = [in_dim, *[dim] * len(pools)]
        self.stages = nn.ModuleList(
            TemporalStage(before, dim, kernel=kernel, pool=pool)
            for before, pool in zip(sizes, pools, strict=False)
        )
        self.attentions = nn.ModuleList(
            TimeAttention(dim, num_heads, dropout=dropout) if wanted else nn.Identity()
            for wanted in attention
        )

    def forward(
        self, x: Float[Tensor, "batch frames dim"], present: Bool[Tensor, "batch frames"]
    ) -> tuple[Float[Tensor, "batch steps wider"], Bool[Tensor, "batch steps"]]:
        """Give steps, and which of them are real."""
        for stage, attention in zip(self.stages, self.attentions, strict=True):
            x, present = stage(x, present)
            if isinstance(attention, TimeAttention):
                x = attention(x, present)
        return x, present
