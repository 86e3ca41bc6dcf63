"""Is a translation package the model it was made of? Logits, by mean and by a sample."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from signloom.core.bayesian import sample_weights
from signloom.core.source import FeatureSource, TokenSource
from signloom.decoders.token_adapter import TorchTokenStepper
from signloom.export.parity import LOGIT_TOLERANCE, unequal
from signloom.runtime.package import Package
from signloom.runtime.translator import TranslatorSession
from signloom.search.draws import Draw, Sources
from signloom.search.tokens import TokenStepper
from signloom.systems.translate.model import TranslateModel

PARITY_LENGTHS = ((1,), (2, 1), (31, 7, 13))
STEPS = 4


def check_parity(model: TranslateModel, package: Package) -> float:
    """Compare a package with its model on random sources, by mean and by one sample.

    Returns:
        The largest difference of a logit.

    Raises:
        PackageError: It exceeds 1e-3.
    """
    draws = [None, Draw(seed=3, sample=1)]
    session_of = {draw: TranslatorSession(package, draw) for draw in draws}
    worst = 0.0
    for draw, session in session_of.items():
        drawn = sample_weights(model, seed=draw.seed, sample=draw.sample) if draw else model
        theirs = TorchTokenStepper(drawn, draw)
        for lengths in PARITY_LENGTHS:
            source = _sources(model, lengths)
            worst = max(worst, _apart(theirs, session, source))
    if not worst <= LOGIT_TOLERANCE:
        raise unequal("translator", worst, tolerance=LOGIT_TOLERANCE)
    return worst


def example_source(model: TranslateModel, batch: int, length: int) -> Tensor:
    """Make random ids or features [batch, length]."""
    generator = torch.Generator().manual_seed(0)
    if isinstance(model.source, FeatureSource):
        mean, std = model.source.mean, model.source.std
        return mean + std * torch.randn(batch, length, len(mean), generator=generator)
    assert isinstance(model.source, TokenSource)
    most = model.source.words.num_embeddings
    return torch.randint(1, most, (batch, length), generator=generator)


def _sources(model: TranslateModel, lengths: tuple[int, ...]) -> Sources:
    values = example_source(model, len(lengths), max(lengths))
    for row, length in enumerate(lengths):
        values[row, length:] = 0
    return Sources(values.numpy(), np.array(lengths, dtype=np.int64))


def _apart(theirs: TokenStepper[Any], ours: TokenStepper[Any], source: Sources) -> float:
    """Give the largest difference of a logit over a few steps on the same tokens."""
    states = theirs.begin(source), ours.begin(source)
    worst, tokens = 0.0, np.ones(len(source.lengths), dtype=np.int64)
    for _ in range(STEPS):
        (expected, first), (found, second) = (
            theirs.step(tokens, states[0]),
            ours.step(tokens, states[1]),
        )
        states = first, second
        worst = max(worst, float(np.abs(expected.logits - found.logits).max()))
        tokens = expected.logits.argmax(axis=1)
    return worst
