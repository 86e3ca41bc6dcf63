"""The work of `signloom convert`: which files become which, and what is said about them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from signloom.cli.outputs import SOME_REFUSED, answer, note, shown
from signloom.cli.sequences import (
    Conversion,
    Work,
    holds_many,
    inputs,
    recordings,
    stem_of,
)
from signloom.errors import ConfigError, FormatError, UserError
from signloom.poses import formats
from signloom.poses.captions import Caption
from signloom.poses.formats import many
from signloom.poses.formats.atomic import check_folder, replacing
from signloom.poses.formats.recording import Recording
from signloom.poses.formats.skels_file import FPS
from signloom.poses.pose import MAX_FPS, MIN_FPS
from signloom.poses.skeleton_file import read_skeleton


def convert(source: Path, target: Path, asked: Conversion) -> int:
    """Convert a file or a folder into a file or a folder.

    Args:
        source: What to read.
        target: Where to write; a path without suffix, or a folder that is there, is a folder.
        asked: How.

    Returns:
        The exit code: 0, or 3 when some inputs of a folder were refused.

    Raises:
        UserError: Something does not hold; nothing has been written.
    """
    to_folder = target.is_dir() or not target.suffix
    if source.is_dir() and not to_folder and target.suffix.lower() not in many.SUFFIXES:
        raise FormatError(
            f"A folder must become a folder or a .skels or .pt file, but {target} is neither."
        )
    work = Work(asked, _suffix(target, asked, to_folder=to_folder))
    _check_options(source, work)
    if asked.skeleton is not None:
        work.mapped = read_skeleton(asked.skeleton)
    if to_folder:
        check_folder(target)
        _into_folder(source, target, work)
    else:
        formats.check_output(target)
        if target.exists() and not asked.overwrite:
            raise FormatError(f"{target} exists already. Replace it with --overwrite.")
        is_gathered = work.suffix in many.SUFFIXES and (source.is_dir() or holds_many(source))
        (_into_many if is_gathered else _into_file)(source, target, work)
    return SOME_REFUSED if work.refused else 0


def _suffix(target: Path, asked: Conversion, *, to_folder: bool) -> str:
    if not to_folder:
        if asked.suffix is not None:
            raise ConfigError(
                f"--format goes with a folder as OUT, but {target} is a file. Drop it."
            )
        return target.suffix.lower()
    suffix = f".{(asked.suffix or '.pose').lower().removeprefix('.')}"
    if suffix not in formats.WRITERS:
        known = " ".join(formats.WRITERS)
        raise FormatError(f"--format must be one of {known}, but is {asked.suffix!r}.")
    return suffix


def _check_options(source: Path, work: Work) -> None:
    """Refuse options that do not hold or that this input or output has no use for."""
    asked = work.asked
    formats.check_layout(asked.layout, suffix=work.suffix)
    if asked.fps is not None and not MIN_FPS <= asked.fps <= MAX_FPS:
        raise ConfigError(f"--fps must be from {MIN_FPS:g} to {MAX_FPS:g}, but is {asked.fps:g}.")
    if work.suffix in many.SUFFIXES and asked.fps not in (None, FPS):
        raise ConfigError(
            f"--fps must be {FPS:g} for {work.suffix} files, which have no other frame "
            f"rate, but is {asked.fps:g}. Drop it."
        )
    is_many = holds_many(source) and not source.is_dir()
    if asked.sequence is not None and not is_many:
        raise ConfigError(
            f"--sequence goes with a .skels or .pt file as IN, but {source} is none. Drop it."
        )
    if asked.skeleton is not None and is_many:
        raise ConfigError(
            f"--skeleton goes with .pose and .json files, but {source} has joints of its own. "
            "Drop it."
        )
    if asked.swap_sides and source.suffix.lower() != ".skels":
        raise ConfigError(f"--swap-sides goes with a .skels file as IN, but {source} is none.")


def _into_file(source: Path, target: Path, work: Work) -> None:
    """Convert one pose, of a file that holds one or chosen by its number."""
    captions: tuple[Caption, ...] = ()
    if holds_many(source):
        formats.check_input(source)
        found = recordings(source, work)
        pose = next(found).pose
        if next(found, None) is not None:
            raise FormatError(
                f"{source} must hold one sequence to become {target.name}, but holds several. "
                "Choose one with --sequence, or name a folder."
            )
    else:
        pose, captions = work.read(source)
    pose = work.fitted(pose, name=str(source))
    formats.write(pose, target, captions=captions, layout=work.asked.layout)
    for line in work.notes:
        note(f"note: {shown(line)}")
    answer(str(target))


def _into_many(source: Path, target: Path, work: Work) -> None:
    """Gather all sequences in one file; a `.skels` file gets the names beside it."""
    names: list[str] = []

    def fitted() -> Iterator[Recording]:
        for recording in recordings(source, work):
            try:
                pose = work.fitted(recording.pose, name=recording.name)
            except UserError as error:
                if not source.is_dir():
                    raise
                work.refuse(error)
                continue
            names.append(recording.name)
            yield Recording(recording.name, pose, recording.text, recording.gloss, recording.signer)

    list_file = target.with_suffix(".files")
    has_names = work.suffix == ".skels" and (
        source.suffix.lower() != ".skels" or source.with_suffix(".files").exists()
    )
    if has_names and list_file.exists() and not work.asked.overwrite:
        raise FormatError(f"{list_file} exists already. Replace it with --overwrite.")
    many.write_all(fitted(), target)
    if has_names:
        with replacing(list_file) as temporary:
            temporary.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    _report(work, f"{len(names)} sequences")
    answer(str(target))


def _into_folder(source: Path, target: Path, work: Work) -> None:
    """Write a file for each sequence; what is there already is skipped."""
    total = None
    if source.is_dir():
        inputs(source)
    else:  # a bad line is found before anything is written
        total = sum(1 for _ in recordings(source, work))
    target.mkdir(parents=True, exist_ok=True)
    written = skipped = 0
    is_numbered = not source.is_dir() and holds_many(source)
    found = recordings(source, work, total=total)
    for number, recording in enumerate(found, work.asked.sequence or 1):
        stem = stem_of(recording.name, number=number) if is_numbered else recording.name
        output = target / f"{stem}{work.suffix}"
        if output.exists() and not work.asked.overwrite:
            skipped += 1
            continue
        try:
            pose = work.fitted(recording.pose, name=recording.name)
            formats.write(pose, output, layout=work.asked.layout)
        except UserError as error:
            work.refuse(error)
            continue
        written += 1
        answer(str(output))
    _report(work, f"{written} written, {skipped} there already")


def _report(work: Work, what: str) -> None:
    for line in work.notes:
        note(f"note: {shown(line)}")
    note(f"{what}, {work.refused} refused")
