"""What is trained for a table: a recipe and what differs from it, kept in a folder by its hash.

<folder>/runs/<hash>          checkpoints and curve; a run that was stopped goes on
<folder>/packages/<name>      its model package
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from signloom.export.card import Origin
from signloom.export.package import export_task
from signloom.reproduction.trained import Trial
from signloom.runtime.checksums import CHECKSUMS_FILE
from signloom.runtime.package import Package, load_package
from signloom.training.restore import restore


@dataclass(frozen=True, kw_only=True)
class Study:
    """What all rows share; `--set study.KEY=VALUE` changes it."""

    recipe: str = "translate/phoenix14t_gloss_small"
    """Recipe that all variants start from."""
    data: str = "data/phoenix14t_text"
    """Folder of the glosses and sentences of PHOENIX-2014-T."""
    glosses: str = "phoenix2014T.{split}.gloss"
    """Files of the glosses that people wrote down."""
    recognised: str = "stmc.{split}.gloss"
    """Files of the glosses that a recogniser read in the videos."""
    sentences: str = "phoenix2014T.{split}.de"
    """Files of the sentences."""
    steps: int = field(default=3000, metadata={"least": 1, "most": 10000000})
    """Optimiser steps of every variant."""
    sweep_steps: int = field(default=600, metadata={"least": 1, "most": 10000000})
    """Optimiser steps of every run of the sweep over KL scales."""
    dim: int = field(default=128, metadata={"least": 4, "most": 4096})
    """Size of every state."""
    ffn_dim: int = field(default=256, metadata={"least": 4, "most": 65536})
    """Hidden size of the feed-forward networks."""
    samples: int = field(default=4, metadata={"least": 0, "most": 64})
    """Posterior samples of stochastic models, S; ensembles and compressed models take means."""
    seeds: tuple[int, ...] = field(default=(0, 1, 2, 3), metadata={"least": 0})
    """Seeds of the members of an ensemble; the first is that of every other row."""
    beams: tuple[int, ...] = field(default=(1, 4), metadata={"least": 1, "most": 64})
    """Widths of the beam that validation chooses from."""
    penalties: tuple[float, ...] = field(
        default=(0.6, 1.0, 1.4, 1.8), metadata={"least": 0, "most": 10}
    )
    """Exponents of the length penalty that validation chooses from."""

    def source(self, kind: str) -> str:
        """Give the files of a kind of glosses, `written` or `recognised`."""
        return f"{self.data}/{self.recognised if kind == 'recognised' else self.glosses}"

    @property
    def target(self) -> str:
        """The files of the sentences."""
        return f"{self.data}/{self.sentences}"


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A model to train.

    Attributes:
        units: `relu` or `lwta`.
        weights: `point` or `bayesian`.
        layers: Of encoder and decoder each.
        seed: Of weights, batches and noise.
        glosses: What it is trained on, `written` or `recognised`.
        weight_divergence: s_w, in units of 1 / number of Bayesian weights.
        winner_divergence: s_ξ, in units of 1 / number of blocks.
        steps: Optimiser steps; by default the study's.
    """

    units: str = "lwta"
    weights: str = "bayesian"
    layers: int = 2
    seed: int = 0
    glosses: str = "written"
    weight_divergence: float = 0.1
    winner_divergence: float = 0.1
    steps: int | None = None

    def overrides(self, study: Study) -> list[str]:
        """Say how its recipe differs from the study's, as `--set` does."""
        values = {
            "corpus.source": study.source(self.glosses),
            "corpus.target": study.target,
            "model.dim": study.dim,
            "model.ffn_dim": study.ffn_dim,
            "model.units": self.units,
            "model.weights": self.weights,
            "model.encoder_layers": self.layers,
            "model.decoder_layers": self.layers,
            "task.weight_divergence": self.weight_divergence,
            "task.winner_divergence": self.winner_divergence,
            "training.seed": self.seed,
            "training.steps": self.steps or study.steps,
        }
        return [f"{key}={json.dumps(value)}" for key, value in values.items()]


def package_of(variant: Variant, study: Study, folder: Path) -> Package:
    """Train a variant, unless that was done, and give its package.

    Raises:
        ConfigError: The recipe does not hold, its files are not there, or the folder holds a run
            of another recipe.
    """
    trial = Trial(recipe=study.recipe, overrides=tuple(variant.overrides(study)))
    place = folder / "packages" / f"translate-{variant.units}-{variant.weights}-{trial.digest}"
    checkpoint = trial.checkpoint(folder)
    if (place / CHECKSUMS_FILE).is_file():
        return load_package(place)
    trained = restore(checkpoint)
    origin = Origin(recipe=trained.recipe.name, step=trained.step)
    return export_task(trained.task, place, system="translate", origin=origin)
