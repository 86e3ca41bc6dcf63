"""A bidirectional LSTM over clips of unequal lengths: STAMF's sequence module.

The backward direction begins at each clip's own end. ONNX's operator does the same by
`sequence_lens`, so the exported graph holds it rather than an unrolled loop.
"""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

_GATES = (0, 3, 1, 2)
"""Torch's order is input, forget, cell, output; ONNX's input, output, forget, cell."""


class BiLSTM(nn.Module):
    """A stack of bidirectional LSTM layers.

    Args:
        in_dim: Size of what comes in.
        dim: Size of what goes out; half of it a direction.
        num_layers: Layers, at least 1.
        dropout: Dropout probability between layers.
    """

    def __init__(self, in_dim: int, dim: int, *, num_layers: int = 2, dropout: float = 0.0) -> None:
        super().__init__()
        self.layers = nn.LSTM(
            in_dim,
            dim // 2,
            num_layers=num_layers,
            batch_first=True,
            bidirectional=True,
            dropout=dropout if num_layers > 1 else 0.0,
        )

    def forward(
        self, x: Float[Tensor, "batch steps dim"], lengths: Int[Tensor, "batch"]
    ) -> Float[Tensor, "batch steps wider"]:
        """Run over each clip; beyond its end is 0.

        Args:
            x: Padded steps.
            lengths: Steps of each clip, at least 1.
        """
        if torch.onnx.is_in_onnx_export():
            return self._as_onnx(x, lengths)
        packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(
            self.layers(packed)[0], batch_first=True, total_length=x.shape[1]
        )
        return states

    def _as_onnx(
        self, x: Float[Tensor, "batch steps dim"], lengths: Int[Tensor, "batch"]
    ) -> Float[Tensor, "batch steps wider"]:
        """Stand for the layers in a graph that is traced; nothing is computed here."""
        counts = lengths.to(torch.int32)
        steps = x.transpose(0, 1)
        for layer in range(self.layers.num_layers):
            weights, recurrent, biases = self._parameters_of(layer)
            half = self.layers.hidden_size
            states = torch.onnx.ops.symbolic(
                "LSTM",
                (steps, weights, recurrent, biases, counts),
                {"hidden_size": half, "direction": "bidirectional"},
                dtype=x.dtype,
                shape=(x.shape[1], 2, x.shape[0], half),
            )
            steps = states.transpose(1, 2).flatten(2)
        return steps.transpose(0, 1)

    def _parameters_of(self, layer: int) -> tuple[Tensor, Tensor, Tensor]:
        """Give a layer's weights as ONNX wants them, the directions first."""

        def both(kind: str) -> Tensor:
            names = (f"{kind}_l{layer}", f"{kind}_l{layer}_reverse")
            return torch.stack([_reordered(getattr(self.layers, name)) for name in names])

        biases = torch.cat([both("bias_ih"), both("bias_hh")], dim=1)
        return both("weight_ih"), both("weight_hh"), biases


def _reordered(parameter: Tensor) -> Tensor:
    gates = parameter.reshape(4, -1, *parameter.shape[1:])
    return gates[list(_GATES)].flatten(0, 1)
