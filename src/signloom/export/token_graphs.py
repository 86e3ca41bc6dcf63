"""The two graphs of a model that writes tokens: its memory of a source, and a decoder step."""

from __future__ import annotations

from torch import Tensor, arange, nn

from signloom.core.masks import length_mask
from signloom.decoders.token_adapter import TokenModel


class MemoryGraph(nn.Module):
    """A source in, the decoder's memory of it out."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        assert isinstance(model, TokenModel)
        self.model = model

    def forward(self, source: Tensor, lengths: Tensor, noise: Tensor | None = None) -> Tensor:
        """Read a source."""
        return self.model.remember(source, lengths, noise)[0]


class StepGraph(nn.Module):
    """What slots are fed in, logits and what the cache gets out."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        assert isinstance(model, TokenModel)
        self.model = model

    def forward(
        self,
        tokens: Tensor,
        past: Tensor,
        memory: Tensor,
        lengths: Tensor,
        noise: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Run the decoder over the slots that follow the cache."""
        present = length_mask(lengths, arange(memory.shape[1]))
        result: tuple[Tensor, Tensor] = self.model.decoder(
            tokens, past, memory, present=present, noise=noise
        )
        return result
