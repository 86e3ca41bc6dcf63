"""Does a decoder read context, or copy its input? True transcripts, a share of them replaced.

Speech is given. One pass is run over transcripts in which every fifth token is another one; whoever
copies gives the replaced tokens back, whoever reads mends them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from signloom.data.speech.utterance import Utterance
from signloom.search.refine import RefineOptions, refine
from signloom.systems.transcribe.task import TranscribeTask

SEED = 11


def share_mended(
    task: TranscribeTask, utterances: Sequence[Utterance], *, share: float
) -> dict[str, Any]:
    """Replace a share of all tokens at random and count what one pass makes of them.

    Args:
        task: The trained task, with refinement decoders.
        utterances: Of its corpus.
        share: Share of tokens that are replaced, each by another one.

    Returns:
        Percent of the replaced tokens that are right again, copied, or something else; and percent
        of the others that are wrong now.

    Raises:
        TypeError: The decoder is autoregressive.
    """
    rng = np.random.default_rng(SEED)
    options = RefineOptions(iterations=1, stop="never", banned=task.banned)
    true, given, found = [], [], []
    for first in range(0, len(utterances), task.task.batch_size):
        batch = task.collate(utterances[first : first + task.task.batch_size])
        _, heard = task.hear(batch)
        rows = [
            row[:count].numpy()
            for row, count in zip(batch.tokens, batch.counts.tolist(), strict=True)
        ]
        spoiled = [_replaced(row, rng, task=task, share=share) for row in rows]
        mended = refine(task.refiner, heard, [row.tolist() for row in spoiled], options=options)
        true += rows
        given += spoiled
        found += [np.array(one.ids) for one in mended]
    wanted, fed, written = map(np.concatenate, (true, given, found))
    changed = wanted != fed
    return {
        "replaced": int(changed.sum()),
        "mended": _percent(written[changed] == wanted[changed]),
        "copied": _percent(written[changed] == fed[changed]),
        "spoiled": _percent(written[~changed] != wanted[~changed]),
    }


def _replaced(
    row: np.ndarray[Any, np.dtype[np.int64]],
    rng: np.random.Generator,
    *,
    task: TranscribeTask,
    share: float,
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Put another token in the place of a share of tokens."""
    least, end = max(task.banned) + 1, len(task.corpus.vocabulary)
    # A step of at least one around the ring of tokens never ends where it began.
    steps = rng.integers(1, end - least, size=len(row))
    other = least + (row - least + steps) % (end - least)
    return np.where(rng.random(len(row)) < share, other, row)


def _percent(flags: np.ndarray[Any, np.dtype[np.bool_]]) -> float:
    return 100 * float(flags.mean()) if len(flags) else 0.0
