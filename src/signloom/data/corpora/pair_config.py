"""The `corpus` section of a translation recipe, and the corpus it opens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from signloom.data.corpora.feature_files import FeatureFiles
from signloom.data.corpora.pair_corpus import PairCorpus
from signloom.data.corpora.parallel_text import ParallelText
from signloom.data.corpora.spelled import SpelledPoses
from signloom.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class PairCorpusConfig:
    """What is translated: glosses, features, or the poses of fingerspelling built on the fly."""

    kind: Literal["text", "features", "fingerspelling"] = "text"
    """Parallel text files, files of features with sentences, or fingerspelling."""
    source: str = ""
    """Files of glosses or features, with `{split}` for train, dev and test."""
    target: str = ""
    """Files of sentences, likewise; files of features have them."""
    languages: tuple[str, ...] = ()
    """ISO 639-3 codes of the sign languages; of text and features one."""
    spoken_language: str = "de"
    """ISO 639-1 code of the sentences."""
    least: int = field(default=1, metadata={"least": 1, "most": 1000000})
    """How often a token must occur in training not to be `<unk>`."""
    max_tokens: int = field(default=100, metadata={"least": 1, "most": 10000})
    """Longer sentences are left out of training."""
    max_frames: int = field(default=1000, metadata={"least": 1, "most": 50000})
    """Longer sequences of features are left out of training."""

    def open(self) -> PairCorpus:
        """Read it; see `ParallelText`, `FeatureFiles` and `SpelledPoses`.

        Raises:
            ConfigError: A language or a path is missing, or there is one too many.
        """
        if not self.languages:
            raise ConfigError("`corpus.languages` must name a sign language, but is empty.")
        if self.kind == "fingerspelling":
            return SpelledPoses(self.languages)
        if len(self.languages) > 1:
            raise ConfigError(
                f"`corpus.languages` of {self.kind} must be one, but are {list(self.languages)}."
            )
        if self.kind == "features":
            return self._open_features()
        return ParallelText(
            self.source,
            self.target,
            language=self.languages[0],
            spoken_language=self.spoken_language,
            least=self.least,
            max_tokens=self.max_tokens,
        )

    def _open_features(self) -> FeatureFiles:
        if self.target:
            raise ConfigError(
                "`corpus.target` must be left out for features, whose files have their sentences, "
                f"but is {self.target!r}."
            )
        return FeatureFiles(
            self.source,
            language=self.languages[0],
            spoken_language=self.spoken_language,
            least=self.least,
            max_tokens=self.max_tokens,
            max_frames=self.max_frames,
        )
