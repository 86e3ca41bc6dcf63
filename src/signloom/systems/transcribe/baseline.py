"""The autoregressive baseline as the searches of tokens see it, and what its CTC hears."""

from __future__ import annotations

from typing import Any

from jaxtyping import Bool, Float, Int
from torch import Tensor

from signloom.core.cache import Memory
from signloom.decoders.autoregressive import AutoregressiveDecoder
from signloom.decoders.token_adapter import TorchTokenStepper
from signloom.errors import ConfigError
from signloom.search.joint import JointStepper
from signloom.search.slots import Floats, Ids
from signloom.search.tokens import TokenStepper
from signloom.systems.transcribe.model import TranscribeModel


class Baseline:
    """A `TokenModel` that keeps what CTC heard of the speech that it read last.

    Args:
        model: With an autoregressive decoder.

    Raises:
        ConfigError: Its decoder is another.
    """

    noisy_units = 0

    def __init__(self, model: TranscribeModel) -> None:
        if not isinstance(model.decoder, AutoregressiveDecoder):
            raise ConfigError(
                "`model.decoder` must be autoregressive to decode token by token, but is "
                f"{model.config.decoder}."
            )
        self.decoder = model.decoder
        self._model = model
        self._heard: tuple[Tensor, Tensor] | None = None

    def positions(self, length: int) -> int:
        """Count the encoder's steps of speech of `length` frames."""
        return self._model.positions(length)

    def remember(
        self,
        source: Float[Tensor, "batch frames features"],
        lengths: Int[Tensor, "batch"],
        noise: Tensor | None = None,
    ) -> tuple[Memory, Bool[Tensor, "batch steps"]]:
        """Give the decoder's memory of speech, and where it is real; it has no noise."""
        states, present = self._model.encode(source, lengths)
        self._heard = self._model.read(states), present.sum(1)
        return self.decoder.remember(states), present

    def heard(self) -> tuple[Floats, Ids]:
        """Give log-probabilities and lengths of CTC for what was read last."""
        if self._heard is None:
            raise RuntimeError("Nothing was read yet.")
        log_probs, counts = self._heard
        return log_probs.cpu().numpy(), counts.cpu().numpy()

    def stepper(self, *, ctc_weight: float, end: int) -> TokenStepper[Any]:
        """Make a stepper with a cache; with a weight it counts CTC as well.

        Args:
            ctc_weight: Share of CTC, 0 to below 1.
            end: Token that ends a transcript.
        """
        stepper = TorchTokenStepper(self)
        if not ctc_weight:
            return stepper
        return JointStepper(stepper, self.heard, weight=ctc_weight, end=end)
