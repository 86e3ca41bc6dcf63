"""What a translator is given, brought to what its model reads: arrays of at most its length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.errors import ConfigError, FormatError, TextError
from signloom.features.frames import as_features
from signloom.pipelines.extraction import Camera, Extraction
from signloom.pipelines.pose_input import as_extraction, bring, nobody_seen, refuse_long
from signloom.poses.normalize import NUM_FEATURES, to_features
from signloom.poses.pauses import cut_words
from signloom.poses.pose import Pose
from signloom.runtime.translate_settings import TranslateSettings
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import known_tokens, split_glosses

Source = Pose | Extraction | Camera | NDArray[Any] | str | Sequence[str] | Path
"""A pose, what was seen in a film, features [frames, features], glosses, a file of one of them, a
folder of pictures or a camera."""
Piece = NDArray[np.int64] | NDArray[np.float32]

READS = {"poses": "poses", "features": "features of frames", "glosses": "glosses"}


@dataclass(frozen=True, eq=False)
class Prepared:
    """A source, ready to be translated.

    Attributes:
        pieces: Ids [tokens] or features [frames, features], one after another in time; none where
            nobody is seen.
        unknown: Glosses that the model does not know, each once.
        warnings: What is wrong with a film, each a sentence.
    """

    pieces: tuple[Piece, ...]
    unknown: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def prepare(
    source: Source, settings: TranslateSettings, source_vocabulary: Vocabulary | None
) -> Prepared:
    """Check a source that is no file and bring it to what a model reads.

    Args:
        source: A pose, features or glosses.
        settings: What the model is.
        source_vocabulary: Glosses of a model that reads them.

    Raises:
        ConfigError: The model reads something else.
        FormatError: The pose or the features do not hold, or are too long.
        TextError: There is no gloss, too many, or none that the model knows.
    """
    if isinstance(source, Pose | Extraction):
        refuse_other_source(settings, "poses", what="a pose")
        return _prepare_pose(as_extraction(source), settings)
    if isinstance(source, np.ndarray):
        refuse_other_source(settings, "features", what="an array")
        return _prepare_features(source, settings)
    refuse_other_source(settings, "glosses", what="text")
    if source_vocabulary is None:
        raise ConfigError(f"{settings.name} must have a vocabulary of glosses, but has none.")
    return _prepare_glosses(source, settings, source_vocabulary)


def refuse_other_source(settings: TranslateSettings, given: str, *, what: str) -> None:
    """Refuse what a model does not read.

    Args:
        settings: What the model is.
        given: What it is given: `poses`, `features` or `glosses`.
        what: What messages call it.

    Raises:
        ConfigError: It reads something else.
    """
    if settings.source != given:
        raise ConfigError(
            f"{settings.name} reads {READS[settings.source]}, but {what} holds {READS[given]}. "
            "Give what it reads, or choose another model."
        )


def _prepare_pose(seen: Extraction, settings: TranslateSettings) -> Prepared:
    if settings.num_features != NUM_FEATURES:
        raise ConfigError(
            f"{settings.name} must read {NUM_FEATURES} numbers of each pose, but reads "
            f"{settings.num_features}."
        )
    if seen.is_empty:
        return Prepared((), warnings=nobody_seen(seen))
    is_spelled = settings.unit == "letters"
    frames = bring(seen.pose, fps=settings.fps, is_spelled=is_spelled, model=settings.name).frames
    # What is spelled reads best word by word; a sentence may well rest in its middle.
    pieces = cut_words(frames, fps=settings.fps) if is_spelled else [frames]
    for piece in pieces:
        _refuse_long(len(piece), settings, cut=len(pieces) > 1)
    return Prepared(tuple(map(to_features, pieces)), warnings=seen.warnings)


def _prepare_features(values: NDArray[Any], settings: TranslateSettings) -> Prepared:
    if values.ndim == 2 and len(values) == 0:
        raise FormatError("There must be at least one frame to translate, but there is none.")
    if values.ndim == 2 and values.shape[1] != settings.num_features:
        raise FormatError(
            f"{settings.name} reads {settings.num_features} features a frame, but there are "
            f"{values.shape[1]}. Extract them as they were for its training."
        )
    if values.ndim == 2:
        _refuse_long(len(values), settings)
    return Prepared((as_features(values, "The features", max_frames=settings.max_source),))


def _prepare_glosses(
    source: str | Sequence[str] | Path | Camera, settings: TranslateSettings, vocabulary: Vocabulary
) -> Prepared:
    if isinstance(source, Path | Camera) or not all(isinstance(one, str) for one in source):
        raise TextError(f"Glosses must be a text or a list of texts, but are {source!r:.60}.")
    glosses = split_glosses(source if isinstance(source, str) else " ".join(source))
    if not glosses:
        raise TextError("There must be at least one gloss to translate, but there is none.")
    if len(glosses) > settings.max_source:
        raise TextError(
            f"{settings.name} reads at most {settings.max_source} glosses at once, but there are "
            f"{len(glosses)}. Give a sentence at a time."
        )
    unknown = tuple(dict.fromkeys(one for one in glosses if one not in vocabulary))
    if len(unknown) == len(set(glosses)):
        raise TextError(
            f"{settings.name} must know at least one of the glosses, but knows none: "
            f"{' '.join(unknown)[:60]!r}. Write them as its training data does."
        )
    ids = vocabulary.encode(known_tokens(glosses, vocabulary))
    return Prepared((np.array(ids, dtype=np.int64),), unknown)


def _refuse_long(count: int, settings: TranslateSettings, *, cut: bool = False) -> None:
    rate = f" at {settings.fps:g} fps" if settings.source == "poses" else ""
    refuse_long(count, settings.max_source, model=settings.name, rate=rate, cut=cut)
