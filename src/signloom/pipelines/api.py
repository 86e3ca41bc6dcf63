"""The two functions that most programs need; the model stays loaded between calls."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from signloom.pipelines.produce import Producer, model_name
from signloom.pipelines.script import Script
from signloom.poses.pose import Pose
from signloom.runtime.registry import bundled_folder, find_package


def produce(
    text: str,
    model: str | Path | None = None,
    *,
    language: str | None = None,
    strict: bool = False,
) -> Pose:
    """Produce a text; `Producer` gives the letters' times and the notes as well.

    What the alphabet does not have is left out and named in a warning.

    Args:
        text: Any text of at most 20,000 characters.
        model: Name or folder of a model package; the default fingerspells in American Sign
            Language, without face, mouth or grammar.
        language: ISO 639-3 code of the sign language, in place of a model's name.
        strict: Refuse a text of which something would be left out.

    Raises:
        TextError: The text is no string, empty or too long, nothing of it can be spelled, or
            `strict` does not hold.
        PackageError: The model is unknown or damaged.
    """
    producer = _producer(_key(model_name(model, language)), language)
    return producer.produce(_read(producer, text, strict=strict)).pose


def stream(
    text: str,
    model: str | Path | None = None,
    *,
    language: str | None = None,
    strict: bool = False,
) -> Iterator[Pose]:
    """Give the frames of `produce` as they are decoded, exactly the same ones.

    The text and the model are checked at once; `produce` says what the arguments mean.

    Raises:
        TextError: As `produce`.
        PackageError: As `produce`.
    """
    producer = _producer(_key(model_name(model, language)), language)
    return producer.stream(_read(producer, text, strict=strict))


def _read(producer: Producer, text: str, *, strict: bool) -> Script:
    """Read a text, and warn whoever called the public function of what is left out."""
    script = producer.read(text, strict=strict)
    if script.left_out:
        named = ", ".join(script.left_out)
        where = "in the alphabet" if producer.alphabet else "known to the model"
        warnings.warn(f"left out, not {where}: {named}", stacklevel=3)
    return script


def _key(model: str | Path) -> str | Path:
    """Name a model so that the same name always means the same package, wherever we are."""
    folder = find_package(model).resolve()
    return folder.name if folder.parent == bundled_folder() else folder


@lru_cache(maxsize=4)
def _producer(model: str | Path, language: str | None) -> Producer:
    return Producer(model, language=language)
