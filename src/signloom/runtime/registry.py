"""Which model packages are known by name, and where they lie.

Bundled packages lie in `signloom/models`; a user's own in the folder that the variable
`SIGNLOOM_MODELS` names, or else in the platform's data folder. A bundled name always means the
bundled package. Nothing is read here but folder names and, where the system decides, what a package
says it is of; `signloom.runtime.package` reads packages and checks them.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

from signloom.errors import FormatError, PackageError
from signloom.poses.formats.plain import read_plain
from signloom.runtime.checksums import MAX_TEXT_BYTES
from signloom.tokens.languages import SIGN_LANGUAGES

DEFAULT_PRODUCE_MODEL = "produce-fingerspelling-ase-v2"
DEFAULT_TRANSLATE_MODEL = "translate-fingerspelling-v1"
DEFAULT_RECOGNIZE_MODEL = "recognize-fingerspelling-v1"
DEFAULT_TRANSCRIBE_MODEL = "transcribe-digits-v1"


def bundled_folder() -> Path:
    """Return the folder of the packages that the wheel ships."""
    return Path(__file__).resolve().parent.parent / "models"


def user_folder() -> Path:
    """Return the folder of the user's own packages; it need not exist.

    Raises:
        PackageError: `SIGNLOOM_MODELS` starts with the home of a user that there is not.
    """
    override = os.environ.get("SIGNLOOM_MODELS")
    if override:
        return _expanded(override, what="The variable SIGNLOOM_MODELS")
    home = _expanded("~", what="Without SIGNLOOM_MODELS, the folder of models")
    if sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "signloom" / "models"


def known_packages() -> dict[str, Path]:
    """Return the folder of every known package by name, sorted by name."""
    found: dict[str, Path] = {}
    for root in (user_folder(), bundled_folder()):
        try:
            folders = [entry for entry in root.iterdir() if (entry / "checksums.json").is_file()]
        except OSError:
            continue
        found.update({folder.name: folder for folder in folders})
    return dict(sorted(found.items()))


def find_package(name_or_dir: str | Path) -> Path:
    """Return the folder of a package given by name or by folder.

    Args:
        name_or_dir: A known name, or the path of a folder. A string without a path separator is
            looked up as a name first.

    Raises:
        PackageError: Neither a known name nor a folder; the message lists the known names.
    """
    text = str(name_or_dir)
    known = known_packages()
    if isinstance(name_or_dir, str) and text in known:
        return known[text]
    folder = _expanded(text, what="The model")
    try:
        if text and folder.is_dir():
            return folder
    except OSError as error:
        raise PackageError(
            f"The model must be a name or a folder, but {text[:80]!r} is neither: {error.strerror}."
        ) from error
    names = ", ".join(known) or f"none (looked in {bundled_folder()} and {user_folder()})"
    raise PackageError(
        f"Unknown model {text[:200]!r}. Known models: {names}. Give one of these "
        "names or the folder of a model package."
    )


def only_package(system: str) -> str:
    """Name the one known package of a system that signloom brings no model of.

    Raises:
        PackageError: There is none, or several.
    """
    known = known_packages().items()
    found = [name for name, folder in known if _system_of(name, folder) == system]
    if len(found) == 1:
        return found[0]
    if found:
        raise PackageError(
            f"A model of `{system}` must be named, for several are installed: {', '.join(found)}."
        )
    raise PackageError(
        f"A model of `{system}` must be installed, but none comes with signloom and there is none. "
        "Train one, or install one with `signloom models install NAME.zip`."
    )


def fingerspelling_package(system: str, language: str) -> str:
    """Name the newest known package of a system that fingerspells or reads a language.

    Raises:
        PackageError: There is none; the message lists the languages that there are.
    """
    newest = fingerspelled_languages(system)
    if language not in newest:
        signed = [one.code for one in SIGN_LANGUAGES.values() if one.spoken_language == language]
        hint = f"Did you mean {' or '.join(signed)}? " if signed else ""
        raise PackageError(
            f"There must be a model of `{system}` for the language {language[:40]!r}, but known "
            f"are {', '.join(newest) or 'none'}. {hint}`signloom languages` says how to get others."
        )
    return newest[language]


def fingerspelled_languages(system: str = "produce") -> dict[str, str]:
    """Give the newest known package of each language that a system spells or reads, by code."""
    pattern = re.compile(rf"{system}-fingerspelling-([a-z]{{3}})-v(\d+)")
    found = [match for name in known_packages() if (match := pattern.fullmatch(name))]
    return {match[1]: match[0] for match in sorted(found, key=lambda one: (one[1], int(one[2])))}


def _system_of(name: str, folder: Path) -> str:
    """Tell the system that a package says it is of, or else the one that its name begins with."""
    try:
        config = json.loads(read_plain(folder / "config.json", most=MAX_TEXT_BYTES))
    except (OSError, ValueError, RecursionError, FormatError):
        config = None  # it is damaged: whoever loads it is told how
    return str(config.get("system") if isinstance(config, dict) else name.partition("-")[0])


def _expanded(text: str, *, what: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise PackageError(
            f"{what} must not start with the home of an unknown user, but is {text[:80]!r}."
        ) from error
