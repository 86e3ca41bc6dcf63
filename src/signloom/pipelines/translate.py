"""Signing in, text out: open packages, bring sources to what they read, search, describe.

Several packages are an ensemble, and posterior samples a Bayesian average: their logits are
averaged at every step. A translator reads what its packages were trained on, no more.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path

from signloom.errors import ConfigError, PackageError, TextError
from signloom.features.keypoints import KeypointEstimator
from signloom.pipelines.ensemble import open_ensemble
from signloom.pipelines.extraction import Camera
from signloom.pipelines.languages import choose_language
from signloom.pipelines.search_options import options_of
from signloom.pipelines.signing import SigningReader
from signloom.pipelines.translation import (
    Alternative,
    Translation,
    describe,
    join_hypotheses,
    without_edges,
)
from signloom.pipelines.translation_files import read_one
from signloom.pipelines.translation_input import Prepared, Source, prepare
from signloom.runtime.package import Package, load_package
from signloom.runtime.registry import DEFAULT_TRANSLATE_MODEL
from signloom.runtime.translate_settings import TranslateSettings
from signloom.search.tokens import Hypothesis, check_beam
from signloom.search.translation import SearchOptions, translate_sources
from signloom.tokens.alphabet import SPACE
from signloom.tokens.sentences import join_tokens
from signloom.tokens.targets import start_of
from signloom.tokens.vocabulary import Vocabulary

_logger = logging.getLogger(__name__)
MAX_LENGTH_PENALTY = 10.0
_NOTHING = Hypothesis(ids=(), score=0.0, log_probs=(-math.inf,), spreads=(0.0,), finished=True)
"""What is read where nobody is seen: nothing, and of that the model says nothing."""


@dataclass(frozen=True, kw_only=True)
class Search:
    """How translations are looked for.

    Attributes:
        beam: Hypotheses kept a step; None for what the package was tuned to, and at least `best`.
        length_penalty: Exponent of the length; None for what the package was tuned to.
        best: Texts given for each source, at most `beam`.

    Raises:
        ConfigError: A value is out of range.
    """

    beam: int | None = None
    length_penalty: float | None = None
    best: int = 1

    def __post_init__(self) -> None:
        beam = self.best if self.beam is None else self.beam
        check_beam(beam)
        if not 1 <= self.best <= beam:
            raise ConfigError(f"`best` must be 1 to the beam of {beam}, but is {self.best}.")
        penalty = self.length_penalty or 0.0
        if not 0 <= penalty <= MAX_LENGTH_PENALTY:
            raise ConfigError(
                f"`length_penalty` must be 0 to {MAX_LENGTH_PENALTY:g}, but is {penalty:g}."
            )


class Translator:
    """A translation model, ready to run.

    Args:
        model: Name or folder of a model package, or several for an ensemble; by default the one
            that reads fingerspelling.
        language: ISO 639-3 code of the sign language; by default the model's own, and of several
            American.
        samples: Posterior samples whose predictions are averaged; 0 takes the means.
        seed: Decides the samples.
        threads: Threads inside one operator.
        estimator: What finds the joints in films; MediaPipe Holistic by default.

    Attributes:
        packages: The model packages.
        settings: What the model is; of an ensemble what holds for all.
        language: The language that is read.
        reader: Reads files and films of signing for it.

    Raises:
        PackageError: A package is unknown, damaged or not one of the system `translate`.
        ConfigError: The packages do not belong together, the language is none of theirs, or they
            have nothing to draw samples of.
    """

    def __init__(
        self,
        model: str | Path | Sequence[str | Path] | None = None,
        *,
        language: str | None = None,
        samples: int = 0,
        seed: int = 0,
        threads: int = 1,
        estimator: KeypointEstimator | None = None,
    ) -> None:
        names = [model] if isinstance(model, str | Path) else list(model or ())
        self.packages = tuple(map(load_package, names or [DEFAULT_TRANSLATE_MODEL]))
        self.settings, self._stepper = open_ensemble(
            self.packages, samples=samples, seed=seed, threads=threads
        )
        languages = self.settings.languages
        self.language = choose_language(language, known=languages, model=self.settings.name)
        self.reader = SigningReader(fps=self.settings.fps, estimator=estimator)
        self._samples, self._seed = samples, seed
        first = self.packages[0]
        self._vocabulary = Vocabulary(first.vocabulary)
        self._glosses = Vocabulary(first.source_vocabulary) if first.source_vocabulary else None
        tag = start_of(self.language, languages)
        self._start, self._options = _targets(first, self._vocabulary, self.settings, tag)
        for package in self.packages:
            _logger.info("model %s, id %s, from %s", package.name, package.id[:12], package.path)

    def prepare(self, source: Source) -> Prepared:
        """Check a source and bring it to what the model reads, without translating it.

        Args:
            source: A pose; features [frames, features]; glosses, as a text or a list; a file of
                one of them, as a path; a video, a folder of its frames or a camera. A text is a
                path where the model does not read glosses.

        Raises:
            UserError: It does not hold, or the model reads something else.
        """
        if isinstance(source, str) and self.settings.source != "glosses":
            source = Path(source)
        if isinstance(source, Path | Camera):
            source = read_one(source, self.settings, reader=self.reader)
        return prepare(source, self.settings, self._glosses)

    def translate(self, source: Source | Prepared, *, search: Search | None = None) -> Translation:
        """Translate one source; see `prepare`.

        Raises:
            UserError: As `prepare`.
        """
        return self.translate_many([source], search=search)[0]

    def translate_many(
        self,
        sources: Sequence[Source | Prepared],
        *,
        search: Search | None = None,
        done: Callable[[int], None] | None = None,
    ) -> list[Translation]:
        """Translate several sources together, which is faster than one by one.

        Args:
            sources: Sources, or what `prepare` made of them.
            search: How to look for translations.
            done: Told how many more pieces are done.

        Raises:
            UserError: As `prepare`, for the first source that does not hold.
        """
        search, settings = search or Search(), self.settings
        beam = max(settings.beam, search.best) if search.beam is None else search.beam
        penalty = search.length_penalty
        options = replace(
            self._options,
            beam=beam,
            length_penalty=settings.length_penalty if penalty is None else penalty,
            best=search.best,
        )
        ready = [one if isinstance(one, Prepared) else self.prepare(one) for one in sources]
        pieces = [piece for one in ready for piece in one.pieces]
        starts = [self._start] * len(pieces)
        found = translate_sources(self._stepper, pieces, starts, options=options, done=done)
        edges = accumulate((len(one.pieces) for one in ready), initial=0)
        return [
            self._describe(one, found[first:last], options)
            for one, (first, last) in zip(ready, pairwise(edges), strict=True)
        ]

    def _describe(
        self, source: Prepared, found: list[list[Hypothesis]], options: SearchOptions
    ) -> Translation:
        best = found[0] if found else [_NOTHING]
        if len(found) > 1:
            [space] = self._vocabulary.encode([SPACE])
            words = [[without_edges(one, space) for one in piece] for piece in found]
            best = join_hypotheses(words, space=space)
        described = tuple(map(self._describe_one, best))
        return Translation(
            **vars(described[0]),
            best=described,
            kind=self.settings.kind,
            language=self.language,
            unknown=source.unknown,
            warnings=source.warnings,
            num_pieces=len(found),
            models=tuple(package.name for package in self.packages),
            model_ids=tuple(package.id for package in self.packages),
            beam=options.beam,
            length_penalty=options.length_penalty,
            samples=self._samples,
            seed=self._seed,
        )

    def _describe_one(self, found: Hypothesis) -> Alternative:
        tokens = self._vocabulary.decode(found.ids)
        return describe(found, tokens, text=join_tokens(tokens, self.settings.unit))


def _targets(
    package: Package, vocabulary: Vocabulary, settings: TranslateSettings, start: str
) -> tuple[int, SearchOptions]:
    """Give the id that begins a translation, and how it is looked for."""
    try:
        if settings.unit == "letters":
            vocabulary.encode([SPACE])
        options = options_of(
            vocabulary, languages=settings.languages, max_tokens=settings.max_tokens
        )
        return vocabulary.encode([start])[0], options
    except TextError as error:
        raise PackageError(f"The vocabulary of {package.path} is incomplete: {error}") from error
