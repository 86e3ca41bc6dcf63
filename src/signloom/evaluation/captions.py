"""Captioners on pictures that nobody has trained on: CIDEr-D and its kin, repeats, time.

The whole runtime looks at every picture: pixels to words. Beside the true ones stands a row that
says nothing of its picture: the same captions dealt to other pictures.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from signloom.data.captions.captioned import Captioned
from signloom.errors import ConfigError
from signloom.evaluation.bootstrap import Estimate, estimate_ratio
from signloom.evaluation.controls import deal
from signloom.evaluation.held_out_pairs import digest_parts
from signloom.metrics.captions import cider_scores, measure_captions, repeat_rates
from signloom.metrics.cider import Cider, Tokens
from signloom.metrics.java_captions import java_measures
from signloom.pipelines.caption import BATCH, Captioner
from signloom.pipelines.captioning import Caption
from signloom.tokens.ptb import ptb_tokens

FIGURES = (
    ("cider_d", "CIDEr-D %", 2),
    ("cider", "CIDEr %", 2),
    ("bleu1", "BLEU-1 %", 2),
    ("bleu4", "BLEU-4 %", 2),
    ("rouge_l", "ROUGE-L %", 2),
    ("meteor", "METEOR %", 2),
    ("spice", "SPICE %", 2),
    ("shuffled_cider_d", "shuffled, CIDEr-D %", 2),
    ("repeated_words", "repeated word %", 2),
    ("repeated_pairs", "repeated pair %", 2),
    ("people_repeated_pairs", "people, repeated pair %", 2),
    ("words", "words", 2),
    ("unfinished", "without end %", 2),
    ("picture_ms", "ms a picture", 1),
    ("pictures", "pictures", 0),
)


@dataclass(frozen=True, kw_only=True)
class CaptionSummary:
    """The figures of one row; percentages of 100, intervals over pictures."""

    cider_d: Estimate
    """CIDEr-D, what pycocoevalcap calls CIDEr."""
    cider: float
    """CIDEr of the paper, neither clipped nor weighed by length."""
    bleu1: float
    """BLEU-1 of the corpus."""
    bleu4: float
    """BLEU-4 of the corpus."""
    rouge_l: float
    """ROUGE-L."""
    meteor: float | None
    """METEOR; None where Java or pycocoevalcap is not there."""
    spice: float | None
    """SPICE, likewise."""
    shuffled_cider_d: Estimate
    """CIDEr-D where captions are those of other pictures."""
    repeated_words: float
    """Captions with a word right behind itself."""
    repeated_pairs: float
    """Captions with a pair of words twice."""
    people_repeated_pairs: float
    """The same of what people say of these pictures."""
    words: float
    """Words of a caption."""
    unfinished: float
    """Captions that end by their length alone."""
    picture_ms: float
    """Milliseconds a picture, from the file to its caption, a few together on one thread."""
    pictures: int
    """Pictures."""


@dataclass(frozen=True, kw_only=True)
class CaptionResult:
    """The rows of one evaluation."""

    signature: str
    """Data and conventions in one line; results of two signatures do not compare."""
    summaries: Mapping[str, CaptionSummary]
    """Figures by row, one a model."""


@dataclass
class _Row:
    """What a model has said so far."""

    captioner: Captioner
    found: list[Caption] = field(default_factory=list)
    seconds: float = 0.0


def evaluate_captions(
    models: Mapping[str, Captioner],
    pictures: Sequence[Captioned],
    *,
    corpus: str,
    seed: int = 0,
    done: Callable[[int], None] = lambda _: None,
) -> CaptionResult:
    """Let captioners look at pictures.

    Args:
        models: By the name of their row, each on one thread.
        pictures: With what people say of them.
        corpus: What they are, for the signature.
        seed: Fixes shuffling and resampling.
        done: Told how many more pictures are captioned, of all models.

    Raises:
        ConfigError: There are fewer than two pictures, or one is not at hand.
        FormatError: A picture does not hold.
    """
    paths = [one.path for one in pictures if one.path is not None]
    if len(pictures) < 2 or len(paths) < len(pictures):
        raise ConfigError(
            f"There must be at least 2 pictures to evaluate on, all at hand, but there are "
            f"{len(paths)} of {len(pictures)}."
        )
    rows = {name: _Row(captioner) for name, captioner in models.items()}
    for row in rows.values():
        for first in range(0, len(paths), BATCH):
            started = time.perf_counter()
            squares = [row.captioner.open(path) for path in paths[first : first + BATCH]]
            row.found += row.captioner.caption(squares)
            row.seconds += time.perf_counter() - started
            done(len(squares))
    references = [tuple(map(ptb_tokens, one.captions)) for one in pictures]
    said = [f"{one.name} {' '.join(one.captions)}".encode() for one in pictures]
    return CaptionResult(
        signature=(
            f"corpus:{corpus}|pictures:{len(pictures)}|data:{digest_parts(said)}|seed:{seed}"
            "|tok:ptb-like|cider:d,sigma6,n4,df-of-references"
        ),
        summaries={name: _summarise(row, references, seed=seed) for name, row in rows.items()},
    )


def score_captions(
    captions: Sequence[Tokens], references: Sequence[Sequence[Tokens]], *, seed: int = 0
) -> dict[str, Any]:
    """Measure captions: figures in percent, `cider_d` with its interval over pictures, and `words`.

    Args:
        captions: One for each picture.
        references: What people say of each.
        seed: Fixes the resampling.
    """
    each = cider_scores(Cider(references), captions, references)
    measures = measure_captions(captions, references, each=each)
    repeats = repeat_rates(captions)
    return {
        **{name: 100 * value for name, value in measures.items()},
        **{
            name: None if value is None else 100 * value
            for name, value in java_measures(captions, references).items()
        },
        "cider_d": estimate_ratio([100 * clipped for _, clipped in each], seed=seed),
        "repeated_words": 100 * repeats.words,
        "repeated_pairs": 100 * repeats.pairs,
        "words": sum(map(len, captions)) / len(captions),
    }


def _summarise(row: _Row, references: Sequence[Sequence[Tokens]], *, seed: int) -> CaptionSummary:
    captions = [one.tokens for one in row.found]
    scores = score_captions(captions, references, seed=seed)
    cider = Cider(references)
    dealt = [references[other] for other in deal(len(references), seed=seed)]
    shuffled = [100 * cider.score(*pair) for pair in zip(captions, dealt, strict=True)]
    people = repeat_rates([words for own in references for words in own])
    count = len(captions)
    shown = {name: value for name, value in scores.items() if name not in ("bleu2", "bleu3")}
    return CaptionSummary(
        **shown,
        shuffled_cider_d=estimate_ratio(shuffled, seed=seed),
        people_repeated_pairs=100 * people.pairs,
        unfinished=100 * sum(not one.finished for one in row.found) / count,
        picture_ms=1000 * row.seconds / count,
        pictures=count,
    )
