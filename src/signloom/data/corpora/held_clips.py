"""Clips with glosses that lie in memory as poses, by split; films stay where they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from signloom.data.corpora.drawing import draw_clips
from signloom.data.corpora.rendered import SYNTHETIC_PICTURES, with_rendered_pictures
from signloom.data.corpora.words import SPLITS
from signloom.data.example import Example
from signloom.data.preparation import FPS
from signloom.data.prepared import PreparedCorpus
from signloom.errors import ConfigError
from signloom.poses.normalize import Standardiser, to_features
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import Unit, known_tokens, learn_vocabulary


class HeldClips:
    """A corpus of glosses; see `ClipCorpus`. The vocabulary is that of the training clips.

    Args:
        rows: Clips by split; those without glosses are left out.
        facts: `kind`, `language`, `spoken_language`, `name` and `licence` of the corpus.
        where: Where they come from, for messages.
        least: How often a gloss must occur in training not to be `<unk>`.
        max_frames: Longer clips are left out of training.
        rendered_px: Side of pictures that are drawn from the poses; 0 draws none.

    Raises:
        ConfigError: There is no training clip that fits.
    """

    unit: Unit = "glosses"
    fps = FPS

    def __init__(
        self,
        rows: Mapping[str, Iterable[Example]],
        facts: Mapping[str, str],
        *,
        where: Path,
        least: int = 1,
        max_frames: int = 1000,
        rendered_px: int = 0,
    ) -> None:
        self.kind, self.languages = facts["kind"], (facts["language"],)
        self.spoken_language = facts["spoken_language"]
        drawn = f"; {SYNTHETIC_PICTURES}" if rendered_px else ""
        self.source = f"{facts['name']}, licence: {facts['licence']}{drawn}"
        held = {split: [one for one in rows.get(split, ()) if one.glosses] for split in SPLITS}
        if not any(held.values()):
            raise ConfigError(
                f"{where} must say the glosses of its utterances, but says none. Add the column of "
                "glosses, or train another system."
            )
        held["train"] = [one for one in held["train"] if one.num_frames <= max_frames]
        if not held["train"]:
            raise ConfigError(
                f"{where} must have a training clip with glosses of at most {max_frames} frames, "
                "but has none. Set `corpus.max_frames`, or name another folder."
            )
        self.vocabulary: Vocabulary = learn_vocabulary(
            (row.glosses for row in held["train"]), least=least
        )
        self._rows = {
            split: [self._tokenised(row, rendered_px) for row in listed]
            for split, listed in held.items()
        }
        self.max_frames = max(row.num_frames for row in held["train"])

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

    def _tokenised(self, row: Example, rendered_px: int) -> Example:
        if rendered_px:
            row = with_rendered_pictures(row, rendered_px)
        return replace(row, tokens=known_tokens(row.glosses, self.vocabulary))


def prepared_clips(folder: Path, *, least: int, max_frames: int, rendered_px: int) -> HeldClips:
    """Open what `signloom data prepare` wrote; see `HeldClips` for what is chosen.

    Raises:
        FormatError: The folder holds no prepared corpus.
        ConfigError: It has no training clip with glosses that fits.
        MissingExtraError: pyarrow is not installed.
    """
    corpus = PreparedCorpus.open(folder)
    facts = {name: str(corpus.card[name]) for name in _FACTS}
    rows = {split: corpus.examples(split) for split in corpus.splits}
    return HeldClips(
        rows, facts, where=folder, least=least, max_frames=max_frames, rendered_px=rendered_px
    )


_FACTS = ("kind", "language", "spoken_language", "name", "licence")
