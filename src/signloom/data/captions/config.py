"""The `corpus` section of a captioning recipe, and the corpus it opens."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from pathlib import Path

from signloom.data.captions.corpus import CaptionCorpus
from signloom.data.captions.readers.registry import open_captions
from signloom.data.captions.taught import read_taught
from signloom.data.readers.reading import refuse_faults
from signloom.errors import ConfigError
from signloom.features.regions import RegionFolder
from signloom.features.store import FeatureStore, PictureFeatures

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class CaptionCorpusConfig:
    """Which pictures are captioned, and what the model sees of them."""

    reader: str = "flickr8k"
    """A reader of captions, see `signloom data readers`."""
    path: str = ""
    """Folder of the data."""
    options: tuple[str, ...] = ()
    """Options of the reader, `name=value` each."""
    features: str = ""
    """Folder that `signloom data features` wrote, or one of bottom-up features."""
    spoken_language: str = "en"
    """ISO 639-1 code of the captions."""
    least: int = field(default=5, metadata={"least": 1, "most": 1000000})
    """How often a word must occur in training not to be `<unk>`."""
    max_words: int = field(default=20, metadata={"least": 1, "most": 1000})
    """Longer captions are cut in training."""
    taught: str = ""
    """File that `signloom distill` wrote: a teacher's captions in place of people's."""
    join: bool = False
    """Whether a teacher's captions join people's instead of replacing them."""

    def open(self) -> CaptionCorpus:
        """Read it; see `CaptionCorpus`.

        Raises:
            ConfigError: A path is missing, or no training picture has features.
            FormatError: The data does not hold.
        """
        for name in ("path", "features"):
            folder = getattr(self, name)
            if not (folder and Path(folder).is_dir()):
                raise ConfigError(
                    f"`corpus.{name}` must be the path of a folder, but {folder!r} is none."
                )
        reading = open_captions(self.reader, Path(self.path), self.options)
        if not reading.entries:
            refuse_faults(reading, Path(self.path))
        if reading.faults:
            _log.warning(
                f"{len(reading.faults)} faults of {self.path} are left out, the first: "
                f"{reading.faults[0]}. `signloom data validate` lists them."
            )
        return CaptionCorpus(
            reading.splits(),
            _features(Path(self.features)),
            least=self.least,
            max_words=self.max_words,
            spoken_language=self.spoken_language,
            about=reading.about,
            taught=read_taught(Path(self.taught)) if self.taught else None,
            join=self.join,
        )


def _features(folder: Path) -> PictureFeatures:
    """Open a cache of an image network's features, or a folder of bottom-up ones."""
    return FeatureStore(folder) if (folder / "index.json").is_file() else RegionFolder(folder)
