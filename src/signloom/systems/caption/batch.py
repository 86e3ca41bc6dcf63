"""Captioned pictures into one padded batch of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from signloom.data.captions.captioned import Captioned
from signloom.data.collate import pad_sources
from signloom.features.store import PictureFeatures
from signloom.tokens.targets import END, START
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import known_tokens


class CaptionBatch(NamedTuple):
    """A padded batch of captioned pictures.

    Attributes:
        names: The pictures, for messages.
        features: Their features [pictures, positions, features], padded with 0.
        lengths: Positions of each picture [pictures].
        fed: What the decoder is fed: start tokens, then the caption, shifted by a group
            [rows, slots].
        targets: The caption, then `</s>` [rows, slots], padded with 0.
        pictures: Which picture each caption is of [rows].
    """

    names: tuple[str, ...]
    features: Tensor
    lengths: Tensor
    fed: Tensor
    targets: Tensor
    pictures: Tensor


def collate_captions(
    examples: Sequence[Captioned],
    features: PictureFeatures,
    *,
    vocabulary: Vocabulary,
    group: int,
    captions: int,
    rng: np.random.Generator | None = None,
) -> CaptionBatch:
    """Pad pictures and their captions into a batch.

    Args:
        examples: Pictures with tokenised captions.
        features: Their features.
        vocabulary: Of the captions; what it has not is `<unk>`.
        group: Words that come at once.
        captions: Most captions of each picture.
        rng: Draws captions and views; without one, the first captions of the plain view.
    """
    views, ids = [0] * len(examples), []
    for place, one in enumerate(examples):
        chosen = list(range(len(one.tokens)))
        if rng is not None:
            views[place] = int(rng.integers(features.views))
            rng.shuffle(chosen)
        texts = [known_tokens(one.tokens[index], vocabulary) for index in chosen[:captions]]
        ids.append([vocabulary.encode(text) for text in texts])
    rows = [features.get(one.name, view) for one, view in zip(examples, views, strict=True)]
    start, end = vocabulary.encode([START, END])
    fed, targets = shift_captions(
        [(*row, end) for each in ids for row in each], start=start, group=group
    )
    owners = [place for place, each in enumerate(ids) for _ in each]
    return CaptionBatch(
        names=tuple(one.name for one in examples),
        features=pad_sources(rows, None),
        lengths=torch.tensor([len(row) for row in rows]),
        fed=fed,
        targets=targets,
        pictures=torch.tensor(owners),
    )


def shift_captions(
    captions: Sequence[Sequence[int]], *, start: int, group: int
) -> tuple[Tensor, Tensor]:
    """Give what the decoder is fed, and what it is to predict [rows, slots].

    Slots come in whole groups, as in decoding: a group that a caption ends in is fed the whole
    group before it.

    Args:
        captions: Ids, each with its end token.
        start: What the first group is fed.
        group: Words that come at once, K.

    Example:
        >>> [each.tolist() for each in shift_captions([(7, 8, 9)], start=2, group=2)]
        [[[2, 2, 7, 8]], [[7, 8, 9, 0]]]
    """
    slots = -(-max(map(len, captions)) // group) * group
    targets = torch.zeros(len(captions), slots, dtype=torch.int64)
    for row, caption in zip(targets, captions, strict=True):
        row[: len(caption)] = torch.tensor(caption)
    fed = torch.cat([torch.full((len(captions), group), start), targets[:, :-group]], dim=1)
    return fed[:, :slots], targets
