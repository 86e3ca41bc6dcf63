"""What `signloom convert` is asked for, and the sequences that it works on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from signloom.cli.outputs import note, shown
from signloom.cli.progress import progress
from signloom.errors import FormatError, UserError
from signloom.poses import formats
from signloom.poses.captions import Caption
from signloom.poses.formats import json_file, many, pose_file
from signloom.poses.formats.recording import Recording
from signloom.poses.formats.skels_file import FPS
from signloom.poses.gaps import fill_gaps
from signloom.poses.pose import Pose
from signloom.poses.retime import resample
from signloom.poses.skeleton_file import MappedSkeleton

SINGLE = (".pose", ".json")


@dataclass(frozen=True)
class Conversion:
    """What is asked for.

    Attributes:
        layout: Points of the `.pose` files that are written; None for the default.
        fps: Frame rate of the outputs; None for that of the inputs.
        skeleton: File of the skeleton that the inputs have; None for ours.
        sequence: Number of the one sequence to take, from 1; None for all.
        swap_sides: Bind the sides of `.skels` the other way.
        suffix: Format of the files in a folder, with or without dot; None for `.pose`.
        overwrite: Replace outputs that are there.
    """

    layout: str | None = None
    fps: float | None = None
    skeleton: Path | None = None
    sequence: int | None = None
    swap_sides: bool = False
    suffix: str | None = None
    overwrite: bool = False


@dataclass
class Work:
    """A conversion under way.

    Attributes:
        asked: What is asked for.
        suffix: Format that is written.
        mapped: The inputs' skeleton, where it is not ours.
        notes: What was changed to fit the format.
        refused: How many inputs could not be converted.
    """

    asked: Conversion
    suffix: str
    mapped: MappedSkeleton | None = None
    notes: list[str] = field(default_factory=list)
    refused: int = 0

    def read(self, path: Path) -> tuple[Pose, tuple[Caption, ...]]:
        """Read a file of one pose, of our joints or of others."""
        if self.mapped is None:
            return formats.read_captioned(path)
        formats.check_input(path)
        module = pose_file if path.suffix.lower() == ".pose" else json_file
        try:
            return self.mapped.to_upper_body(module.read_as(path, self.mapped.skeleton)), ()
        except FormatError as error:
            named = "" if str(path) in str(error) else f"{path}: "
            raise FormatError(f"{named}{error}") from error

    def fitted(self, pose: Pose, *, name: str) -> Pose:
        """Change what the format needs changed, and note it."""
        fps = self.asked.fps
        if self.suffix in many.SUFFIXES:
            fps = FPS
            if pose.fps != fps and self.asked.fps is None:
                self.notes.append(f"{name} is resampled from {pose.fps:g} to {fps:g} fps")
            missing = float((pose.confidence <= 0).mean())
            try:
                pose = fill_gaps(pose)
            except FormatError as error:
                raise FormatError(f"{name}: {error}") from error
            if missing:
                self.notes.append(f"{name} lacks {missing:.0%} of its joints; gaps are filled")
        return pose if fps is None else resample(pose, fps)

    def refuse(self, error: UserError) -> None:
        """Name an input that cannot be converted, and go on."""
        note(f"refused: {shown(str(error))}")
        self.refused += 1


def recordings(source: Path, work: Work, *, total: int | None = None) -> Iterator[Recording]:
    """Give the sequences of a file or a folder; refuse what a folder holds that cannot be read.

    Args:
        source: The file or folder.
        work: Where what is refused is counted.
        total: Sequences of a file, where they were counted.
    """
    if source.is_dir():
        paths = inputs(source)
        with progress("convert", len(paths)) as advance:
            for path in paths:
                try:
                    yield Recording(path.stem, work.read(path)[0])
                except UserError as error:
                    work.refuse(error)
                advance(1)
        return
    formats.check_input(source)
    if not holds_many(source):
        yield Recording(source.stem, work.read(source)[0])
        return
    swap_sides, number = work.asked.swap_sides, work.asked.sequence
    if number is not None:
        yield many.read_one(source, number, swap_sides=swap_sides)
        return
    with progress("convert", total) as advance:
        for recording in many.read_all(source, swap_sides=swap_sides):
            yield recording
            advance(1)


def inputs(folder: Path) -> list[Path]:
    """Give the files of a folder that hold one pose each, by name."""
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in SINGLE)
    if not paths:
        raise FormatError(f"{folder} must hold .pose or .json files, but holds none.")
    stems: dict[str, Path] = {}
    for path in paths:
        if path.stem in stems:
            raise FormatError(
                f"{stems[path.stem]} and {path.name} would become the same file. Move one away."
            )
        stems[path.stem] = path
    return paths


def stem_of(name: str, *, number: int) -> str:
    """Make a file's name of a sequence's number and name, so that names sort as numbers do.

    Example:
        >>> stem_of("train/11August_2010-1", number=7), stem_of("7", number=7)
        ('00007-11August_2010-1', '00007')
    """
    last = re.sub(r"[^\w.-]+", "-", name.rsplit("/", 1)[-1]).strip("-.")[:100]
    return f"{number:05d}" if last in ("", str(number)) else f"{number:05d}-{last}"


def holds_many(path: Path) -> bool:
    """Say whether a file of this name holds many sequences."""
    return path.suffix.lower() in many.SUFFIXES
