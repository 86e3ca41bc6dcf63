"""Any corpus that a reader lists, as clips to recognise: small enough to lie in memory as poses.

Nothing is prepared before: poses are read, filled and resampled as `signloom data prepare` does,
but keep what was seen, and films stay where they are. Beside the corpus's own splits it can be
dealt into folds in which no gloss string is both learned and tested.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from signloom.data.corpora.drawing import draw_clips
from signloom.data.corpora.folds import fold_numbers
from signloom.data.corpora.rendered import SYNTHETIC_PICTURES, with_rendered_pictures
from signloom.data.example import Example
from signloom.data.preparation import FPS, to_example
from signloom.data.readers.registry import open_reading
from signloom.errors import ConfigError
from signloom.poses.normalize import Standardiser, to_features
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import Unit, known_tokens, learn_vocabulary

NUM_FOLDS = 5
_log = logging.getLogger(__name__)


class ListedClips:
    """A corpus of glosses, read directly.

    Args:
        reader: Name of its reader.
        folder: Where the data is.
        options: Options of the reader, `name=value` each.
        fold: Which of five folds is tested and left out of training; None keeps the corpus's
            own splits.
        least: How often a gloss must occur in training not to be `<unk>`.
        max_frames: Longer clips are left out of training.
        rendered_px: Side of pictures that are drawn from the poses; 0 draws none.

    Raises:
        ConfigError: The reader is unknown, or nothing can be learned from.
        FormatError: The data does not hold.
    """

    unit: Unit = "glosses"
    fps = FPS

    def __init__(
        self,
        reader: str,
        folder: Path,
        options: Sequence[str] = (),
        *,
        fold: int | None = None,
        least: int = 1,
        max_frames: int = 1000,
        rendered_px: int = 0,
    ) -> None:
        reading, _ = open_reading(reader, folder, options)
        about = reading.about
        if reading.faults:
            _log.warning("%d faults; the first: %s", len(reading.faults), reading.faults[0])
        self.kind, self.languages = about.kind, (about.language,)
        self.spoken_language = about.spoken_language
        drawn = f"; {SYNTHETIC_PICTURES}" if rendered_px else ""
        self.source = f"{about.name}, licence: {about.licence}{drawn}"
        entries = [one for one in reading.entries if one.glosses]
        if fold is not None:
            numbers = fold_numbers([" ".join(one.glosses) for one in entries], NUM_FOLDS)
            entries = [
                replace(one, split="test" if number == fold else "train")
                for one, number in zip(entries, numbers, strict=True)
            ]
        rows: dict[str, list[Example]] = {"train": [], "dev": [], "test": []}
        for entry in entries:
            example = to_example(entry)
            if rendered_px:
                example = with_rendered_pictures(example, rendered_px)
            rows[entry.split].append(replace(example, tokens=entry.glosses))
        rows["train"] = [one for one in rows["train"] if one.num_frames <= max_frames]
        if not rows["train"]:
            raise ConfigError(
                f"{folder} must have a training clip with glosses of at most {max_frames} frames, "
                "but has none."
            )
        self.vocabulary: Vocabulary = learn_vocabulary(
            (row.tokens for row in rows["train"]), least=least
        )
        self._rows = {
            split: [
                replace(row, tokens=known_tokens(row.tokens, self.vocabulary)) for row in listed
            ]
            for split, listed in rows.items()
        }
        self.max_frames = max(row.num_frames for row in rows["train"])

    @cached_property
    def standardiser(self) -> Standardiser:
        """Mean and spread of the features over the training clips."""
        return Standardiser.fit(
            np.concatenate([to_features(row.frames) for row in self._rows["train"]])
        )

    def examples(self, split: str) -> Sequence[Example]:
        """List the clips of a split."""
        return self._rows[split]

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Example]:
        """Draw a batch; see `ClipCorpus`. Without a validation split, training clips serve."""
        rows = self._rows[split] or self._rows["train"]
        return draw_clips(rows, rng, train=split == "train", size=size, pool=pool)
