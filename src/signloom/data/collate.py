"""Examples into one padded batch of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from signloom.data.example import Example
from signloom.poses.normalize import Standardiser, to_features
from signloom.tokens.vocabulary import Vocabulary


class Batch(NamedTuple):
    """A padded batch of texts and poses.

    Attributes:
        names: What each row is, for messages.
        tokens: Source ids [batch, tokens], padded with 0.
        frames: Standardised features [batch, frames, features], padded with 0.
        lengths: Frames of each row [batch].
    """

    names: tuple[str, ...]
    tokens: Tensor
    frames: Tensor
    lengths: Tensor


def collate(
    examples: Sequence[Example], vocabulary: Vocabulary, standardiser: Standardiser
) -> Batch:
    """Pad examples into a batch."""
    tokens = [torch.tensor(vocabulary.encode(example.tokens)) for example in examples]
    frames = [
        torch.from_numpy(np.ascontiguousarray(standardiser.apply(to_features(example.frames))))
        for example in examples
    ]
    return Batch(
        names=tuple(example.name for example in examples),
        tokens=pad_sequence(tokens, batch_first=True),
        frames=pad_sequence(frames, batch_first=True),
        lengths=torch.tensor([len(rows) for rows in frames]),
    )
