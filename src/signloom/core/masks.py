"""Attention masks. True = may attend, everywhere in signloom.

The relaxed mask (PSAT-RS, eq. 8) lets a frame see its own group and every group before it. As
printed the equation is off by one: with groups of one the first row sees nothing. Corrected,
0-based: frame `i` may see frame `j` iff `j < (i // d + 1) * d`.
"""

from __future__ import annotations

from typing import Literal

import torch
from jaxtyping import Bool, Int
from torch import Tensor

Sight = Literal["unified", "left_to_right", "right_to_left", "padding"]
"""What a token may see of the others: all but itself, those before it, those after it, or all."""


def relaxed_mask(frames: int, *, group: int) -> Bool[Tensor, "queries keys"]:
    """Let each frame see its own group and every group before it (PSAT-RS eq. 8, corrected).

    Example:
        >>> relaxed_mask(4, group=2).int().tolist()
        [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1]]
    """
    positions = torch.arange(frames)
    return relaxed_mask_between(positions, positions, group=group)


def relaxed_mask_between(
    queries: Int[Tensor, "queries"], keys: Int[Tensor, "keys"], *, group: int
) -> Bool[Tensor, "queries keys"]:
    """Build the relaxed mask between absolute positions, for a step that continues a cache.

    Example:
        >>> relaxed_mask_between(torch.tensor([2]), torch.arange(5), group=2).int().tolist()
        [[1, 1, 1, 1, 0]]
    """
    horizon = (torch.div(queries, group, rounding_mode="floor") + 1) * group
    return keys[None, :] < horizon[:, None]


def length_mask(
    lengths: Int[Tensor, "batch"], positions: Int[Tensor, "keys"]
) -> Bool[Tensor, "batch keys"]:
    """Mark the positions that lie inside each row's own length.

    Example:
        >>> length_mask(torch.tensor([1, 3]), torch.arange(3)).int().tolist()
        [[1, 0, 0], [1, 1, 1]]
    """
    return positions[None, :] < lengths[:, None]


def sight_mask(
    lengths: Int[Tensor, "batch"], slots: int, *, sight: Sight
) -> Bool[Tensor, "batch slots slots"]:
    """Say which tokens of its own row each token may see (NAT-UBD § 2.2, figure 3).

    A token that may see nothing is left with an empty row: the first from left to right, the last
    from right to left, and the only one of a row but for `padding`.

    Example:
        >>> sight_mask(torch.tensor([2]), 3, sight="unified").int().tolist()
        [[[0, 1, 0], [1, 0, 0], [1, 1, 0]]]
    """
    places = torch.arange(slots, device=lengths.device)
    queries, keys = places[:, None], places[None, :]
    seen = {
        "unified": queries != keys,
        "left_to_right": keys < queries,
        "right_to_left": keys > queries,
        "padding": torch.ones_like(queries == keys),
    }[sight]
    return seen[None] & length_mask(lengths, places)[:, None]
