"""The judge of fingerspelling: a frozen package that reads poses back to letters.

By default it is a small recogniser (CTC); a translator of fingerspelling serves as well.

It says whether the model's letters are told apart as its corpus's are. It says nothing about
whether a person could read them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from signloom.data.pair import Pair
from signloom.errors import ConfigError, PackageError
from signloom.evaluation.translators import TranslatorRow
from signloom.poses.normalize import to_features
from signloom.runtime.package import Package, load_package
from signloom.runtime.recognizer import Clip, RecognizerSession
from signloom.search.ctc import greedy
from signloom.tokens.targets import start_of


@runtime_checkable
class Judge(Protocol):
    """Reads poses back."""

    @property
    def signature(self) -> str:
        """One short line that says which judge this is: results of two are not comparable."""
        ...

    def read(self, poses: Sequence[npt.NDArray[np.float32]]) -> list[tuple[str, ...]]:
        """Read positions [frames, 50, 3] back to tokens."""
        ...


def open_judge(package: str | Path, *, language: str) -> Judge:
    """Open a judge of a sign language by name or folder.

    Raises:
        PackageError: It is unknown, damaged, or reads no poses.
        ConfigError: It is one of several languages, and not of this one.
    """
    loaded = load_package(package)
    if loaded.system == "translate":
        return TranslatorJudge(loaded, language=language)
    return RecognizerJudge(loaded, language=language)


class TranslatorJudge:
    """A translator of poses as a judge.

    Args:
        package: A package of the system `translate`.
        language: ISO 639-3 code of the sign language.

    Raises:
        PackageError: It reads no poses.
        ConfigError: It does not have the language.
    """

    def __init__(self, package: Package, *, language: str) -> None:
        self._package, self._row = package, TranslatorRow(packages=(package,))
        settings = self._row.settings
        if settings.source != "poses":
            raise PackageError(
                f"The judge must read poses, but {package.name} reads {settings.source}."
            )
        if language not in settings.languages:
            raise ConfigError(
                f"The judge must read the language `{language}`, but {package.name} reads "
                f"{', '.join(settings.languages)}."
            )
        self._start = start_of(language, settings.languages)

    @property
    def signature(self) -> str:
        """One short line that says which judge this is; the sum is over the whole package."""
        return f"translate:{self._package.name}+sha:{self._package.id[:8]}"

    def read(self, poses: Sequence[npt.NDArray[np.float32]]) -> list[tuple[str, ...]]:
        """Read positions [frames, 50, 3] back to tokens, by the package's own search."""
        pairs = [
            Pair(f"pose {number}", to_features(frames), (), "", start=self._start)
            for number, frames in enumerate(poses, 1)
        ]
        return list(self._row.translate(pairs).tokens) if pairs else []


class RecognizerJudge:
    """A recogniser, ready to read.

    Args:
        package: Name or folder of a package of the system `recognize`, or the package itself.
        language: ISO 639-3 code of the sign language; only a package of several looks at it.

    Raises:
        PackageError: It is unknown, damaged, or of another system.
        ConfigError: It is one of several languages, and not of this one.
    """

    def __init__(self, package: Package | str | Path, *, language: str = "") -> None:
        self.package = package if isinstance(package, Package) else load_package(package)
        if self.package.system != "recognize":
            raise PackageError(
                "The judge must be a package of the system `recognize` or `translate`, but "
                f"{self.package.name} is one of `{self.package.system}`. Give it as the model "
                "under test instead."
            )
        self._session = RecognizerSession(self.package)
        known = self._session.settings.languages
        if len(known) > 1 and language not in known:
            raise ConfigError(
                f"The judge must read the language `{language}`, but {self.package.name} reads "
                f"{', '.join(known)}."
            )
        self._language = known.index(language) if len(known) > 1 else 0

    @property
    def signature(self) -> str:
        """One short line that says which judge this is: results of two are not comparable.

        The sum is over what reads, graph and vocabulary; the card may change.
        """
        content = self.package.graph("recognizer") + json.dumps(self.package.vocabulary).encode()
        return f"ctc:{self.package.name}+sha:{hashlib.sha256(content).hexdigest()[:8]}"

    def read(self, poses: Sequence[npt.NDArray[np.float32]]) -> list[tuple[str, ...]]:
        """Read positions [frames, 50, 3] back to tokens, by greedy CTC search."""
        clips = [
            Clip(to_features(frames), np.ones(frames.shape[:2], np.float32)) for frames in poses
        ]
        return [
            tuple(self.package.vocabulary[one] for one in ids)
            for log_probs in self._session.read(clips, language=self._language)
            for ids in greedy(log_probs[None], np.array([len(log_probs)]))
        ]
