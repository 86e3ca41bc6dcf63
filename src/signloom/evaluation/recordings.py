"""Evaluate production on recorded signing: how near is it to what was signed, at its own length?

Every row signs the same utterances of a prepared corpus; beside the systems stand ground truth,
mean pose and shuffled. There is no reader here: distances alone reward not moving, which is what
the row mean pose and the motion ratio show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from signloom.data.corpora.recorded import Recorded
from signloom.data.example import Example
from signloom.errors import ConfigError
from signloom.evaluation.bootstrap import Estimate, estimate_ratio
from signloom.evaluation.controls import deal, mean_pose
from signloom.evaluation.packages import refuse_same_names
from signloom.evaluation.rendition import Rendition
from signloom.metrics.motion import last_third, path_length
from signloom.metrics.pose import aligned_joint_error, bone_length_ratios, pt_dtw
from signloom.pipelines.produce import Producer
from signloom.pipelines.script import script_of
from signloom.poses.skeleton import UPPER_BODY_50
from signloom.tokens.words import known_tokens

FIGURES = (
    ("pt_dtw", "PT-DTW", 2),
    ("mje", "DTW-MJE", 4),
    ("motion_ratio", "motion", 2),
    ("last_third_motion_ratio", "motion, last third", 2),
    ("bone_ratio", "bones", 3),
    ("bone_ratio_least", "bones, least", 3),
    ("bone_ratio_most", "bones, most", 3),
    ("length_ratio", "length", 3),
    ("length_error", "length error %", 1),
)


@dataclass(frozen=True, kw_only=True)
class RecordingSummary:
    """The figures of one row, with 95 % bootstrap intervals over utterances."""

    pt_dtw: Estimate
    """PT-DTW in the units of .skels."""
    mje: Estimate
    """DTW-MJE over all 50 joints, shoulder widths."""
    motion_ratio: Estimate
    """Ratio of the ways travelled by the joints."""
    last_third_motion_ratio: Estimate
    """The same in the last third of each utterance."""
    bone_ratio: float
    """Mean length ratio of the bones."""
    bone_ratio_least: float
    """Length ratio of the bone that is shortest for its reference."""
    bone_ratio_most: float
    """Length ratio of the bone that is longest for its reference."""
    length_ratio: Estimate
    """Ratio of the mean lengths."""
    length_error: Estimate
    """Mean relative length error of an utterance, per cent."""


@dataclass(frozen=True, kw_only=True)
class RecordingResult:
    """The rows of one evaluation."""

    signature: str
    """Data and conventions in one line; results of two signatures do not compare."""
    summaries: Mapping[str, RecordingSummary]
    """Figures by row, control rows first."""


def evaluate_recordings(
    models: Sequence[str | Path], folder: Path, *, split: str = "test", seed: int = 0
) -> RecordingResult:
    """Evaluate production packages on a split of a prepared corpus.

    Args:
        models: Names or folders of production packages.
        folder: What `signloom data prepare` wrote.
        split: Which utterances.
        seed: Fixes shuffling and resampling.

    Raises:
        PackageError: A package is unknown or damaged.
        ConfigError: The models take different units, or the split has fewer than two utterances.
    """
    refuse_same_names(models)
    producers = {Path(model).name: Producer(model) for model in models}
    units = {producer.settings.unit for producer in producers.values()}
    if len(units) != 1 or "letters" in units:
        raise ConfigError(
            "All models must take words, or all glosses, to sign a prepared corpus, but they take "
            f"{', '.join(sorted(units)) or 'nothing: name a model'}."
        )
    corpus = Recorded(folder, unit="glosses" if "glosses" in units else "words")
    references = corpus.examples(split)
    if len(references) < 2:
        raise ConfigError(
            f"The split `{split}` of {folder} must have at least 2 utterances with "
            f"{corpus.unit}, but has {len(references)}."
        )
    rows = control_rows(references, seed=seed)
    for name, producer in producers.items():
        rows[name] = [_produce(producer, corpus.tokens_of(one)) for one in references]
    return RecordingResult(
        signature=(
            f"corpus:{corpus.prepared.card['name']}|split:{split}|texts:{len(references)}"
            f"|seed:{seed}|joints:50|fps:{corpus.fps:g}|norm:shoulder|dtw:pt+mje"
        ),
        summaries={name: _summarise(row, references, seed=seed) for name, row in rows.items()},
    )


def control_rows(references: Sequence[Example], *, seed: int) -> dict[str, list[Rendition]]:
    """Give ground truth, mean pose and shuffled; see `evaluation.controls`."""
    truth = [example.frames for example in references]
    rows = {
        "ground truth": truth,
        "mean pose": mean_pose(truth),
        "shuffled": [truth[other] for other in deal(len(truth), seed=seed)],
    }
    return {name: [Rendition(frames) for frames in row] for name, row in rows.items()}


def _produce(producer: Producer, tokens: Sequence[str]) -> Rendition:
    """Sign an utterance's tokens, also those of which the model knows none."""
    script = script_of(
        known_tokens(tokens, producer.vocabulary), max_tokens=producer.settings.max_tokens
    )
    return Rendition(producer.produce(script).pose.frames)


def _summarise(
    row: Sequence[Rendition], references: Sequence[Example], *, seed: int
) -> RecordingSummary:
    pairs = [(made.frames, true.frames) for made, true in zip(row, references, strict=True)]
    ways = [(path_length(made), path_length(true)) for made, true in pairs]
    ends = [(path_length(last_third(made)), path_length(last_third(true))) for made, true in pairs]
    lengths = [(float(len(made)), float(len(true))) for made, true in pairs]
    errors = [100 * abs(made - true) / true for made, true in lengths]
    bones = _bones(pairs)
    return RecordingSummary(
        pt_dtw=estimate_ratio([pt_dtw(made, true) for made, true in pairs], seed=seed),
        mje=estimate_ratio([aligned_joint_error(made, true) for made, true in pairs], seed=seed),
        motion_ratio=_ratio(ways, seed=seed),
        last_third_motion_ratio=_ratio(ends, seed=seed),
        bone_ratio=float(bones.mean()),
        bone_ratio_least=float(bones.min()),
        bone_ratio_most=float(bones.max()),
        length_ratio=_ratio(lengths, seed=seed),
        length_error=estimate_ratio(errors, seed=seed),
    )


def _ratio(pairs: Sequence[tuple[float, float]], *, seed: int) -> Estimate:
    made, true = zip(*pairs, strict=True)
    return estimate_ratio(made, true, seed=seed)


def _bones(
    pairs: Sequence[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]],
) -> npt.NDArray[np.float64]:
    """Give each bone's mean length ratio over the utterances."""
    ratios = np.stack([bone_length_ratios(made, true, UPPER_BODY_50.bones) for made, true in pairs])
    return np.asarray(ratios[:, ~np.isnan(ratios).any(axis=0)].mean(axis=0))
