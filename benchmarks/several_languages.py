"""One model for several sign languages against one model each, at equal optimiser steps.

    python benchmarks/several_languages.py CHECKPOINT FOLDER [--steps 2000] [--words 100]

A tag names the language before the letters, which the languages share by name. Both begin with the
weights of CHECKPOINT, the American model; the models of one language are the shipped packages, made
with the same steps and batch. Writes FOLDER/report.json.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.corpora.statistics import fit_standardiser
from signloom.data.example import Example
from signloom.evaluation.report import provenance
from signloom.evaluation.run import run as evaluate
from signloom.poses.normalize import Standardiser
from signloom.runtime.registry import fingerspelled_languages, fingerspelling_package
from signloom.systems.produce.task import ProduceTask
from signloom.tokens.alphabet import SPECIAL_TOKENS
from signloom.tokens.spelling import spell
from signloom.tokens.vocabulary import Vocabulary
from signloom.training.checkpoint import load_weights, read_checkpoint
from signloom.training.recipe import load_recipe
from signloom.training.rows import checkpoint_row
from signloom.training.run import run as train


class SeveralLanguages:
    """Fingerspelling of several languages, each utterance of one of them, drawn evenly."""

    kind, unit, language, spoken_language = "fingerspelling", "letters", "mul", "mul"
    fps = Fingerspelling.fps
    max_tokens = Fingerspelling.max_tokens + 1
    max_frames = Fingerspelling.max_frames

    def __init__(self, codes: Sequence[str]) -> None:
        self.corpora = {code: Fingerspelling(code) for code in codes}
        letters = sorted(
            {one for corpus in self.corpora.values() for one in corpus.alphabet.letters}
        )
        self.vocabulary = Vocabulary((*SPECIAL_TOKENS, *map(tag, codes), *letters))

    @cached_property
    def standardiser(self) -> Standardiser:
        """Mean and spread of the features over all languages."""
        return fit_standardiser(self)

    def sample(self, rng: np.random.Generator) -> Example:
        """Draw a training utterance of any language."""
        code = self._pick(rng)
        return tagged(self.corpora[code].sample(rng), code)

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Example]:
        """Draw a batch; see `data.corpora.corpus`."""
        if split != "train":
            return [self._word(rng, split) for _ in range(size)]
        drawn = [
            (code := self._pick(rng), self.corpora[code].random_text(rng))
            for _ in range(size * pool)
        ]
        drawn.sort(key=lambda one: len(one[1]))
        first = size * int(rng.integers(pool))
        return [
            tagged(self.corpora[code].build(text, rng, jitter=True), code)
            for code, text in drawn[first : first + size]
        ]

    def check_batch(self, size: int) -> None:
        """Accept any size: words are drawn with replacement."""

    def _pick(self, rng: np.random.Generator) -> str:
        return list(self.corpora)[int(rng.integers(len(self.corpora)))]

    def _word(self, rng: np.random.Generator, split: str) -> Example:
        code = self._pick(rng)
        words = self.corpora[code].words(split)
        return tagged(self.corpora[code].build(words[int(rng.integers(len(words)))], rng), code)


def tag(code: str) -> str:
    """Name the token that stands for a language."""
    return f"<{code}>"


def tagged(example: Example, code: str) -> Example:
    """Put the language before the letters."""
    return replace(example, tokens=(tag(code), *example.tokens), spans=())


def tagging(corpus: SeveralLanguages, code: str) -> Callable[[str], tuple[str, ...]]:
    """Give what cuts a text of one language into tokens."""
    alphabet = corpus.corpora[code].alphabet
    return lambda text: (tag(code), *spell(text, alphabet))


def main() -> None:
    """Train, evaluate, write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--words", type=int, default=100)
    options = parser.parse_args()
    codes = list(fingerspelled_languages())
    corpus = SeveralLanguages(codes)
    settings = [f"training.steps={options.steps}", f"training.init={options.checkpoint}"]
    recipe = load_recipe("produce/fingerspelling_ase", settings)
    task = ProduceTask(recipe.sections["model"], recipe.sections["task"], corpus=corpus, seed=0)
    last = train(recipe, options.folder / "run", resume=True, task=task)
    load_weights(task, read_checkpoint(last), last)
    task.eval()
    report = {**provenance(), "steps": options.steps, "languages": {}}
    for code in codes:
        own = fingerspelling_package("produce", code)
        result = evaluate(
            [own],
            language=code,
            count=options.words,
            doubled=options.words // 3,
            seed=7,
            rows={"several": checkpoint_row(task, tagging(corpus, code))},
        )
        report["languages"][code] = {
            name: asdict(result.summaries[name]) for name in (own, "several")
        }
        (options.folder / "report.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
