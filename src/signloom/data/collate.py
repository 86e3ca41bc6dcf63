"""Examples, clips or pairs into one padded batch of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from signloom.data.example import Example
from signloom.data.pair import Pair
from signloom.errors import ConfigError
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


class ClipBatch(NamedTuple):
    """A padded batch of clips to recognise.

    Attributes:
        names: What each row is, for messages.
        clips: Arrays by name: poses [batch, frames, 150] as `poses.normalize` makes them,
            confidence [batch, frames, 50], pictures uint8 [batch, frames, height, width, 3],
            language [batch]; those that were asked for.
        lengths: Frames of each row [batch].
        tokens: Ids of the labels [batch, labels], padded with 0.
        spoken: Id of the token that each frame is part of [batch, frames]: 0 between two, -1 where
            it is not known.
    """

    names: tuple[str, ...]
    clips: dict[str, Tensor]
    lengths: Tensor
    tokens: Tensor
    spoken: Tensor


def collate_clips(
    examples: Sequence[Example],
    vocabulary: Vocabulary,
    *,
    inputs: Sequence[str],
    languages: Sequence[str] = (),
) -> ClipBatch:
    """Pad clips into a batch.

    Args:
        examples: Clips of one corpus.
        vocabulary: Vocabulary of their tokens.
        inputs: Arrays that are wanted.
        languages: Codes in the order of their numbers, if `language` is wanted.
    """
    clips: dict[str, Tensor] = {}
    if "poses" in inputs:
        clips["poses"] = _stacked([to_features(one.frames) for one in examples])
    if "confidence" in inputs:
        clips["confidence"] = _stacked([one.certainty for one in examples])
    if "pictures" in inputs:
        clips["pictures"] = _stacked([_pictures_of(one) for one in examples])
    if "language" in inputs:
        clips["language"] = torch.tensor([languages.index(one.language) for one in examples])
    ids = [vocabulary.encode(one.tokens) for one in examples]
    spoken = [_spoken(one, row) for one, row in zip(examples, ids, strict=True)]
    return ClipBatch(
        names=tuple(one.name for one in examples),
        clips=clips,
        lengths=torch.tensor([one.num_frames for one in examples]),
        tokens=_padded(ids),
        spoken=pad_sequence(spoken, batch_first=True, padding_value=-1),
    )


def _stacked(rows: Sequence[NDArray[Any]]) -> Tensor:
    return pad_sequence([torch.from_numpy(np.array(row)) for row in rows], batch_first=True)


def _pictures_of(example: Example) -> NDArray[np.uint8]:
    if example.pictures is None:
        raise ConfigError(
            f"A model that reads pictures must be given them, but `{example.name}` has none. Set "
            "`corpus.rendered_px` to draw them, or `model.streams=keypoints`."
        )
    return example.pictures()


def _spoken(example: Example, ids: Sequence[int]) -> Tensor:
    """Give the token of each frame, as far as spans say."""
    if not example.spans or len(example.spans) != len(ids):
        return torch.full((example.num_frames,), -1)
    frames = torch.zeros(example.num_frames, dtype=torch.int64)
    for span, token in zip(example.spans, ids, strict=True):
        frames[span.start : span.end] = token
    return frames


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


class SpeechBatch(NamedTuple):
    """A padded batch of speech to transcribe.

    Attributes:
        names: What each row is, for messages.
        features: Acoustic features [batch, frames, features], padded with 0.
        lengths: Frames of each row [batch].
        tokens: Ids of the transcripts [batch, tokens], padded with 0.
        counts: Tokens of each row [batch].
    """

    names: tuple[str, ...]
    features: Tensor
    lengths: Tensor
    tokens: Tensor
    counts: Tensor


def collate_speech(
    names: Sequence[str],
    features: Sequence[NDArray[np.float32]],
    tokens: Sequence[Sequence[int]],
) -> SpeechBatch:
    """Pad features and the ids of their transcripts into a batch."""
    return SpeechBatch(
        names=tuple(names),
        features=pad_sources(features, None),
        lengths=torch.tensor([len(rows) for rows in features]),
        tokens=_padded(tokens),
        counts=torch.tensor([len(row) for row in tokens]),
    )


def pad_sources(
    sources: Sequence[tuple[str, ...] | NDArray[np.floating[Any]]], vocabulary: Vocabulary | None
) -> Tensor:
    """Pad sources: ids where there is a vocabulary, features otherwise."""
    if vocabulary is not None:
        return _padded([vocabulary.encode(tuple(map(str, tokens))) for tokens in sources])
    rows = [torch.from_numpy(np.ascontiguousarray(row, dtype=np.float32)) for row in sources]
    return pad_sequence(rows, batch_first=True)


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    tensors = [torch.tensor(row, dtype=torch.int64) for row in rows]
    return pad_sequence(tensors, batch_first=True)
