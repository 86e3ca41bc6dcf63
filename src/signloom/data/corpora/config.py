"""The `corpus` section of a recipe, and the corpus it opens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class CorpusConfig:
    """What is learned from."""

    language: str = "ase"
    """ISO 639-3 code of the sign language whose letters are spelled."""
    lexicon: str | None = None
    """Folder of a lexicon in the format of `spoken-to-signed`; by default its own letters."""

    def open(self) -> Fingerspelling:
        """Read the clips; see `Fingerspelling` for what else it raises.

        Raises:
            ConfigError: The lexicon is no folder.
        """
        if self.lexicon is not None and not (self.lexicon and Path(self.lexicon).is_dir()):
            raise ConfigError(
                f"`corpus.lexicon` must be the path of a folder, but is {self.lexicon!r}."
            )
        return Fingerspelling(self.language, Path(self.lexicon) if self.lexicon else None)
