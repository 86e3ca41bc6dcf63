"""Evaluate fingerspelling: does what was produced read back as what was asked for?

Every row is judged on the same held-out words by the same frozen recogniser, the systems at their
own predicted length, with the control rows beside them.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.example import Example
from signloom.errors import ConfigError
from signloom.evaluation.controls import build_references, control_rows
from signloom.evaluation.judge import Judge
from signloom.evaluation.measures import WordMeasures, measure_word
from signloom.evaluation.rendition import Rendition, Row
from signloom.evaluation.summary import Summary, summarise
from signloom.evaluation.thresholds import find_failures
from signloom.metrics.pose import signing_side

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class SpellingResult:
    """The rows of one evaluation."""

    signature: str
    """Judge, data and conventions in one line; results of two signatures do not compare."""
    summaries: Mapping[str, Summary]
    """Figures by row, control rows first."""
    words: Mapping[str, Sequence[WordMeasures]]
    """Measures of each word by row."""
    failures: Mapping[str, Sequence[str]]
    """Thresholds missed, by row."""


def evaluate_spelling(
    rows: Mapping[str, Row],
    texts: Sequence[str],
    *,
    corpus: Fingerspelling,
    judge: Judge,
    look_alikes: Sequence[Sequence[str]] = (),
    block: int = 8,
    seed: int = 0,
) -> SpellingResult:
    """Evaluate systems and controls on texts that they have not seen.

    Args:
        rows: Systems by name; a system renders a list of texts.
        texts: What to spell, each once.
        corpus: The builder of the references.
        judge: The recogniser.
        look_alikes: Groups of letters that look the same in this language.
        block: Frames that a decoder pass completes.
        seed: Fixes references, shuffling and resampling.

    Raises:
        ConfigError: There are fewer than two texts, or one comes twice.
    """
    if len(texts) < 2 or len(set(texts)) < len(texts):
        raise ConfigError(
            f"An evaluation must have at least 2 texts, all different, but has {len(texts)}, "
            f"{len(set(texts))} of them different."
        )
    references = build_references(corpus, texts, seed=seed)
    systems = {name: row(texts) for name, row in rows.items()}
    first = next(iter(systems.values()), None)
    lengths = None if first is None else [len(rendition.frames) for rendition in first]
    everything = control_rows(corpus, references, lengths=lengths, seed=seed) | systems
    words = {
        name: _measure(renditions, references, judge, look_alikes=look_alikes, block=block)
        for name, renditions in everything.items()
    }
    summaries = {name: summarise(row, seed=seed) for name, row in words.items()}
    return SpellingResult(
        signature=sign(judge, corpus, num_texts=len(texts), block=block, seed=seed),
        summaries=summaries,
        words=words,
        failures={name: find_failures(name, summary) for name, summary in summaries.items()},
    )


def sign(judge: Judge, corpus: Fingerspelling, *, num_texts: int, block: int, seed: int) -> str:
    """Write the signature of an evaluation."""
    return (
        f"{judge.signature}|corpus:fingerspelling-{corpus.alphabet.language}|texts:{num_texts}"
        f"|seed:{seed}|joints:50|fps:25|norm:shoulder|dtw:mje-arm+hand|jerk:block-{block}"
    )


def _measure(
    renditions: Sequence[Rendition],
    references: Sequence[Example],
    judge: Judge,
    *,
    look_alikes: Sequence[Sequence[str]],
    block: int,
) -> list[WordMeasures]:
    side = signing_side(np.concatenate([example.frames for example in references]))
    readings = judge.read([rendition.frames for rendition in renditions])
    return [
        measure_word(
            rendition,
            reference,
            read=read,
            side=side,
            look_alikes=look_alikes,
            block=block,
        )
        for rendition, reference, read in zip(renditions, references, readings, strict=True)
    ]
