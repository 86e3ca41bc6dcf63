"""A trained task as a row of an evaluation, without exporting it first: for comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from signloom.decoders.adapter import stepper_of
from signloom.evaluation.rendition import Rendition, Row
from signloom.poses.normalize import NUM_FEATURES, from_features
from signloom.poses.smooth import smooth
from signloom.search.blocks import decode
from signloom.tokens.spelling import spell


def checkpoint_row(task: Any, tokens_of: Callable[[str], tuple[str, ...]] | None = None) -> Row:
    """Make a row of a production task: each text at its own length, filtered as a package is.

    Args:
        task: A trained production task, in evaluation mode.
        tokens_of: Cuts a text into tokens; by default into the letters of the task's alphabet.
    """
    cut = tokens_of or (lambda text: spell(text, task.corpus.alphabet))

    def render(texts: Sequence[str]) -> list[Rendition]:
        return [_render(task, cut(text)) for text in texts]

    return render


def _render(task: Any, tokens: tuple[str, ...]) -> Rendition:
    ids = torch.tensor([task.corpus.vocabulary.encode(tokens)])
    with torch.no_grad():
        _, logits = task.model.encode(ids)
    lengths = task.model.read_lengths(logits)
    decoded = decode(stepper_of(task.model), ids.numpy(), lengths.numpy())
    raw = from_features(task.standardiser.invert(decoded[0, :, :NUM_FEATURES]))
    return Rendition(smooth(raw), raw)
