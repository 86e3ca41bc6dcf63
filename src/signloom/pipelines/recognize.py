"""Signing in, glosses or letters out: open a package, bring recordings to it, search, describe."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from signloom.errors import ConfigError
from signloom.features.keypoints import KeypointEstimator
from signloom.pipelines.extraction import Camera
from signloom.pipelines.languages import DEFAULT_OF_SEVERAL, choose_language, letters_of
from signloom.pipelines.recognition import Reading, Recognition, describe
from signloom.pipelines.recognition_input import Prepared, Source, prepare
from signloom.pipelines.recognition_steps import Steps, join_steps
from signloom.pipelines.signing import SigningReader
from signloom.runtime.package import load_package
from signloom.runtime.recognize_settings import (
    MAX_WEIGHT,
    language_model_of,
)
from signloom.runtime.recognizer import RecognizerSession
from signloom.runtime.registry import (
    DEFAULT_RECOGNIZE_MODEL,
    fingerspelling_package,
    known_packages,
)
from signloom.search.ctc import BLANK
from signloom.search.ctc_beam import Fusion, Labelling
from signloom.search.ctc_reading import CtcOptions, read_rows
from signloom.search.slots import Floats
from signloom.search.tokens import MAX_BEAM, check_beam
from signloom.tokens.alphabet import SPACE
from signloom.tokens.vocabulary import Vocabulary

_logger = logging.getLogger(__name__)
READINGS_SHARE = 4
"""Beginnings that are kept for each reading wanted: many differ only in pauses."""


class Recognizer:
    """A recognition model, ready to run.

    Args:
        model: Name or folder of a model package; by default the one that reads fingerspelling.
        language: ISO 639-3 code of the sign language; by default the model's own, and of several
            American.
        beam: Beginnings kept a step, 1 to 64; 1 takes the best path. By default what the package
            was tuned to.
        language_model_weight: What the language model of the package counts, 0 to 10; by default
            what it was tuned to.
        threads: Threads inside one operator.
        estimator: What finds the joints in films; MediaPipe Holistic by default.

    Attributes:
        package: The model package.
        settings: What the model is.
        language: The language that is read.
        reader: Reads files and films of signing for it.

    Raises:
        PackageError: The package is unknown, damaged or not one of the system `recognize`.
        ConfigError: The language is none of the model's, or an option does not hold.
    """

    def __init__(
        self,
        model: str | Path | None = None,
        *,
        language: str | None = None,
        beam: int | None = None,
        language_model_weight: float | None = None,
        threads: int = 1,
        estimator: KeypointEstimator | None = None,
    ) -> None:
        self.package = package = load_package(recognizer_name(model, language))
        self._session = RecognizerSession(package, threads=threads)
        self.settings = settings = self._session.settings
        known = settings.languages
        self.language = choose_language(language, known=known, model=settings.name)
        self._vocabulary = Vocabulary(package.vocabulary)
        # A model of one language knows no other letters, and glosses are no letters.
        is_mixed = settings.unit == "letters" and len(known) > 1
        self._allowed = letters_of(self.language, self._vocabulary) if is_mixed else None
        self._beam = beam
        self._fusion = self._fused(language_model_weight)
        side_px = settings.resized_px or settings.picture_px
        self.reader = SigningReader(
            fps=settings.fps,
            needs_joints="poses" in settings.inputs,
            picture_px=side_px,
            estimator=estimator,
        )
        self._options(best=1)
        _logger.info("model %s, id %s, from %s", package.name, package.id[:12], package.path)

    def prepare(self, source: Source) -> Prepared:
        """Check a recording and bring it to what the model reads, without recognising it.

        Args:
            source: A pose, a file of one, a video, a folder of its frames, or a camera.

        Raises:
            UserError: It does not hold, or the model reads something else.
        """
        if isinstance(source, Path | Camera | str):
            place = Path(source) if isinstance(source, str) else source
            source = self.reader.read_one(place)
        return prepare(source, self.settings)

    def recognize(self, source: Source | Prepared, *, best: int = 1) -> Recognition:
        """Recognise one recording; see `recognize_many`.

        Raises:
            UserError: As `prepare`, or `best` does not hold.
        """
        return self.recognize_many([source], best=best)[0]

    def recognize_many(
        self,
        sources: Sequence[Source | Prepared],
        *,
        best: int = 1,
        done: Callable[[int], None] | None = None,
    ) -> list[Recognition]:
        """Recognise several recordings together, which is faster than one by one.

        Args:
            sources: Recordings, or what `prepare` made of them.
            best: Readings wanted of each, at most the beam; fewer are given where there are no
                more that differ.
            done: Told how many more pieces are done.

        Raises:
            UserError: As `prepare`, for the first that does not hold, or `best` does not.
        """
        options = self._options(best=best)
        ready = [one if isinstance(one, Prepared) else self.prepare(one) for one in sources]
        clips = [piece.clip for one in ready for piece in one.pieces]
        place = self.settings.languages.index(self.language)
        rows = iter(self._session.read(clips, language=place, done=done))
        steps = [self._joined(one, rows) for one in ready]
        found = read_rows([one.log_probs for one in steps], options)
        return [
            self._describe(source, self._readings(labellings, seen, best), options)
            for source, labellings, seen in zip(ready, found, steps, strict=True)
        ]

    def _readings(self, found: Sequence[Labelling], steps: Steps, best: int) -> list[Reading]:
        """Describe the best labellings; those that differ only in pauses at the edges are one."""
        unit, fps = self.settings.unit, self.settings.fps
        readings: dict[tuple[str, ...], Reading] = {}
        for one in found:
            reading = describe(one, steps, self._vocabulary, unit=unit, fps=fps)
            readings.setdefault(reading.tokens, reading)
            if len(readings) == best:
                break
        return list(readings.values())

    def _joined(self, source: Prepared, rows: Iterator[Floats]) -> Steps:
        """Take the rows of a source's pieces."""
        if not source.pieces:
            nothing = np.zeros(0, dtype=np.int64)
            return Steps(np.zeros((0, len(self._vocabulary)), np.float32), nothing, nothing)
        is_spelled = self.settings.unit == "letters" and SPACE in self._vocabulary
        return join_steps(
            [next(rows) for _ in source.pieces],
            [piece.start for piece in source.pieces],
            [piece.clip.num_frames for piece in source.pieces],
            stride=self.settings.stride,
            pause=self._vocabulary.encode([SPACE])[0] if is_spelled else BLANK,
        )

    def _describe(
        self, source: Prepared, found: Sequence[Reading], options: CtcOptions
    ) -> Recognition:
        best, fusion = found[0], options.fusion
        return Recognition(
            **vars(best),
            best=tuple(found),
            kind=self.settings.kind,
            unit=self.settings.unit,
            language=self.language,
            duration_s=source.duration_s,
            num_pieces=len(source.pieces),
            warnings=(*source.warnings, *self._remarks(source, best)),
            model=self.package.name,
            model_id=self.package.id,
            beam=options.beam,
            language_model_weight=fusion.weight if fusion is not None and fusion.model else 0.0,
        )

    def _remarks(self, source: Prepared, best: Reading) -> Iterator[str]:
        """Say why nothing was read."""
        if best.text or not source.pieces:
            return
        count = sum(piece.clip.num_frames for piece in source.pieces)
        if count <= self.settings.stride:
            yield f"The recording is too short to be read: {count} frames."
        else:
            yield f"Nothing is read: the model sees no {self.settings.unit} in it."

    def _options(self, *, best: int) -> CtcOptions:
        """Say how to search.

        Raises:
            ConfigError: The beam or `best` does not hold.
        """
        beam = self._beam
        if beam is None:
            wide = 1 if best == 1 else min(MAX_BEAM, READINGS_SHARE * best)
            beam = max(self.settings.beam, wide, best)
        check_beam(beam)
        if not 1 <= best <= beam:
            raise ConfigError(f"`best` must be 1 to the beam of {beam}, but is {best}.")
        fusion = self._fusion if beam > 1 else None
        return CtcOptions(
            beam=beam, best=beam if best > 1 else 1, fusion=fusion, allowed=self._allowed
        )

    def _fused(self, weight: float | None) -> Fusion:
        model, settings = language_model_of(self.package), self.settings
        if weight is not None and not 0 <= weight <= MAX_WEIGHT:
            raise ConfigError(
                f"`language_model_weight` must be 0 to {MAX_WEIGHT:g}, but is {weight:g}."
            )
        beam = settings.beam if self._beam is None else self._beam
        if weight and (model is None or beam == 1):
            lacking = "has no language model" if model is None else "reads it with a beam above 1"
            raise ConfigError(
                f"`language_model_weight` must be 0 here, but is {weight:g}: {settings.name} "
                f"{lacking}."
            )
        weight = settings.language_model_weight if weight is None else weight
        return Fusion(
            model=model if weight else None, weight=weight, bonus=settings.insertion_bonus
        )


def recognizer_name(model: str | Path | None, language: str | None) -> str | Path:
    """Choose the model: the one that is given, or the one that reads a language's fingerspelling.

    Raises:
        PackageError: No package of the language is known.
    """
    if model is not None:
        return model
    if DEFAULT_RECOGNIZE_MODEL in known_packages():
        return DEFAULT_RECOGNIZE_MODEL
    return fingerspelling_package("recognize", language or DEFAULT_OF_SEVERAL)
