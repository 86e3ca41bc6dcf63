"""A parallel text and a corpus of features that are learned in seconds, by tiny models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from signloom.data.corpora.parallel_text import ParallelText
from signloom.data.pair import Pair
from signloom.systems.translate.config import TranslateConfig
from signloom.systems.translate.task import TranslateTask, TranslateTaskConfig
from signloom.tokens.targets import END, START
from signloom.tokens.vocabulary import Vocabulary

SENTENCES = (
    ("MORGEN REGEN", "morgen regnet es ."),
    ("MORGEN SONNE", "morgen scheint die sonne ."),
    ("NORD REGEN", "im norden regnet es ."),
    ("NORD SONNE MORGEN", "morgen scheint im norden die sonne ."),
    ("SUED REGEN", "im sueden regnet es ."),
    ("SONNE", "die sonne scheint ."),
    ("REGEN", "es regnet ."),
)


def write_text(folder: Path) -> tuple[str, str]:
    """Write the sentences as every split; give the paths of glosses and sentences."""
    for split in ("train", "dev", "test"):
        for place, end in enumerate(("gloss", "de")):
            lines = "".join(f"{pair[place]}\n" for pair in SENTENCES)
            (folder / f"toy.{split}.{end}").write_text(lines, encoding="utf-8")
    return str(folder / "toy.{split}.gloss"), str(folder / "toy.{split}.de")


class Letters:
    """A corpus of features: each letter is three frames of its own numbers, two languages."""

    kind = "fingerspelling"
    unit = "letters"
    languages = ("ase", "gsg")
    spoken_language = "en"
    source_kind = "poses"
    source_vocabulary = None
    num_features = 5
    max_tokens = 4
    max_source = 12
    words = ("ab", "cab", "b", "abca")

    def __init__(self) -> None:
        rng = np.random.default_rng(0)
        self.shapes = {one: rng.normal(size=(3, 5)).astype(np.float32) for one in "abc"}
        self.mean = rng.normal(size=5).astype(np.float32)
        self.std = (rng.random(5) + 0.5).astype(np.float32)
        self.vocabulary = Vocabulary(
            ("<pad>", "<unk>", START, END, "<ase>", "<gsg>", "a", "b", "c")
        )
        self.gloss_vocabulary = Vocabulary(("<pad>", "a", "b", "c"))

    def pairs(self, split: str) -> list[Pair]:
        return [
            Pair(
                word,
                np.concatenate([self.shapes[one] for one in word]),
                tuple(word),
                word,
                glosses=tuple(word),
                start=("<ase>", "<gsg>")[number % 2],
            )
            for number, word in enumerate(self.words)
        ]

    def draw(self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4) -> list[Pair]:
        pairs = self.pairs(split)
        return [pairs[int(place)] for place in rng.integers(len(pairs), size=size)]


def tiny_task(corpus: Any, model: dict[str, Any] | None = None, **task: Any) -> TranslateTask:
    """Make a task of a tiny model, the same one every time."""
    torch.manual_seed(0)
    sizes = {"dim": 12, "ffn_dim": 20, "num_heads": 3, "encoder_layers": 1, "decoder_layers": 1}
    config = TranslateConfig(**(sizes | {"dropout": 0.0} | (model or {})))
    config.check()
    own = TranslateTaskConfig(**({"batch_size": 5, "pool": 1} | task))
    return TranslateTask(config, own, corpus=corpus, seed=3)


def toy_corpus(folder: Path) -> ParallelText:
    """Write the sentences and open them."""
    return ParallelText(*write_text(folder))
