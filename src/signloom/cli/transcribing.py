"""What `signloom transcribe` does with its sources, and what it says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from signloom.cli.pictured import Pictured, doubts
from signloom.cli.work import Advance, Given
from signloom.errors import ConfigError
from signloom.features.microphone import Microphone
from signloom.features.sound import SOUND_SUFFIXES
from signloom.pipelines.extraction import Camera
from signloom.pipelines.signing import find
from signloom.pipelines.transcribe import Transcriber
from signloom.pipelines.transcription import Transcription


class Transcribing:
    """A `Job`: transcribe. Sound is heard while it is read, so that hours of it fit.

    Args:
        transcriber: What transcribes.
        pictured: What is written of a lone recording.
        microphone: What is listened to where the source is no file but its name.
    """

    verb = "transcribe"
    done = "transcribed"
    group = 1

    def __init__(
        self,
        transcriber: Transcriber,
        *,
        pictured: Pictured,
        microphone: Microphone | None = None,
    ) -> None:
        self._transcriber, self._pictured = transcriber, pictured
        self._microphone = microphone

    @property
    def described(self) -> str:
        """What transcribes, in one line."""
        settings = self._transcriber.settings
        return f"{settings.kind}, {settings.spoken_language}, by {self._transcriber.package.name}"

    def is_one(self, source: Path | Camera) -> bool:
        """Say whether a folder is one recording: it never is."""
        return False

    def find(self, folder: Path) -> list[Path]:
        """List what a folder holds of sound.

        Raises:
            ConfigError: There is nothing.
        """
        found = find(folder, SOUND_SUFFIXES)
        if not found:
            raise ConfigError(
                f"{folder} must hold sound ({' '.join(SOUND_SUFFIXES)}), but holds none."
            )
        return found

    def count(self, source: Given) -> int | None:
        """Tell the seconds of a recording."""
        if self._microphone is not None:
            return max(1, int(self._microphone.seconds))
        expected_s = self._transcriber.open(Path(str(source))).expected_s
        return None if expected_s is None else max(1, int(expected_s))

    def read(self, source: Given, advance: Advance | None) -> Iterator[tuple[str, Transcription]]:
        """Transcribe what a source holds."""
        place = self._microphone or Path(str(source))
        yield str(source), self._transcriber.transcribe(place, advance=advance)

    def prepare(self, content: Transcription) -> Transcription:
        """Do nothing: it is done."""
        return content

    def run(self, ready: Sequence[Transcription], done: Advance | None) -> list[Transcription]:
        """Do nothing: it is done."""
        return list(ready)

    def remarks(self, result: Transcription) -> Iterator[str]:
        """Say what is wrong with a recording or its transcript."""
        yield from doubts(result)

    def conclude(self, results: Sequence[Transcription], *, is_several: bool) -> None:
        """Write subtitles and timeline of the only result."""
        self._pictured.check(is_several=is_several)
        if not is_several:
            self._pictured.write(results[0])
