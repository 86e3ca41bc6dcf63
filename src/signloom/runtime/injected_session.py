"""ONNX Runtime session of a package of the schedule `injected`: a graph for each decoder layer.

Each layer has a cache of its own, allocated once a sentence, time first, because each is at another
place; the frames come from the graph of the top layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from signloom.runtime.encoder_session import EncoderSession
from signloom.runtime.graphs import Graph, open_graph
from signloom.runtime.package import Package
from signloom.search.slots import Floats, Ids


@dataclass
class LayerState:
    """What a layer needs of its calls before; a call moves it on in place."""

    tokens: Ids
    lengths: Ids
    memories: list[Floats]
    caches: list[Floats]
    positions: list[int]


class InjectedSession(EncoderSession):
    """Encoder and decoder layers of one package; a `LayerStepper` on ONNX Runtime.

    Args:
        package: The package to run, of the schedule `injected`.
        threads: Threads inside one operator; these models are too small to gain from many.

    Raises:
        PackageError: The package is of another system, or its graphs do not fit.
    """

    def __init__(self, package: Package, *, threads: int = 1) -> None:
        super().__init__(package, threads=threads)
        self._layers = [
            self._open(index, threads=threads) for index in range(self.settings.num_layers)
        ]

    def begin(self, tokens: Ids, lengths: Ids) -> LayerState:
        """Allocate the caches for texts to be decoded to `lengths` frames.

        The texts that were encoded last are not encoded again.
        """
        memory = self._encode_once(tokens).memory
        num_layers = self.settings.num_layers
        sizes = (int(lengths.max()), len(tokens), *self._cache[1:])
        return LayerState(
            tokens,
            lengths,
            [np.ascontiguousarray(memory[:, :, index]) for index in range(num_layers)],
            [np.empty(sizes, dtype=np.float32) for _ in range(num_layers)],
            [0] * num_layers,
        )

    def run_layer(
        self, index: int, window: Floats, below: Floats | None, state: LayerState
    ) -> tuple[Floats, LayerState]:
        """Run one layer over its next slots, as `LayerStepper` describes it.

        Raises:
            PackageError: The graph fails, or gives what is no frame.
        """
        graph, start = self._layers[index], state.positions[index]
        batch, slots = len(window), window.shape[1] - self.velocity_span
        output, size = self._output(index)
        inputs: dict[str, Any] = {
            "tokens": state.tokens,
            "memory": state.memories[index],
            "window": window,
            "position": np.array(start, dtype=np.int64),
            "lengths": state.lengths,
            "past": state.caches[index][:start],
        }
        if below is not None:
            inputs["below"] = below
        above, new = graph.run(
            [output, "new"],
            inputs,
            shapes=[(batch, slots, size), (slots, batch, *self._cache[1:])],
        )
        if output == "frames":
            self._check_frames(above, start, state.lengths, graph=graph)
        state.caches[index][start : start + slots] = new
        state.positions[index] = start + slots
        return above, state

    def _output(self, index: int) -> tuple[str, int]:
        """Name what a layer gives, and its size."""
        if index == self.settings.num_layers - 1:
            return "frames", self.num_features
        return "above", self.settings.num_heads * self.settings.head_dim

    def _open(self, index: int, *, threads: int) -> Graph:
        output, size = self._output(index)
        memory = (None, None, *self._cache[1:])
        inputs: dict[str, tuple[int | None, ...]] = {
            "tokens": (None, None),
            "memory": memory,
            "window": (None, None, self.num_features),
            "position": (),
            "lengths": (None,),
            "past": memory,
        }
        if index:
            inputs["below"] = (None, None, self.settings.num_heads * self.settings.head_dim)
        outputs = {output: (None, None, size), "new": memory}
        names = set(inputs), set(outputs)
        graph = open_graph(self.package, f"layer_{index}", names=names, threads=threads)
        graph.check_shapes(inputs | outputs)
        return graph
