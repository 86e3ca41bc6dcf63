"""The `corpus` section of a recognition recipe, and the corpus it opens."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from signloom.data.corpora.clip_corpus import ClipCorpus
from signloom.data.corpora.held_clips import prepared_clips
from signloom.data.corpora.listed import NUM_FOLDS, ListedClips
from signloom.data.corpora.spelled_phrases import SpelledPhrases
from signloom.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class ClipCorpusConfig:
    """What is recognised: a folder that a reader lists, one that is prepared, or fingerspelling."""

    reader: str | None = None
    """A reader of `signloom data readers`; without one, the folder must be prepared."""
    path: str = ""
    """Folder of the data; without one, fingerspelling is built."""
    options: tuple[str, ...] = ()
    """Options of the reader, `name=value` each."""
    languages: tuple[str, ...] = ("ase",)
    """ISO 639-3 codes of the sign languages that are spelled; a reader says its own."""
    fold: int | None = field(default=None, metadata={"least": 0, "most": NUM_FOLDS - 1})
    """Which of five folds is tested and not learned; without one, the corpus's own splits."""
    least: int = field(default=1, metadata={"least": 1, "most": 1000000})
    """How often a gloss must occur in training not to be `<unk>`."""
    max_frames: int = field(default=1000, metadata={"least": 8, "most": 10000})
    """Longer clips are left out of training."""
    rendered_px: int = field(default=0, metadata={"least": 0, "most": 512})
    """Side of synthetic pictures that are drawn from the poses; 0 = none."""

    def open(self) -> ClipCorpus:
        """Read or build it; see `ListedClips`, `prepared_clips` and `SpelledPhrases`.

        Raises:
            ConfigError: The folder is not there, or there are no languages.
            FormatError: The data does not hold.
        """
        if self.reader is None and not self.path:
            if not self.languages:
                raise ConfigError("`corpus.languages` must name a sign language, but is empty.")
            return SpelledPhrases(self.languages)
        if not (self.path and Path(self.path).is_dir()):
            raise ConfigError(f"`corpus.path` must be the path of a folder, but is {self.path!r}.")
        if self.reader is not None:
            return ListedClips(
                self.reader,
                Path(self.path),
                self.options,
                fold=self.fold,
                least=self.least,
                max_frames=self.max_frames,
                rendered_px=self.rendered_px,
            )
        if self.options or self.fold is not None:
            raise ConfigError(
                "`corpus.options` and `corpus.fold` must go with a `corpus.reader`, but there is "
                "none."
            )
        return prepared_clips(
            Path(self.path),
            least=self.least,
            max_frames=self.max_frames,
            rendered_px=self.rendered_px,
        )
