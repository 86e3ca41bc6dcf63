"""What all rows of the tables of NAT-UBD share, and the trainings that they name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from signloom.reproduction.trained import Trial

ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "Q̂K̂V̂, self mask (NAT-UBD), input spoiled": {},
    "Q̂K̂V̂, self mask (NAT-UBD)": {"task.input_noise": 0.0},
    "QKV, self mask": {"task.input_noise": 0.0, "model.separate": False},
    "Q̂K̂V̂, padding mask": {"task.input_noise": 0.0, "model.self_mask": False},
    "QKV, padding mask": {
        "task.input_noise": 0.0,
        "model.separate": False,
        "model.self_mask": False,
    },
}
"""The paper's table 3: what keeps a token from its own output, taken away. True transcripts are the
input in training there; our recipe spoils them."""
DECODERS: Mapping[str, Mapping[str, Any]] = {
    "L2R": {"model.decoder": "left_to_right"},
    "R2L": {"model.decoder": "right_to_left"},
    "L2R + R2L": {"model.decoder": "both"},
    "UBD": {},
}
"""The paper's table 5."""
ENCODER = ("subsampling", "encoder", "ctc")
"""What is not the decoder."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """What all rows share; `--set study.KEY=VALUE` changes it."""

    digits: str = "data/fsdd"
    """Folder of the recordings of FSDD."""
    recipe: str = "transcribe/digits"
    """Recipe of all trainings on digit strings."""
    mandarin: str = "data/aishell_sample"
    """Folder of Mandarin utterances that the reader of the next recipe lists."""
    mandarin_recipe: str = "transcribe/mandarin_sample"
    """Recipe of the training on them."""
    synthetic: str = "data/synthetic"
    """Folder of synthetic speech with its table."""
    synthetic_recipe: str = "transcribe/synthetic"
    """Recipe of the training on it."""
    steps: int = field(default=600, metadata={"least": 1, "most": 10000000})
    """Optimiser steps of each decoder, on the encoder of the shipped model."""
    speaker_steps: int = field(default=700, metadata={"least": 1, "most": 10000000})
    """Optimiser steps without one speaker."""
    ablation_steps: int = field(default=300, metadata={"least": 1, "most": 10000000})
    """Optimiser steps of each ablation, with an encoder of its own."""
    mandarin_steps: int = field(default=300, metadata={"least": 1, "most": 10000000})
    """Optimiser steps on Mandarin."""
    synthetic_steps: int = field(default=500, metadata={"least": 1, "most": 10000000})
    """Optimiser steps on synthetic speech."""
    speakers: tuple[str, ...] = ("george", "jackson", "lucas", "nicolas", "theo", "yweweler")
    """Speakers that are left out, one after the other."""
    noises_db: tuple[float, ...] = (10.0, 0.0)
    """Distances of white noise below the speech, dB."""
    ctc_weight: float = field(default=0.3, metadata={"least": 0, "most": 0.99})
    """What CTC counts in joint decoding."""
    beam: int = field(default=10, metadata={"least": 1, "most": 64})
    """Beam of the autoregressive baseline."""
    timed: int = field(default=100, metadata={"least": 1, "most": 100000})
    """Test utterances that are transcribed one by one to take the time."""

    def shipped_trial(self) -> Trial:
        """Train on digit strings as the recipe says, as the shipped model was."""
        return Trial.of(self.recipe, {"corpus.path": self.digits})

    def digits_trial(self, changes: Mapping[str, Any]) -> Trial:
        """Train a decoder anew, on the encoder of the shipped model, which goes on learning."""
        trial = self.fresh_trial(changes, steps=self.steps)
        return replace(trial, begins=self.shipped_trial(), parts=ENCODER)

    def fresh_trial(self, changes: Mapping[str, Any], *, steps: int) -> Trial:
        """Train everything anew."""
        values = {"corpus.path": self.digits, "training.steps": steps}
        return Trial.of(self.recipe, values | dict(changes))
