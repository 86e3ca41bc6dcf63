"""Examples, or pairs, into one padded batch of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from signloom.data.example import Example
from signloom.data.pair import Pair
from signloom.poses.normalize import Standardiser, to_features
from signloom.tokens.targets import END
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


class PairBatch(NamedTuple):
    """A padded batch of pairs to translate.

    Attributes:
        names: What each row is, for messages.
        source: Ids [batch, tokens], or features [batch, frames, features], padded with 0.
        lengths: Tokens or frames of each source [batch].
        fed: What the decoder is fed: the start token, then the target [batch, slots].
        targets: The target, then `</s>` [batch, slots], padded with 0.
        glosses: Ids of the CTC head's labels [batch, labels], padded with 0.
    """

    names: tuple[str, ...]
    source: Tensor
    lengths: Tensor
    fed: Tensor
    targets: Tensor
    glosses: Tensor


def collate_pairs(
    pairs: Sequence[Pair],
    *,
    source: Vocabulary | None,
    target: Vocabulary,
    glosses: Vocabulary | None = None,
) -> PairBatch:
    """Pad pairs into a batch.

    Args:
        pairs: Of one corpus.
        source: Vocabulary of the source; None where it is features.
        target: Vocabulary of the target.
        glosses: Vocabulary of the CTC head, if there is one.
    """
    ids = [target.encode(pair.tokens) for pair in pairs]
    starts = [target.encode([pair.start])[0] for pair in pairs]
    [end] = target.encode([END])
    labels = [glosses.encode(pair.glosses) if glosses else [] for pair in pairs]
    return PairBatch(
        names=tuple(pair.name for pair in pairs),
        source=pad_sources([pair.source for pair in pairs], source),
        lengths=torch.tensor([pair.length for pair in pairs]),
        fed=_padded([[start, *row] for start, row in zip(starts, ids, strict=True)]),
        targets=_padded([[*row, end] for row in ids]),
        glosses=_padded(labels),
    )


def pad_sources(
    sources: Sequence[tuple[str, ...] | NDArray[np.float32]], vocabulary: Vocabulary | None
) -> Tensor:
    """Pad sources: ids where there is a vocabulary, features otherwise."""
    if vocabulary is not None:
        return _padded([vocabulary.encode(tuple(map(str, tokens))) for tokens in sources])
    rows = [torch.from_numpy(np.ascontiguousarray(row, dtype=np.float32)) for row in sources]
    return pad_sequence(rows, batch_first=True)


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    tensors = [torch.tensor(row, dtype=torch.int64) for row in rows]
    return pad_sequence(tensors, batch_first=True)
