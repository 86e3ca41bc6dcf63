"""The `corpus` section of a translation recipe, and the corpus it opens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from signloom.data.corpora.pair_corpus import PairCorpus
from signloom.data.corpora.parallel_text import ParallelText
from signloom.data.corpora.spelled import SpelledPoses
from signloom.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class PairCorpusConfig:
    """What is translated: text pairs, or the poses of fingerspelling built on the fly."""

    kind: Literal["text", "fingerspelling"] = "text"
    """Parallel text files, or fingerspelling."""
    source: str = ""
    """Files of glosses, with `{split}` for train, dev and test."""
    target: str = ""
    """Files of sentences, likewise."""
    languages: tuple[str, ...] = ()
    """ISO 639-3 codes of the sign languages; of text one."""
    spoken_language: str = "de"
    """ISO 639-1 code of the sentences."""
    least: int = field(default=1, metadata={"least": 1, "most": 1000000})
    """How often a token must occur in training not to be `<unk>`."""
    max_tokens: int = field(default=100, metadata={"least": 1, "most": 10000})
    """Longer sentences are left out of training."""

    def open(self) -> PairCorpus:
        """Read it; see `ParallelText` and `SpelledPoses`.

        Raises:
            ConfigError: A language or a path is missing.
        """
        if not self.languages:
            raise ConfigError("`corpus.languages` must name a sign language, but is empty.")
        if self.kind == "fingerspelling":
            return SpelledPoses(self.languages)
        if len(self.languages) > 1:
            raise ConfigError(
                f"`corpus.languages` of text must be one, but are {list(self.languages)}."
            )
        return ParallelText(
            self.source,
            self.target,
            language=self.languages[0],
            spoken_language=self.spoken_language,
            least=self.least,
            max_tokens=self.max_tokens,
        )
