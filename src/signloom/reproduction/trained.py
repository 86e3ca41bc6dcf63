"""What is trained for a table: a recipe and what differs from it, kept in a folder by its hash.

<folder>/runs/<hash>          checkpoints and curve; a run that was stopped goes on
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from signloom.errors import ConfigError
from signloom.training.callbacks import AVERAGE, LAST
from signloom.training.checkpoint import read_checkpoint
from signloom.training.distillation import Teacher
from signloom.training.recipe import Recipe, from_dict, load_recipe
from signloom.training.run import run

HASH_DIGITS = 12


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A training.

    Attributes:
        recipe: Its recipe, by name or path.
        overrides: `section.key=value` texts that change it.
        begins: Another training whose weights it begins with.
        parts: Parts of the model that begin so; all where none is named.
        teacher: Another training, of captions, whose captions of the training pictures it learns.
    """

    recipe: str
    overrides: tuple[str, ...] = ()
    begins: Trial | None = None
    parts: tuple[str, ...] = ()
    teacher: Trial | None = None

    @classmethod
    def of(cls, recipe: str, values: Mapping[str, Any]) -> Trial:
        """Name a training by its recipe and the values that it changes."""
        overrides = tuple(f"{key}={json.dumps(value)}" for key, value in values.items())
        return cls(recipe=recipe, overrides=overrides)

    @property
    def digest(self) -> str:
        """What its files are named after."""
        begun = [self.begins.digest, *self.parts] if self.begins else []
        taught = ["taught by", self.teacher.digest] if self.teacher else []
        return digest([self.recipe, *self.overrides, *begun, *taught])

    def checkpoint(self, folder: Path) -> Path:
        """Train it, unless that was done, and give its checkpoint.

        It is the average of the best where the recipe asks for one, else the last.

        Args:
            folder: Where runs lie.

        Raises:
            ConfigError: The recipe does not hold, its files are not there, or the folder holds a
                run of another recipe.
        """
        given = [*self._beginning(folder), *self._taught(folder)]
        recipe = load_recipe(self.recipe, [*self.overrides, *given])
        last = folder / "runs" / self.digest / LAST
        if not _is_done(last, recipe):
            run(recipe, last.parent, resume=last.is_file())
        average = last.with_name(AVERAGE)
        return average if recipe.training.average > 1 and average.is_file() else last

    def _beginning(self, folder: Path) -> list[str]:
        if self.begins is None:
            return []
        path = self.begins.checkpoint(folder).resolve()
        parts = json.dumps(list(self.parts))
        return [f"training.init={json.dumps(str(path))}", f"training.init_only={parts}"]

    def _taught(self, folder: Path) -> list[str]:
        """Let the teacher caption the training pictures, unless that was done."""
        if self.teacher is None:
            return []
        path = (folder / "taught" / f"{self.teacher.digest}.jsonl").resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        Teacher(self.teacher.checkpoint(folder)).write(path)
        return [f"corpus.taught={json.dumps(str(path))}"]


def digest(texts: Sequence[str]) -> str:
    """Give a short hash of texts."""
    return hashlib.sha256(json.dumps(list(texts)).encode()).hexdigest()[:HASH_DIGITS]


def _is_done(checkpoint: Path, recipe: Recipe) -> bool:
    """Say whether a run is over; refuse one of another recipe."""
    if not checkpoint.is_file():
        return False
    entry = read_checkpoint(checkpoint)["signloom"]
    found = from_dict(entry["recipe"], name=entry["name"], label=str(checkpoint))
    if found.to_dict() != recipe.to_dict():
        raise ConfigError(
            f"{checkpoint.parent} must hold a run of {recipe.name} as it is now, but holds one of "
            "another recipe. Remove the folder, or choose another with --out."
        )
    return bool(entry["step"] >= recipe.training.steps)
