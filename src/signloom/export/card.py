"""The card of a model package: data, licence, figures, the command that made it, what it is not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from signloom.data.corpora.corpus import Corpus
from signloom.data.corpora.recorded import Recorded
from signloom.errors import FormatError
from signloom.export.captioner_card import captioner_parts
from signloom.export.recognizer_card import recognizer_parts
from signloom.export.transcriber_card import transcriber_parts
from signloom.export.translator_card import translator_parts
from signloom.systems.produce.config import ProduceConfig
from signloom.tokens.alphabet import SPECIAL_TOKENS

_READER = "Reads fingerspelled poses as letters (CTC). It judges production models."
_NOT_RECORDED = (
    "It has learned the recordings named above and nothing else: words that they do not have are "
    "unknown to it, it has no face and no mouth, and nobody has asked signers whether they can "
    "read it."
)
_NOT = {
    "produce": (
        "It is not sign language: it *fingerspells*. It has no face, no mouth, no grammar, and "
        "says nothing about how signers spell at speed. It has seen one clip of each letter, so at "
        "best it is as good as a script that stitches those clips."
    ),
    "judge": (
        "It has seen one clip of each letter. That it reads a pose does not mean that people "
        "can, and it will not read other signers."
    ),
}


_SIGNED = (
    "Distances are in shoulder widths, ratios to the reference. The reader of these words learned "
    "from the same clips."
)


@dataclass(frozen=True, kw_only=True)
class Origin:
    """What a card says of the making of a package.

    Attributes:
        recipe: Name of the recipe.
        step: Optimiser steps done.
        init: Checkpoint whose weights the run began with, if any.
        figures: Measured figures, or None to say that there are none.
        half: Whether the weights are rounded to half precision.
        tune: Whether beam and length penalty are chosen on validation, after the export.
    """

    recipe: str
    step: int
    init: str | None = None
    figures: Mapping[str, Any] | None = None
    half: bool = False
    tune: bool = False


def card_of(name: str, *, system: str, task: Any, origin: Origin) -> str:
    """Write a card in Markdown."""
    does, facts, is_not = _describe(task, system)
    row = "ground truth" if system == "judge" else name
    note = "Times are of one thread." if system in ("transcribe", "caption") else _SIGNED
    begun = f", begun with the weights of `{origin.init}`" if origin.init else ""
    lines = [
        f"# {name}",
        "",
        does,
        "",
        *facts,
        f"- Made by `signloom train {origin.recipe}` ({origin.step} steps{begun}) and "
        f"`signloom export{' --half' * origin.half}{' --tune' * origin.tune}`.",
        "",
        "## What it is not",
        "",
        is_not,
        "",
        "## Figures",
        "",
        *(
            _figure_lines(row, origin.figures, note=note)
            if origin.figures
            else ["None were given at export."]
        ),
    ]
    return "\n".join(lines) + "\n"


def _describe(task: Any, system: str) -> tuple[str, list[str], str]:
    if system == "translate":
        return translator_parts(task)
    if system == "transcribe":
        return transcriber_parts(task)
    if system == "caption":
        return captioner_parts(task)
    return recognizer_parts(task) if system == "recognize" else _parts(task, system)


def _parts(task: Any, system: str) -> tuple[str, list[str], str]:
    """Give what a model does in a line, its facts as a list, and what it is not."""
    corpus: Corpus = task.corpus
    is_spelling = corpus.unit == "letters"
    does = _READER
    if system == "produce":
        does = describe_producer(task.model.config, unit=corpus.unit)
    facts = _spelling_lines(corpus) if is_spelling else _recording_lines(corpus)
    return does, facts, _NOT[system] if is_spelling else _NOT_RECORDED


def describe_producer(config: ProduceConfig, *, unit: str = "letters") -> str:
    """Say in one line what a production model does and what it is made of.

    Example:
        >>> describe_producer(ProduceConfig(levels=(8, 4), rich_semantics=True))
        'Spells text letter by letter as 3D poses. PSAT-RS, levels 8-4, with rich semantics.'
    """
    levels = "-".join(map(str, config.levels))
    rich = "with" if config.rich_semantics else "without"
    extras = ", injected" * (config.schedule == "injected") + ", with a counter" * config.counter
    made = f"PSAT-RS, levels {levels}{extras}, {rich} rich semantics."
    does = "Spells text letter by letter" if unit == "letters" else f"Signs {unit}"
    return f"{does} as 3D poses. {made}"


def _spelling_lines(corpus: Corpus) -> list[str]:
    return [
        f"- Language: `{corpus.language}`, {len(corpus.vocabulary) - len(SPECIAL_TOKENS)} letters "
        f"of `{corpus.spoken_language}` text.",
        "- Data: utterances stitched from the letter clips of `spoken-to-signed` (MIT), one clip a "
        "letter.",
        "- Licence: MIT.",
    ]


def _recording_lines(corpus: Corpus) -> list[str]:
    card = corpus.prepared.card if isinstance(corpus, Recorded) else {}
    return [
        f"- Language: `{corpus.language}`; {len(corpus.vocabulary) - 2} {corpus.unit} of "
        f"`{corpus.spoken_language}` text.",
        f"- Data: {card.get('name', 'recordings')}, licence: {card.get('licence', 'not stated')}.",
        "- Licence: that of the data.",
    ]


def read_figures(path: Path) -> dict[str, Any]:
    """Read figures that `signloom evaluate --json` printed.

    Raises:
        FormatError: The file is missing or not what `signloom evaluate` writes.
    """
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise FormatError(f"{path} must be JSON of `signloom evaluate`: {error}.") from error
    if not isinstance(figures, dict):
        raise FormatError(f"{path} must hold a JSON object of `signloom evaluate`.")
    rows = figures.get("rows")
    if not isinstance(rows, dict) or not all(map(_is_row, rows.values())):
        raise FormatError(
            f"`rows` in {path} must hold the figures of each row by name, as `signloom evaluate` "
            "writes them, but does not."
        )
    return figures


def _is_row(row: Any) -> bool:
    figures = row.get("figures") if isinstance(row, dict) else None
    return isinstance(figures, dict) and all(map(_is_figure, figures.values()))


def _is_figure(value: Any) -> bool:
    if isinstance(value, dict):
        return all(
            key in value and not isinstance(value[key], dict) and _is_figure(value[key])
            for key in ("value", "low", "high")
        )
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _figure_lines(row: str, figures: Mapping[str, Any], *, note: str) -> list[str]:
    """Set the row that measures the package beside the others of an evaluation."""
    rows = figures.get("rows", {})
    if row not in rows:
        raise FormatError(
            f"The figures must have a row `{row}`, but have {', '.join(rows) or 'none'}. "
            "Evaluate the package under the name that it is exported to."
        )
    names = [row, *(other for other in rows if other != row)]
    table = ["| figure | " + " | ".join(names) + " |", "| --- |" + " --- |" * len(names)]
    for figure in rows[row]["figures"]:
        cells = [rows[other]["figures"] for other in names]
        values = [_short(one[figure]) if figure in one else "" for one in cells]
        table.append(f"| {figure} | " + " | ".join(values) + " |")
    made = (f"{key} {figures[key]}" for key in ("command", "commit", "machine") if key in figures)
    return [
        f"Signature `{figures.get('signature', 'none')}`; {'; '.join(made)}. Errors in per cent, "
        f"in brackets 95 % intervals. {note}",
        "",
        *table,
    ]


def _short(value: Any) -> str:
    if isinstance(value, dict):
        short, low, high = (_short(value[key]) for key in ("value", "low", "high"))
        return short if value["value"] is None else f"{short} [{low}, {high}]"
    return "not available" if value is None else f"{value:.4g}"
