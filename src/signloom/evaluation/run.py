"""Evaluate production packages on held-out words, from names to a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.errors import ConfigError
from signloom.evaluation.judge import open_judge
from signloom.evaluation.packages import production_row, refuse_same_names
from signloom.evaluation.rendition import Row
from signloom.evaluation.spelling import SpellingResult, evaluate_spelling
from signloom.runtime.package import load_package
from signloom.runtime.registry import fingerspelling_package
from signloom.tokens.languages import SIGN_LANGUAGES


def run(
    models: Sequence[str | Path] = (),
    *,
    language: str = "ase",
    judge: str | Path | None = None,
    count: int = 300,
    doubled: int = 100,
    seed: int = 0,
    rows: Mapping[str, Row] | None = None,
) -> SpellingResult:
    """Judge production packages beside the control rows.

    Args:
        models: Names or folders of production packages.
        language: ISO 639-3 code of the sign language.
        judge: Name or folder of the recogniser's package; by default the shipped one.
        count: Held-out words of the test split.
        doubled: How many of them, at least, have a doubled letter.
        seed: Fixes words, references and resampling.
        rows: Further systems by name.

    Raises:
        PackageError: A package is unknown or damaged.
        ConfigError: A number is out of range, the test split has too few words, or a model is of
            another language.
        MissingExtraError: The clips that references are built from are not installed.
    """
    refuse_numbers(count=count, doubled=doubled, seed=seed)
    refuse_same_names(models)
    refuse_languages([*models, *([judge] if judge else [])], language=language)
    reader = open_judge(judge or fingerspelling_package("recognize", language), language=language)
    corpus = Fingerspelling(language)
    known = SIGN_LANGUAGES.get(language)
    systems = {Path(model).name: production_row(model) for model in models}
    return evaluate_spelling(
        systems | dict(rows or {}),
        corpus.heldout_texts("test", count, doubled=doubled, seed=seed),
        corpus=corpus,
        judge=reader,
        look_alikes=known.look_alikes if known else (),
        seed=seed,
    )


def refuse_languages(models: Sequence[str | Path], *, language: str) -> None:
    """Refuse packages that spell or read another language than the one that is evaluated.

    Raises:
        ConfigError: There is one.
    """
    for model in models:
        config = load_package(model).config
        own = config.get("language", language)
        if language not in config.get("languages", [own]):
            raise ConfigError(
                f"Every model must be one of the language `{language}`, but {model} is one of "
                f"`{own}`. Evaluate it with --language {own}."
            )


def refuse_numbers(*, count: int, doubled: int, seed: int) -> None:
    """Refuse numbers that no evaluation can have.

    Raises:
        ConfigError: One of them is out of range.
    """
    for name, value, least in (("words", count, 2), ("doubled", doubled, 0), ("seed", seed, 0)):
        if value < least:
            raise ConfigError(f"`{name}` must be at least {least}, but is {value}.")
    if doubled > count:
        raise ConfigError(
            f"`doubled` must be at most `words`, {count}, but is {doubled}. Ask for fewer."
        )
