"""What a production comes to: the pose and everything that must be said about it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from signloom.pipelines.spans import LetterSpan
from signloom.poses import formats
from signloom.poses.captions import Caption, with_pauses
from signloom.poses.formats.atomic import replacing
from signloom.poses.formats.json_file import to_document
from signloom.poses.pose import Pose

REPORT_VERSION = 1
"""Goes up when a key of the report changes its meaning or goes away."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Production:
    """A produced pose and its report."""

    pose: Pose
    """The movement, from rest to rest."""
    kind: str
    """What it is in honest words: `fingerspelling` has no face, mouth or grammar."""
    text: str
    """The text as it was given."""
    spelled: str
    """The text as it was spelled, after cleaning."""
    language: str
    """ISO 639-3 code of the sign language."""
    spans: tuple[LetterSpan, ...]
    """When each letter is signed."""
    spans_estimated: bool
    """Whether the spans are estimates rather than the model's own alignment."""
    notes: tuple[str, ...]
    """What was changed on the way, such as numbers spelled as words."""
    left_out: tuple[str, ...]
    """What could not be spelled."""
    model: str
    """Name of the model package."""
    model_id: str
    """Id of the model package, SHA-256."""
    num_passes: int
    """Decoder passes that it took, counted once for passages decoded together."""
    speed: float = 1.0
    """How many times as fast as the model would sign."""
    mirrored: bool = False
    """Whether left and right are swapped."""

    def to_dict(self) -> dict[str, Any]:
        """Give the report without the coordinates, ready for JSON."""
        return {
            "format_version": REPORT_VERSION,
            "kind": self.kind,
            "text": self.text,
            "spelled": self.spelled,
            "language": self.language,
            "num_frames": self.pose.num_frames,
            "fps": self.pose.fps,
            "duration_s": round(self.pose.duration_s, 3),
            "spans_estimated": self.spans_estimated,
            "spans": [dict(vars(span)) for span in self.spans],
            "notes": list(self.notes),
            "left_out": list(self.left_out),
            "model": {"name": self.model, "id": self.model_id},
            "num_passes": self.num_passes,
            "speed": self.speed,
            "mirrored": self.mirrored,
        }

    @property
    def captions(self) -> tuple[Caption, ...]:
        """When each letter is signed, with a pause between words, as `Pose.save` takes it."""
        letters = ((span.start_s, span.end_s, span.letter) for span in self.spans)
        return with_pauses(letters, self.spelled)

    @property
    def cues(self) -> tuple[Caption, ...]:
        """When each word is signed, as `write_subtitles` takes it; else the text as a whole."""
        if not self.spans:
            return ((0.0, self.pose.duration_s, self.text),)
        words = self.spelled.split()
        return tuple(
            (own[0].start_s, own[-1].end_s, words[number])
            for number, group in groupby(self.spans, key=attrgetter("word"))
            for own in (list(group),)
        )

    def save(self, path: str | Path) -> None:
        """Write the pose; the suffix says how. Pictures show the letters, JSON has the report too.

        Raises:
            FormatError: The suffix is unknown or the place cannot be written to.
        """
        path = Path(path)
        formats.check_output(path)
        if path.suffix.lower() != ".json":
            formats.write(self.pose, path, captions=self.captions)
            return
        document = self.to_dict() | to_document(self.pose)
        with replacing(path) as temporary:
            temporary.write_text(
                json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n",
                encoding="utf-8",
            )
