"""Beam and length penalty of a captioner, chosen by CIDEr-D on validation over a small grid."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from signloom.data.captions.corpus import CaptionCorpus
from signloom.errors import ConfigError
from signloom.evaluation.tuning import Tuned, grid
from signloom.metrics.captions import measure_captions
from signloom.pipelines.caption import Captioner
from signloom.runtime.package import Package

BEAMS = (1, 2, 3, 5)
LENGTH_PENALTIES = (0.0, 0.6, 1.2)


def tune_captions(
    package: Package, corpus: CaptionCorpus, *, done: Callable[[int], None] | None = None
) -> Tuned:
    """Caption the validation split at every place of the grid, by the features of the corpus.

    Of equal scores that of the smaller beam is taken, and then that of the smaller length penalty.

    Args:
        package: The captioner; its own beam and length penalty are not looked at.
        corpus: Its pictures.
        done: Told how many pictures each batch has finished, as often as the grid has places.

    Raises:
        ConfigError: The corpus has no validation split.
    """
    pictures = corpus.examples("dev")
    if not pictures:
        raise ConfigError("Tuning must have a picture of the split dev, but there is none.")
    captioner = Captioner(package.path)
    features = [corpus.features.get(one.name).astype(np.float32) for one in pictures]
    table = {}
    for beam, penalty in grid(BEAMS, LENGTH_PENALTIES):
        captions = captioner.search(features, beam=beam, length_penalty=penalty, done=done)
        scores = measure_captions(captions, [one.tokens for one in pictures])
        table[beam, penalty] = 100 * scores["cider_d"]
    best = max(table, key=lambda place: table[place])
    return Tuned(*best, "cider_d", table[best], table)
