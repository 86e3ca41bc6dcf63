"""Translation packages as rows of a report: one package, or several that vote, and their search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from signloom.data.pair import Pair
from signloom.errors import ConfigError
from signloom.pipelines.ensemble import open_ensemble
from signloom.pipelines.search_options import options_of
from signloom.pipelines.translate import Search
from signloom.runtime.package import Package
from signloom.runtime.translate_settings import TranslateSettings
from signloom.search.tokens import Hypothesis, TokenStepper
from signloom.search.translation import SearchOptions, translate_sources
from signloom.tokens.sentences import join_tokens
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import known_tokens


@dataclass(frozen=True, eq=False)
class Translations:
    """What a row made of a list of pairs.

    Attributes:
        hypotheses: The best one of each source.
        tokens: Its tokens.
        texts: The same as people read it.
        seconds: What all of them took, the loading of the package apart.
    """

    hypotheses: tuple[Hypothesis, ...]
    tokens: tuple[tuple[str, ...], ...]
    texts: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, kw_only=True, eq=False)
class TranslatorRow:
    """One translator of a report.

    Attributes:
        packages: One package, or the members of an ensemble.
        samples: Posterior samples of each package; 0 takes means and likeliest winners.
        beam: Hypotheses kept a step; left out, what the first package says.
        length_penalty: Exponent of the length penalty; likewise.
        seed: Decides the samples.

    Raises:
        ConfigError: There is no package, or a number is out of range.
    """

    packages: tuple[Package, ...]
    samples: int = 0
    beam: int | None = None
    length_penalty: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.packages:
            raise ConfigError("A translator must have at least 1 package, but has none.")
        if self.seed < 0:
            raise ConfigError(f"`seed` must be at least 0, but is {self.seed}.")
        Search(beam=self.beam, length_penalty=self.length_penalty)  # refuses what is out of range

    @property
    def settings(self) -> TranslateSettings:
        """What the packages read and write.

        Raises:
            PackageError: A package is no translator, or is damaged.
            ConfigError: Members do not read or write alike, or there is nothing to draw samples of.
        """
        return self._opened[0]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What is written."""
        return Vocabulary(self.packages[0].vocabulary)

    @property
    def width(self) -> int:
        """Hypotheses kept a step."""
        return self.settings.beam if self.beam is None else self.beam

    @property
    def exponent(self) -> float:
        """Exponent of the length penalty."""
        return self.settings.length_penalty if self.length_penalty is None else self.length_penalty

    def translate(
        self,
        pairs: Sequence[Pair],
        *,
        beam: int | None = None,
        length_penalty: float | None = None,
        done: Callable[[int], None] | None = None,
    ) -> Translations:
        """Translate the sources of pairs, none of which may be empty.

        Args:
            pairs: Their targets are not looked at.
            beam: Hypotheses kept a step, where it shall not be the row's own.
            length_penalty: Exponent of the length penalty, likewise.
            done: Told how many sentences each batch has finished.

        Raises:
            ConfigError: A source is not what the translator reads.
            PackageError: A graph fails.
        """
        sources = [self._numbers(pair) for pair in pairs]
        starts = self.vocabulary.encode([pair.start for pair in pairs])
        stepper, options = self._opened[1], self._options
        if beam is not None:
            options = replace(options, beam=beam)
        if length_penalty is not None:
            options = replace(options, length_penalty=length_penalty)
        begun = perf_counter()
        found = translate_sources(stepper, sources, starts, options=options, done=done)
        seconds = perf_counter() - begun
        best = tuple(hypotheses[0] for hypotheses in found)
        tokens = tuple(self.vocabulary.decode(one.ids) for one in best)
        texts = tuple(join_tokens(one, self.settings.unit) for one in tokens)
        return Translations(best, tokens, texts, seconds)

    @cached_property
    def _opened(self) -> tuple[TranslateSettings, TokenStepper[Any]]:
        return open_ensemble(self.packages, samples=self.samples, seed=self.seed)

    @property
    def _options(self) -> SearchOptions:
        settings = self.settings
        options = options_of(
            self.vocabulary, languages=settings.languages, max_tokens=settings.max_tokens
        )
        return replace(options, beam=self.width, length_penalty=self.exponent)

    @cached_property
    def _source_vocabulary(self) -> Vocabulary:
        return Vocabulary(self.packages[0].source_vocabulary)

    def _numbers(self, pair: Pair) -> npt.NDArray[np.int64] | npt.NDArray[np.float32]:
        source, width = pair.source, self.settings.num_features
        if isinstance(source, tuple):
            if width:
                raise ConfigError(
                    f"{pair.name} must be features to be read by {self.settings.name}, but is text."
                )
            known = known_tokens(source, self._source_vocabulary)
            return np.array(self._source_vocabulary.encode(known), dtype=np.int64)
        if source.shape[1] != width:
            read = f"{width} features a frame" if width else "glosses"
            raise ConfigError(
                f"{pair.name} must be {read} to be read by {self.settings.name}, "
                f"but is {source.shape[1]} features a frame."
            )
        return source
