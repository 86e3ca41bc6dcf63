"""A transcriber's graphs against the model that they were made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch

from signloom.export.parity import (
    LOGIT_TOLERANCE,
    TOLERANCE,
    largest_difference,
    run_graph,
    unequal,
)
from signloom.export.transcribe_graphs import (
    DECODER_OUTPUTS,
    ENCODER_OUTPUTS,
    DecoderGraph,
    EncoderGraph,
    example,
)
from signloom.systems.transcribe.model import TranscribeModel

PARITY = (((1,), (1,)), ((2, 1), (1, 3)), ((57, 7, 30), (4, 1, 2)), ((121,), (11,)))
"""Frames of each row, and tokens of each."""


def check_parity(model: TranscribeModel, graphs: Mapping[str, bytes]) -> float:
    """Compare the graphs with the model over several lengths and unequal batches.

    Args:
        model: In evaluation mode.
        graphs: `encoder` and `decoder`.

    Returns:
        The largest difference of a number.

    Raises:
        PackageError: It exceeds 1e-4 for a log-probability, 1e-3 for another number, or the steps
            differ.
        ConfigError: The decoder is autoregressive.
    """
    return max(_apart(model, graphs, frames, slots) for frames, slots in PARITY)


@torch.no_grad()
def _apart(
    model: TranscribeModel,
    graphs: Mapping[str, bytes],
    frames: Sequence[int],
    slots: Sequence[int],
) -> float:
    features, lengths, tokens, counts = example(model, frames, slots)
    true = [one.numpy() for one in EncoderGraph(model)(features, lengths)]
    feed = {"features": features.numpy(), "lengths": lengths.numpy()}
    found = run_graph(graphs["encoder"], feed, ENCODER_OUTPUTS)
    remembered, heard = (
        largest_difference(one, other, true[2].tolist())
        for one, other in zip(found[:2], true[:2], strict=True)
    )
    if not (heard <= TOLERANCE and np.array_equal(found[2], true[2])):
        raise unequal("encoder", heard, tolerance=TOLERANCE, lengths=frames)
    if not remembered <= LOGIT_TOLERANCE:
        raise unequal("encoder", remembered, tolerance=LOGIT_TOLERANCE, lengths=frames)
    memory, _, steps = map(torch.from_numpy, true)
    expected = DecoderGraph(model)(tokens, counts, memory, steps).numpy()
    read = {"tokens": tokens, "lengths": counts, "memory": memory, "steps": steps}
    feed = {name: value.numpy() for name, value in read.items()}
    [logits] = run_graph(graphs["decoder"], feed, DECODER_OUTPUTS)
    by_row, expected_by_row = (np.moveaxis(one, 0, 2) for one in (logits, expected))
    refined = largest_difference(by_row, expected_by_row, slots)
    if not refined <= LOGIT_TOLERANCE:
        raise unequal("decoder", refined, tolerance=LOGIT_TOLERANCE, lengths=slots)
    return max(heard, remembered, refined)
