"""What `signloom translate` does with its sources, and what it says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from signloom.cli.inputs import read_stdin
from signloom.cli.outputs import shown
from signloom.cli.work import Advance, Given
from signloom.errors import FormatError
from signloom.pipelines.extraction import Camera
from signloom.pipelines.signing import count_frames, is_film
from signloom.pipelines.token_spans import UNCERTAIN
from signloom.pipelines.translate import Search, Translator
from signloom.pipelines.translation import Translation
from signloom.pipelines.translation_files import (
    MAX_TEXT_BYTES,
    Item,
    find_files,
    gloss_lines,
    read_sources,
)
from signloom.pipelines.translation_input import Prepared, Source, refuse_other_source

STDIN = Path("-")


class Translating:
    """A `Job`: translate.

    Args:
        translator: What translates.
        search: How to look for translations.
    """

    verb = "translate"
    done = "translated"
    group = 16

    def __init__(self, translator: Translator, search: Search) -> None:
        self._translator, self._search = translator, search
        self._settings = translator.settings

    @property
    def described(self) -> str:
        """What translates, in one line."""
        names = " and ".join(package.name for package in self._translator.packages)
        return f"{self._settings.kind}, {self._translator.language}, by {names}"

    def is_one(self, source: Path | Camera) -> bool:
        """Say whether it is a film, also one in a folder."""
        return self._settings.source == "poses" and is_film(source)

    def find(self, folder: Path) -> list[Path]:
        """List what a folder holds of what the model reads."""
        return find_files(folder, self._settings)

    def count(self, source: Given) -> int | None:
        """Tell the frames of a film."""
        if isinstance(source, str) or not self.is_one(source):
            return None
        return count_frames(source, fps=self._settings.fps)

    def read(self, source: Given, advance: Advance | None) -> Iterator[Item]:
        """Read what a source holds: glosses that were given, standard input, or a file."""
        if isinstance(source, str):
            yield Item("--glosses", source)
        elif source != STDIN:
            yield from read_sources(
                source, self._settings, reader=self._translator.reader, advance=advance
            )
        else:
            refuse_other_source(self._settings, "glosses", what="standard input")
            data = read_stdin(MAX_TEXT_BYTES + 1)
            if len(data) > MAX_TEXT_BYTES:
                raise FormatError(
                    f"Standard input must have at most {MAX_TEXT_BYTES} bytes, but has more. "
                    "Cut it."
                )
            yield from gloss_lines(data, "-")

    def prepare(self, content: Source) -> Prepared:
        """Check a source and bring it to what the model reads."""
        return self._translator.prepare(content)

    def run(self, ready: Sequence[Prepared], done: Advance | None) -> list[Translation]:
        """Translate."""
        return self._translator.translate_many(ready, search=self._search, done=done)

    def remarks(self, result: Translation) -> Iterator[str]:
        """Say what is wrong with a translation."""
        yield from map(shown, result.warnings)
        if not result.text:
            yield "nothing was read: the model sees no text in it"
        elif result.is_uncertain:
            yield f"uncertain: confidence {result.confidence:.2f} is below {UNCERTAIN:g}"
        if not result.finished:
            yield "cut off: the model came to no end"
        if result.unknown:
            yield f"not known to the model: {shown(', '.join(result.unknown))}"

    def conclude(self, results: Sequence[Translation], *, is_several: bool) -> None:
        """Do nothing else."""
