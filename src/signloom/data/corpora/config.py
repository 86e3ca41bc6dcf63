"""The `corpus` section of a recipe, and the corpus it opens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from signloom.data.corpora.fingerspelling import Fingerspelling


@dataclass(frozen=True, kw_only=True)
class CorpusConfig:
    """What is learned from."""

    language: str = "ase"
    """ISO 639-3 code of the sign language whose letters are spelled."""
    lexicon: str | None = None
    """Folder of a lexicon in the format of `spoken-to-signed`; by default its own letters."""

    def open(self) -> Fingerspelling:
        """Read the clips; see `Fingerspelling` for what it raises."""
        return Fingerspelling(self.language, Path(self.lexicon) if self.lexicon else None)
