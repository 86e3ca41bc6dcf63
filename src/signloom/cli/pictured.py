"""What is written and said of a result with times, beside its text: subtitles, timeline, doubts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from signloom.cli.outputs import note, shown
from signloom.errors import ConfigError
from signloom.pipelines.token_spans import UNCERTAIN, TokenSpan
from signloom.poses.captions import Caption
from signloom.poses.render.timeline import Bar, check_timeline, write_timeline
from signloom.poses.subtitles import check_subtitles, write_subtitles


@runtime_checkable
class Timed(Protocol):
    """A text whose tokens have times: a recognition or a transcription."""

    @property
    def text(self) -> str:
        """The text."""
        ...

    @property
    def confidence(self) -> float:
        """How sure the model is, 0 to 1."""
        ...

    @property
    def is_uncertain(self) -> bool:
        """Whether it is not to be relied upon."""
        ...

    @property
    def spans(self) -> Sequence[TokenSpan]:
        """When each token comes."""
        ...

    @property
    def cues(self) -> Sequence[Caption]:
        """Subtitles."""
        ...

    @property
    def duration_s(self) -> float:
        """Seconds of the recording."""
        ...

    @property
    def warnings(self) -> Sequence[str]:
        """What is wrong, each a sentence."""
        ...


@dataclass(frozen=True, kw_only=True)
class Pictured:
    """What is written of one recording beside its text.

    Attributes:
        subtitle: Where the times of words or glosses go.
        timeline: Where the picture goes.
    """

    subtitle: Path | None = None
    timeline: Path | None = None

    def check(self, *, is_several: bool) -> None:
        """Refuse places that cannot be written, and anything for several recordings.

        Raises:
            FormatError: A place cannot be written.
            ConfigError: There are several recordings.
        """
        if is_several and (self.subtitle or self.timeline):
            raise ConfigError(
                "--subtitle and --timeline are of one recording, but there are several. Give one, "
                "or take the times out of the report that --json gives."
            )
        if self.subtitle is not None:
            check_subtitles(self.subtitle)
        if self.timeline is not None:
            check_timeline(self.timeline)

    def write(self, found: Timed) -> None:
        """Write them.

        Raises:
            FormatError: A place cannot be written.
        """
        if self.subtitle is not None:
            write_subtitles(found.cues, self.subtitle)
            note(f"note: subtitles in {shown(str(self.subtitle))}")
        if self.timeline is not None:
            bars = [
                Bar(span.start_s, span.end_s, span.token, span.confidence) for span in found.spans
            ]
            write_timeline(bars, self.timeline, duration_s=found.duration_s)
            note(f"note: timeline in {shown(str(self.timeline))}")


def doubts(found: Timed) -> Iterator[str]:
    """Say what is wrong with a recording or with what was found in it."""
    yield from map(shown, found.warnings)
    if found.text and found.is_uncertain:
        yield f"uncertain: confidence {found.confidence:.2f} is below {UNCERTAIN:g}"
