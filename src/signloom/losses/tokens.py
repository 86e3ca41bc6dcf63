"""Cross-entropy over padded token sequences; id 0 is padding."""

from __future__ import annotations

from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional


def token_loss(
    logits: Float[Tensor, "batch slots tokens"],
    targets: Int[Tensor, "batch slots"],
    *,
    smoothing: float = 0.0,
) -> Float[Tensor, "batch"]:
    """Sum the cross-entropy of each row's tokens, in nats.

    Args:
        logits: Scores of each token.
        targets: True ids, padded with 0.
        smoothing: Share of the probability that is spread over the whole vocabulary.
    """
    rows = functional.cross_entropy(
        logits.flatten(0, 1),
        targets.flatten(),
        ignore_index=0,
        reduction="none",
        label_smoothing=smoothing,
    )
    return rows.reshape(targets.shape).sum(1)
