"""Control rows, so that a reader sees ceiling and floor beside the systems.

ground truth    the references themselves: how well the judge reads
resampled       the builder once more, at another pace: how close two true samples are
stitched        the builder without random pace at the predicted length: the ceiling
mean pose       the mean frame throughout: what not moving earns
shuffled        the references dealt to other texts: what moving at random earns
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.example import Example
from signloom.evaluation.rendition import Frames, Rendition

CONTROL_ROWS = ("ground truth", "resampled", "stitched", "mean pose", "shuffled")


def build_references(
    corpus: Fingerspelling, texts: Sequence[str], *, seed: int = 0
) -> list[Example]:
    """Let the builder sign each text at a random pace; a text's sample depends on no other."""
    streams = ([seed, zlib.crc32(text.encode())] for text in texts)
    return [
        corpus.build(text, np.random.default_rng(stream))
        for text, stream in zip(texts, streams, strict=True)
    ]


def control_rows(
    corpus: Fingerspelling,
    references: Sequence[Example],
    *,
    lengths: Sequence[int] | None = None,
    seed: int = 0,
) -> dict[str, list[Rendition]]:
    """Build every control row.

    Args:
        corpus: The builder.
        references: What `build_references` gave.
        lengths: Frames of the stitched row, those of the system; left out, the references'.
        seed: What the references were built with.
    """
    truth = [example.frames for example in references]
    texts = [example.text for example in references]
    lengths = [len(frames) for frames in truth] if lengths is None else lengths
    rows = (
        truth,
        [one.frames for one in build_references(corpus, texts, seed=seed + 1)],
        [corpus.stitched(text, length).frames for text, length in zip(texts, lengths, strict=True)],
        mean_pose(truth),
        [truth[other] for other in deal(len(truth), seed=seed)],
    )
    return {
        name: [Rendition(frames) for frames in row]
        for name, row in zip(CONTROL_ROWS, rows, strict=True)
    }


def mean_pose(truth: Sequence[Frames]) -> list[Frames]:
    """Hold the mean frame of all references for as long as each takes."""
    mean = np.concatenate(truth).mean(axis=0, dtype=np.float64).astype(np.float32)
    return [np.repeat(mean[None], len(frames), axis=0) for frames in truth]


def deal(count: int, *, seed: int) -> list[int]:
    """Draw an order in which nobody keeps their own; alone, one must.

    Example:
        >>> dealt = deal(7, seed=0)
        >>> sorted(dealt) == list(range(7)), any(one == own for own, one in enumerate(dealt))
        (True, False)
    """
    order = np.random.default_rng(seed).permutation(count)
    dealt = np.empty(count, dtype=np.int64)
    dealt[order] = np.roll(order, 1)
    return [int(one) for one in dealt]
