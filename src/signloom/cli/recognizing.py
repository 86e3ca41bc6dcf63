"""What `signloom recognize` does with its sources, and what it says of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from signloom.cli.pictured import Pictured, doubts
from signloom.cli.work import Advance, Given
from signloom.pipelines.extraction import Camera, Extraction
from signloom.pipelines.recognition import Recognition
from signloom.pipelines.recognition_input import Prepared
from signloom.pipelines.recognize import Recognizer
from signloom.pipelines.signing import Recorded, count_frames, find_recordings, is_film

GROUP = 16


class Recognizing:
    """A `Job`: recognise.

    Args:
        recognizer: What recognises.
        best: Readings that reports give.
        pictured: What is written of a lone recording.
    """

    verb = "recognize"
    done = "recognized"

    def __init__(self, recognizer: Recognizer, *, best: int, pictured: Pictured) -> None:
        self._recognizer, self._best, self._pictured = recognizer, best, pictured
        # Films that a model looks at are large: they are not kept for company.
        self.group = 1 if "pictures" in recognizer.settings.inputs else GROUP

    @property
    def described(self) -> str:
        """What recognises, in one line."""
        recognizer = self._recognizer
        return f"{recognizer.settings.kind}, {recognizer.language}, by {recognizer.package.name}"

    def is_one(self, source: Path | Camera) -> bool:
        """Say whether it is a film, also one in a folder."""
        return is_film(source)

    def find(self, folder: Path) -> list[Path]:
        """List what a folder holds of signing."""
        return find_recordings(folder)

    def count(self, source: Given) -> int | None:
        """Tell the frames of a film."""
        if isinstance(source, str):
            return None
        return count_frames(source, fps=self._recognizer.settings.fps)

    def read(self, source: Given, advance: Advance | None) -> Iterable[Recorded]:
        """Read what a source holds."""
        place = Path(source) if isinstance(source, str) else source
        return self._recognizer.reader.read(place, advance=advance)

    def prepare(self, content: Extraction) -> Prepared:
        """Check a recording and bring it to what the model reads."""
        return self._recognizer.prepare(content)

    def run(self, ready: Sequence[Prepared], done: Advance | None) -> list[Recognition]:
        """Recognise."""
        return self._recognizer.recognize_many(ready, best=self._best, done=done)

    def remarks(self, result: Recognition) -> Iterator[str]:
        """Say what is wrong with a recording or its reading."""
        yield from doubts(result)

    def conclude(self, results: Sequence[Recognition], *, is_several: bool) -> None:
        """Write subtitles and timeline of the only result."""
        self._pictured.check(is_several=is_several)
        if not is_several:
            self._pictured.write(results[0])
