"""The card of a model package: data, licence, figures, the command that made it, what it is not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.errors import FormatError

_WHAT = {
    "produce": "Spells text letter by letter as 3D poses (PSAT-RS: a pyramid of relaxed masks).",
    "recognize": "Reads fingerspelled poses as letters (CTC). It judges production models.",
}
_NOT = {
    "produce": (
        "It is not sign language: it *fingerspells*. It has no face, no mouth, no grammar, and "
        "says nothing about how signers spell at speed. It has seen one clip of each letter, so at "
        "best it is as good as a script that stitches those clips."
    ),
    "recognize": (
        "It has seen one clip of each letter. That it reads a pose does not mean that people "
        "can, and it will not read other signers."
    ),
}


def card_of(
    name: str,
    *,
    system: str,
    corpus: Fingerspelling,
    recipe: str,
    step: int,
    figures: Mapping[str, Any] | None = None,
) -> str:
    """Write a card in Markdown."""
    alphabet = corpus.alphabet
    lines = [
        f"# {name}",
        "",
        _WHAT[system],
        "",
        f"- Language: `{alphabet.language}`, {len(alphabet.letters)} letters of "
        f"`{alphabet.spoken_language}` text.",
        "- Data: utterances stitched from the letter clips of `spoken-to-signed` (MIT), one clip a "
        "letter.",
        "- Licence: MIT.",
        f"- Made by `signloom train {recipe}` ({step} steps) and `signloom export`.",
        "",
        "## What it is not",
        "",
        _NOT[system],
        "",
        "## Figures",
        "",
        *(_figure_lines(name, figures) if figures else ["None were given at export."]),
    ]
    return "\n".join(lines) + "\n"


def read_figures(path: Path) -> dict[str, Any]:
    """Read figures that `signloom evaluate --json` printed.

    Raises:
        FormatError: The file is missing or no JSON object.
    """
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"{path} must be JSON of `signloom evaluate`: {error}.") from error
    if not isinstance(figures, dict):
        raise FormatError(f"{path} must hold a JSON object of `signloom evaluate`.")
    return figures


def _figure_lines(name: str, figures: Mapping[str, Any]) -> list[str]:
    """Set the package's row of an evaluation beside the control rows."""
    rows = figures.get("rows", {})
    if name not in rows:
        raise FormatError(
            f"The figures must have a row `{name}`, but have {', '.join(rows) or 'none'}. "
            "Evaluate the package under the name that it is exported to."
        )
    names = [name, *(row for row in rows if row != name)]
    table = ["| figure | " + " | ".join(names) + " |", "| --- |" + " --- |" * len(names)]
    for figure in rows[name]["figures"]:
        values = (_short(rows[row]["figures"].get(figure)) for row in names)
        table.append(f"| {figure} | " + " | ".join(values) + " |")
    return [f"`{figures.get('signature', 'no signature')}`", "", *table]


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value['value']:.4g} [{value['low']:.4g}, {value['high']:.4g}]"
    return "" if value is None else f"{value:.4g}"
