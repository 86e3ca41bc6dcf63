"""Which files list a corpus: one for each split, or one for all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from signloom.data.corpora.words import SPLITS
from signloom.data.readers.splits import SPLIT_NAMES
from signloom.data.readers.tables import find_table


def find_lists(folder: Path, name: str, *, suffixes: Sequence[str]) -> list[tuple[Path, str]]:
    """Give the lists of a folder with the split of each; one of all has none.

    Args:
        folder: Where they are.
        name: The one list of all, or nothing: then those called by a split, or the only one.
        suffixes: Those of lists.

    Raises:
        FormatError: None is named or called by a split, and there is none or several.
    """
    found = {
        split: folder / f"{called}{suffix}"
        for suffix in reversed(suffixes)
        for called, split in reversed(SPLIT_NAMES.items())
        if not name and (folder / f"{called}{suffix}").is_file()
    }
    if found:
        return [(found[split], split) for split in SPLITS if split in found]
    return [(find_table(folder, name, suffixes=suffixes), "")]
