"""A signer never seen: trained without one language whose letters the others share, tested on it.

The clips of a language are one signer's. Which of the known languages the model is told is a
choice; each is tried, and the union of their letters may be read. Phrases with a letter that no
other language has are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from signloom.data.corpora.spelled_phrases import SpelledPhrases
from signloom.metrics.text import fold
from signloom.reproduction.stamf.scoring import Errors
from signloom.reproduction.trained import Trial
from signloom.systems.recognize.task import RecognizeTask
from signloom.tokens.languages import SIGN_LANGUAGES
from signloom.training.restore import restore


@dataclass(frozen=True, kw_only=True)
class Unseen:
    """A row.

    Attributes:
        trial: Trained without the language.
        language: ISO 639-3 code of the language that is tested.
    """

    trial: Trial
    language: str


def measure_unseen(config: Unseen, *, folder: Path) -> dict[str, Any]:
    """Read held-out phrases of the languages that were trained on, and of the one that was not.

    Args:
        config: The row.
        folder: Where runs lie.
    """
    trained = restore(config.trial.checkpoint(folder))
    task: RecognizeTask = trained.task
    known = task.corpus.languages
    look_alikes = SIGN_LANGUAGES[config.language].look_alikes
    scores: dict[str, Any] = {}
    learned = Errors()
    examples = task.corpus.examples("test")
    for tokens, example in zip(task.read(examples), examples, strict=True):
        own = SIGN_LANGUAGES[example.language].look_alikes
        learned.add(fold(tokens, own), replace(example, tokens=fold(example.tokens, own)), set())
    scores[f"languages learned ({', '.join(known)})"] = learned.to_dict()
    vocabulary = task.corpus.vocabulary
    phrases = [
        one
        for one in SpelledPhrases([config.language]).examples("test")
        if all(token in vocabulary for token in one.tokens)
    ]
    for told in known:
        errors = Errors()
        read = task.read([replace(one, language=told) for one in phrases])
        for tokens, example in zip(read, phrases, strict=True):
            wanted = replace(example, tokens=fold(example.tokens, look_alikes))
            errors.add(fold(tokens, look_alikes), wanted, set())
        scores[f"{config.language}, read as {told}"] = errors.to_dict()
    parameters = sum(one.numel() for one in task.model.parameters())
    return {"scores": scores, "steps": trained.step, "parameters": parameters}
