"""Sequence knowledge distillation (Kim and Rush 2016): a teacher's captions to learn from.

The teacher captions every training picture by beam search; a run that was killed goes on behind the
last picture that is written down. The file is that of `data.captions.taught`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from signloom.data.captions.captioned import Captioned
from signloom.data.captions.taught import read_lines
from signloom.errors import ConfigError, FormatError
from signloom.poses.formats.atomic import check_writable, hold
from signloom.search.tokens import check_beam
from signloom.systems.caption.task import CaptionTask
from signloom.training.restore import restore

CHUNK = 64
"""Pictures that are captioned before they are written down."""


@dataclass(frozen=True, kw_only=True)
class Distilled:
    """What has been done.

    Attributes:
        written: Pictures captioned now.
        kept: Pictures that were captioned before.
    """

    written: int
    kept: int


class Teacher:
    """A trained captioner and how it is asked.

    Args:
        checkpoint: The captioner.
        beam: Hypotheses kept a step.
        best: Captions of each picture, at most `beam`; by default all of them.

    Raises:
        ConfigError: It is no captioner, or `beam` or `best` is out of range.
        FormatError: It is no checkpoint.
    """

    def __init__(self, checkpoint: Path, *, beam: int = 5, best: int | None = None) -> None:
        best = beam if best is None else best
        check_beam(beam)
        if not 1 <= best <= beam:
            raise ConfigError(f"`best` must be 1 to `beam`, {beam}, but is {best}.")
        task = restore(checkpoint).task
        if not isinstance(task, CaptionTask):
            raise ConfigError(f"The teacher must be a captioner, but {checkpoint} is none.")
        self._task, self._beam, self._best = task, beam, best
        with checkpoint.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        self._header = {"teacher": digest, "beam": beam, "best": best}

    @property
    def pictures(self) -> Sequence[Captioned]:
        """The training pictures."""
        return self._task.corpus.examples("train")

    def write(self, path: Path, *, advance: Callable[[int], None] = lambda _: None) -> Distilled:
        """Caption the training pictures that `path` has not yet.

        Raises:
            ConfigError: The file is another teacher's.
            FormatError: It cannot be written, is no such file, or is being written by somebody.
        """
        check_writable(path)
        try:
            with path.open("a", encoding="utf-8") as file:
                hold(file, path)
                done = self._done(path)
                kept = [one for one in self.pictures if one.name in done]
                left = [one for one in self.pictures if one.name not in done]
                advance(len(kept))
                if not path.stat().st_size:
                    file.write(json.dumps(self._header) + "\n")
                self._go_on(left, file, advance)
        except OSError as error:
            raise FormatError(f"{path} cannot be written: {error.strerror}.") from error
        return Distilled(written=len(left), kept=len(kept))

    def _go_on(
        self, left: Sequence[Captioned], file: TextIO, advance: Callable[[int], None]
    ) -> None:
        """Caption pictures and write them down, some at a time."""
        for first in range(0, len(left), CHUNK):
            chosen = left[first : first + CHUNK]
            found = zip(chosen, self._ask(chosen), strict=True)
            file.writelines(self._line(*pair) for pair in found)
            file.flush()
            os.fsync(file.fileno())
            advance(len(chosen))

    def _ask(self, pictures: Sequence[Captioned]) -> list[list[str]]:
        found = self._task.caption(pictures, beam=self._beam, best=self._best)
        return [[" ".join(self._task.words(one)) for one in each] for each in found]

    def _line(self, picture: Captioned, captions: list[str]) -> str:
        values: dict[str, Any] = {"name": picture.name, "captions": captions}
        return json.dumps(values, ensure_ascii=False) + "\n"

    def _done(self, path: Path) -> set[str]:
        """Give the pictures that are written down, and cut off a line that a kill left."""
        if not path.is_file():
            return set()
        lines = list(read_lines(path))
        if lines and lines[0] != self._header:
            raise ConfigError(
                f"{path} must be new or of the same teacher, beam and best, but is of another. "
                "Name another file, or remove it."
            )
        content = path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if not lines and not json.dumps(self._header).encode().startswith(content):
            raise FormatError(f"{path} must be new or a teacher's captions, but is something else.")
        if whole < len(content):
            with path.open("r+b") as file:
                file.truncate(whole)
        return {str(line["name"]) for line in lines[1:]}
