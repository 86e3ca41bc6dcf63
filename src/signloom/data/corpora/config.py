"""The `corpus` section of a recipe, and the corpus it opens."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from signloom.data.corpora.corpus import Corpus
from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.corpora.recorded import Recorded
from signloom.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class CorpusConfig:
    """What is learned from: fingerspelling built on the fly, or a prepared folder of recordings."""

    language: str = "ase"
    """ISO 639-3 code of the sign language whose letters are spelled; a folder says its own."""
    lexicon: str | None = None
    """Folder of a lexicon in the format of `spoken-to-signed`; by default its own letters."""
    path: str | None = None
    """Folder that `signloom data prepare` wrote; without one, fingerspelling is built."""
    unit: Literal["words", "glosses"] = "words"
    """What the tokens of recordings are."""
    least: int = field(default=1, metadata={"least": 1, "most": 1000000})
    """How often a token of recordings must occur in training not to be `<unk>`."""
    max_frames: int = field(default=300, metadata={"least": 8, "most": 10000})
    """Longer recordings are left out."""

    def open(self) -> Corpus:
        """Read the clips or the recordings; see `Fingerspelling` and `Recorded`.

        Raises:
            ConfigError: A folder is not there, or both are given.
        """
        for name, folder in (("lexicon", self.lexicon), ("path", self.path)):
            if folder is not None and not (folder and Path(folder).is_dir()):
                raise ConfigError(
                    f"`corpus.{name}` must be the path of a folder, but is {folder!r}."
                )
        if self.path is None:
            return Fingerspelling(self.language, Path(self.lexicon) if self.lexicon else None)
        if self.lexicon is not None:
            raise ConfigError("`corpus.path` and `corpus.lexicon` must not both be given.")
        return Recorded(
            Path(self.path), unit=self.unit, least=self.least, max_frames=self.max_frames
        )
