"""What `signloom caption` does with pictures, and what `signloom produce --image` spells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from signloom.cli.outputs import note, shown
from signloom.cli.work import Advance, Given
from signloom.errors import ConfigError, PackageError, TextError
from signloom.features.pictures import PICTURE_SUFFIXES
from signloom.pipelines.caption import BATCH, Captioner, Square
from signloom.pipelines.captioning import Caption
from signloom.pipelines.extraction import Camera
from signloom.pipelines.signing import find


class CaptionJob:
    """A `Job`: caption. Pictures are looked at in groups.

    Args:
        captioner: What captions.
    """

    verb = "caption"
    done = "captioned"
    group = BATCH

    def __init__(self, captioner: Captioner) -> None:
        self._captioner = captioner

    @property
    def described(self) -> str:
        """What captions, in one line."""
        settings = self._captioner.settings
        return f"{settings.kind}, {settings.spoken_language}, by {self._captioner.package.name}"

    def is_one(self, source: Path | Camera) -> bool:
        """Say whether a folder is one picture: it never is."""
        return False

    def find(self, folder: Path) -> list[Path]:
        """List the pictures of a folder.

        Raises:
            ConfigError: There is none.
        """
        found = find(folder, PICTURE_SUFFIXES)
        if not found:
            raise ConfigError(
                f"{folder} must hold pictures ({' '.join(PICTURE_SUFFIXES)}), but holds none."
            )
        return found

    def count(self, source: Given) -> int | None:
        """Tell the steps of one picture: it is one."""
        return None

    def read(self, source: Given, advance: Advance | None) -> Iterator[tuple[str, Square]]:
        """Read a picture."""
        yield str(source), self._captioner.open(Path(str(source)))

    def prepare(self, content: Square) -> Square:
        """Do nothing: it is read."""
        return content

    def run(self, ready: Sequence[Square], done: Advance | None) -> list[Caption]:
        """Caption pictures."""
        found = self._captioner.caption(ready)
        if done is not None:
            done(len(found))
        return found

    def remarks(self, result: Caption) -> Iterator[str]:
        """Say what is wrong with a picture or its caption."""
        yield from map(shown, result.warnings)
        if not result.finished:
            yield "the caption has no end: it was cut at the model's most words"

    def conclude(self, results: Sequence[Caption], *, is_several: bool) -> None:
        """Do nothing more."""


def describe(path: Path, *, model: str | None) -> str:
    """Caption a picture, and say how.

    Args:
        path: The picture.
        model: Name or folder of the model package that captions it.

    Raises:
        UserError: The model or the picture does not hold.
        TextError: Nothing is said of it.
    """
    try:
        captioner = Captioner(model)
    except PackageError as error:
        raise PackageError(f"{error} --image-model names what captions.") from error
    [found] = captioner.caption([captioner.open(path)])
    if not found.text:
        raise TextError(f"{path} must show something to be spelled, but nothing is said of it.")
    for warning in found.warnings:
        note(f"note: {shown(warning)}")
    note(f"seen: {shown(found.text)}")
    return found.text
