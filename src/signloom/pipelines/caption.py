"""Pictures in, captions out: look, search over groups of words, say how sure that is."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from signloom.errors import ConfigError, PackageError, TextError
from signloom.features.footage import Picture
from signloom.features.pictures import Photo, read_picture
from signloom.pipelines.captioning import Caption, Captioning
from signloom.pipelines.search_options import options_of
from signloom.runtime.captioner import CaptionerSession
from signloom.runtime.image_session import as_square
from signloom.runtime.package import load_package
from signloom.runtime.registry import only_package
from signloom.search.groups import Grouped
from signloom.search.tokens import Hypothesis, check_beam
from signloom.search.translation import SearchOptions, translate_sources
from signloom.tokens.targets import START
from signloom.tokens.vocabulary import Vocabulary

_logger = logging.getLogger(__name__)
BATCH = 8
"""Pictures that are looked at and captioned together."""


@dataclass(frozen=True, eq=False)
class Square:
    """A picture, read and cut to what the model looks at.

    Attributes:
        pixels: uint8 [224, 224, 3].
        width: Of the whole picture, in pixels.
        height: Likewise.
        warnings: What is wrong with it, each a sentence.
    """

    pixels: Picture
    width: int
    height: int
    warnings: tuple[str, ...] = ()


class Captioner:
    """A captioning model, ready to run.

    Args:
        model: Name or folder of a model package; by default the only captioner that is installed.
            None comes with signloom.
        beam: Captions kept a step, 1 to 64; 1 is greedy search. By default what the package says.
        suppress: Whether repeats are suppressed where words come in groups (`search.groups`); by
            default what the package says.
        threads: Threads inside one operator.

    Attributes:
        package: The model package.
        settings: What the model is.

    Raises:
        PackageError: The package is unknown, damaged or not one of the system `caption`.
        ConfigError: `beam` is out of range.
    """

    def __init__(
        self,
        model: str | Path | None = None,
        *,
        beam: int | None = None,
        suppress: bool | None = None,
        threads: int = 1,
    ) -> None:
        if beam is not None:
            check_beam(beam)
        self.package = package = load_package(only_package("caption") if model is None else model)
        self._session = CaptionerSession(package, threads=threads)
        self.settings = settings = self._session.settings
        suppressed = settings.suppress if suppress is None else suppress
        self._stepper = Grouped(self._session, suppress=suppressed)
        self._vocabulary = Vocabulary(package.vocabulary)
        try:
            options = options_of(self._vocabulary, languages=(), max_tokens=settings.max_tokens)
            [self._start] = self._vocabulary.encode([START])
        except TextError as error:
            raise PackageError(
                f"The vocabulary of {package.path} is incomplete: {error}"
            ) from error
        kept = settings.beam if beam is None else beam
        self._options = replace(
            options, beam=kept, best=kept, length_penalty=settings.length_penalty
        )
        _logger.info("model %s, id %s, from %s", package.name, package.id[:12], package.path)

    def open(self, source: Path | Picture) -> Square:
        """Read a picture and cut the middle square out of it.

        Args:
            source: A file, or pixels uint8 [height, width, 3] in red, green and blue.

        Raises:
            FormatError: It is no picture, cut short, too small or too large.
        """
        photo = Photo(source) if isinstance(source, np.ndarray) else read_picture(source)
        height, width = photo.pixels.shape[:2]
        return Square(as_square(photo.pixels), width, height, photo.warnings)

    def caption(self, squares: Sequence[Square]) -> list[Caption]:
        """Caption pictures, a few together, so that any number of them fits.

        Raises:
            ConfigError: The model looks at features and not at pictures.
            PackageError: A graph of the package fails.
        """
        described: list[Caption] = []
        for first in range(0, len(squares), BATCH):
            batch = squares[first : first + BATCH]
            features = self._session.look(np.stack([one.pixels for one in batch]))
            pairs = zip(batch, self._search(list(features)), strict=True)
            described += [self._described(*pair) for pair in pairs]
        return described

    def caption_features(self, features: Sequence[npt.NDArray[np.float32]]) -> list[str]:
        """Caption pictures by features of them, float32 [positions, features] each.

        Raises:
            ConfigError: They have another number of features, or too many positions.
        """
        settings = self.settings
        for one in features:
            if one.ndim != 2 or one.shape[1] != settings.num_features or not len(one):
                raise ConfigError(
                    f"Features must be [positions, {settings.num_features}], but are "
                    f"{list(one.shape)}."
                )
            if len(one) > settings.positions:
                raise ConfigError(
                    f"Features must have at most {settings.positions} positions, but have "
                    f"{len(one)}."
                )
        return [self._words(best[0]) for best in self._search(features)]

    def search(
        self,
        features: Sequence[npt.NDArray[np.float32]],
        *,
        beam: int,
        length_penalty: float,
        done: Callable[[int], None] | None = None,
    ) -> list[tuple[str, ...]]:
        """Give the words of pictures' best captions by a search other than the package's own.

        Args:
            features: Of each picture, float32 [positions, features], as the model has learned them.
            beam: Captions kept a step.
            length_penalty: Exponent of the length penalty.
            done: Told how many pictures each batch has finished.

        Raises:
            PackageError: A graph of the package fails.
        """
        options = replace(self._options, beam=beam, best=1, length_penalty=length_penalty)
        found = self._search(features, options, done)
        return [tuple(self._vocabulary.decode(best[0].ids)) for best in found]

    def _search(
        self,
        features: Sequence[npt.NDArray[np.float32]],
        options: SearchOptions | None = None,
        done: Callable[[int], None] | None = None,
    ) -> list[list[Hypothesis]]:
        starts = [self._start] * len(features)
        chosen = options or self._options
        return translate_sources(self._stepper, features, starts, options=chosen, done=done)

    def _words(self, found: Hypothesis) -> str:
        return " ".join(self._vocabulary.decode(found.ids))

    def _described(self, square: Square, found: Sequence[Hypothesis]) -> Caption:
        best = tuple(Captioning(self._words(one), one.confidence, one.score) for one in found)
        return Caption(
            text=best[0].text,
            tokens=tuple(self._vocabulary.decode(found[0].ids)),
            confidence=best[0].confidence,
            best=best,
            finished=found[0].finished,
            kind=self.settings.kind,
            spoken_language=self.settings.spoken_language,
            group=self.settings.group,
            beam=self._options.beam,
            width_px=square.width,
            height_px=square.height,
            warnings=square.warnings,
            model=self.package.name,
            model_id=self.package.id,
        )
