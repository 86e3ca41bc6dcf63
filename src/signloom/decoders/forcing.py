"""Teacher forcing: every layer once, over all slots, with an empty cache."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from signloom.core.cache import Memory, layer_of_memory
from signloom.decoders.pyramid import PyramidDecoder
from signloom.search.slots import slot_frames


def teacher_forced(
    decoder: PyramidDecoder,
    frames: Float[Tensor, "batch frames features"],
    memory: Memory,
    *,
    lengths: Int[Tensor, "batch"],
    present: Bool[Tensor, "batch tokens"],
) -> Float[Tensor, "batch frames features"]:
    """Predict every frame from the frames that its schedule lets it see.

    Args:
        decoder: Of either schedule.
        frames: The decoder's inputs, not shifted; true frames in training.
        memory: Keys and values of the source, from `remember`.
        lengths: Frames of each row.
        present: True at real tokens of the source.
    """
    position = torch.tensor(0)
    if decoder.schedule.kind == "block":
        predicted, _ = decoder(
            shifted(frames, decoder.schedule.shift, decoder=decoder),
            memory.new_zeros(0, len(frames), *memory.shape[2:]),
            memory,
            position=position,
            lengths=lengths,
            present=present,
        )
        return predicted
    below: Tensor | None = None
    for index, level in enumerate(decoder.schedule.levels):
        below, _ = decoder.run_layer(
            index,
            shifted(frames, level, decoder=decoder),
            below,
            memory.new_zeros(0, len(frames), *memory.shape[3:]),
            layer_of_memory(memory, index),
            position=position,
            lengths=lengths,
            present=present,
        )
    return frames if below is None else below


def shifted(
    frames: Float[Tensor, "batch frames features"], shift: int, *, decoder: PyramidDecoder
) -> Float[Tensor, "batch window features"]:
    """Give the frame that each slot is fed, after the span that velocity looks back over."""
    span = decoder.embedding.velocity_span
    return frames[
        :, torch.from_numpy(slot_frames(0, frames.shape[1], shift=shift, velocity_span=span))
    ]
