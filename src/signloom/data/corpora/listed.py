"""Any corpus that a reader lists, as clips to recognise: read directly, nothing is prepared before.

Poses are read, filled and resampled as `signloom data prepare` does, but keep what was seen and
when, and films stay where they are. Beside the corpus's own splits it can be dealt into folds in
which no gloss string is both learned and tested.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from signloom.data.corpora.folds import fold_numbers
from signloom.data.corpora.held_clips import HeldClips
from signloom.data.example import Example
from signloom.data.preparation import to_example
from signloom.data.readers.reading import refuse_faults
from signloom.data.readers.registry import open_reading

NUM_FOLDS = 5


class ListedClips(HeldClips):
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
        refuse_faults(reading, folder)
        entries = [one for one in reading.entries if one.glosses]
        if fold is not None:
            numbers = fold_numbers([" ".join(one.glosses) for one in entries], NUM_FOLDS)
            entries = [
                replace(one, split="test" if number == fold else "train")
                for one, number in zip(entries, numbers, strict=True)
            ]
        rows: dict[str, list[Example]] = defaultdict(list)
        for entry in entries:
            rows[entry.split].append(to_example(entry))
        super().__init__(
            rows,
            asdict(reading.about),
            where=folder,
            least=least,
            max_frames=max_frames,
            rendered_px=rendered_px,
        )
