"""Which films `signloom extract` reads, and where each of their poses goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from signloom.errors import ConfigError, FormatError
from signloom.features.frame_folder import PICTURE_SUFFIXES
from signloom.pipelines.extraction import (
    VIDEO_SUFFIXES,
    Camera,
    Source,
    is_frames_folder,
)
from signloom.pipelines.signing import find
from signloom.poses import formats
from signloom.poses.formats.atomic import check_folder


def plan(
    sources: Sequence[Source], output: Path, *, suffix: str | None
) -> tuple[dict[Source, Path], bool]:
    """Find the films and say where each pose goes; nothing is written yet.

    Args:
        sources: Videos, folders of pictures, folders of those, or a camera.
        output: A file for one film, or a folder.
        suffix: Format of the files in a folder, with or without the dot; `.pose` if None.

    Returns:
        An output a film, and whether there may be several films.

    Raises:
        FormatError: There is no film, two would have one output, or the output cannot be written.
        ConfigError: The suffix goes with nothing, or a camera with a folder.
    """
    is_many = len(sources) > 1 or any(_is_collection(source) for source in sources)
    if not output.is_dir() and output.suffix:
        return {sources[0]: _file(output, suffix=suffix, is_many=is_many)}, False
    ending = f".{(suffix or '.pose').lower().removeprefix('.')}"
    if ending not in formats.WRITERS:
        known = " ".join(formats.WRITERS)
        raise FormatError(f"--format must be one of {known}, but is {suffix!r}.")
    outputs: dict[Source, Path] = {}
    for source in sources:
        if isinstance(source, Camera):
            raise ConfigError(f"A camera's pose goes into a file, but {output} is a folder.")
        _check_apart(source, output, ending=ending)
        for film, name in _films(source):
            outputs[film] = output / name.with_name(f"{_stem(film)}{ending}")
    seen: set[Path] = set()
    for target in outputs.values():
        if target in seen:
            raise FormatError(
                f"Each film must have an output of its own, but {target} would be of two."
            )
        seen.add(target)
    check_folder(output)
    return outputs, is_many


def _file(output: Path, *, suffix: str | None, is_many: bool) -> Path:
    if suffix is not None:
        raise ConfigError(f"--format goes with a folder as OUT, but {output} is a file. Drop it.")
    if is_many:
        raise FormatError(
            f"Several films must go into a folder, but {output} is a file. Name a folder."
        )
    formats.check_output(output)
    return output


def _films(source: Path) -> Iterator[tuple[Path, Path]]:
    """Give the films of a source and their places relative to it."""
    if not _is_collection(source):
        yield source, Path(source.resolve().name)
        return
    found = find(source, VIDEO_SUFFIXES, pictures=True)
    yield from ((path, path.relative_to(source)) for path in found)
    if not found:
        raise FormatError(
            f"{source} must hold videos ({' '.join(VIDEO_SUFFIXES)}) or pictures "
            f"({' '.join(PICTURE_SUFFIXES)}), but holds none."
        )


def _is_collection(source: Source) -> bool:
    return isinstance(source, Path) and source.is_dir() and not is_frames_folder(source)


def _stem(film: Path) -> str:
    name = film.resolve().name
    return name if film.is_dir() else Path(name).stem


def _check_apart(source: Path, output: Path, *, ending: str) -> None:
    """Refuse outputs that would be taken for films when the command runs again."""
    is_inside = source.is_dir() and output.resolve().is_relative_to(source.resolve())
    if is_inside and ending in (*VIDEO_SUFFIXES, *PICTURE_SUFFIXES):
        raise FormatError(
            f"OUT must lie outside of IN for {ending} files, but {output} is inside of {source}."
        )
