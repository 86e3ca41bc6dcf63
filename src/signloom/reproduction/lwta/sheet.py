"""Scores of translators in lines, with what sets each apart from the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from signloom.evaluation.paired_bleu import compare_bleu
from signloom.reproduction.grid import Grid
from signloom.reproduction.lwta import published
from signloom.reproduction.lwta.scoring import Scoring, read_translations
from signloom.reproduction.plan import Report, Request

COLUMNS: tuple[str, ...] = (
    "BLEU-4 dev",
    "BLEU-4 test [95 %]",
    "13a",
    "BLEU-1",
    "chrF",
    "ROUGE-L",
    "WER",
    "beam, α",
    "ms a sentence, alone",
    "confidence",
    "spread",
)


def score_sheet(
    title: str,
    request: Request,
    configs: dict[str, Scoring],
    paper: Mapping[str, str],
    rows: list[dict[str, Any]],
) -> Report:
    """Set the scores of rows in lines, each compared with the first row.

    Args:
        title: What the table shows.
        request: Has the folder that the translations lie in.
        configs: What each row measured, by its name.
        paper: What the paper says of a row, in a last column.
        rows: Documents of the rows.
    """
    columns = ["translator", *COLUMNS, "MB", "bits", "Δ to the first [95 %], p"]
    study = next(iter(configs.values())).study
    # Whatever a row reads, the sentences that it is to write are the same.
    references = next(iter(configs.values())).references()
    texts = [read_translations(row["result"], request.folder) for row in rows]
    lines = [
        [row["name"], *_cells(row["result"]), _against(texts[0], own, references) if place else ""]
        for place, (row, own) in enumerate(zip(rows, texts, strict=True))
    ]
    if paper:
        columns.append("paper")
        for line in lines:
            line.append(paper.get(line[0], ""))
    first = rows[0]["result"]["test"]
    grid = Grid(
        title=title,
        columns=tuple(columns),
        lines=tuple(map(tuple, lines)),
        notes=(
            f"{first['bleu_signature']}; 13a: {first['bleu4_13a_signature']}; "
            f"{first['num_sentences']} test sentences, lower case as the field has them.",
            f"Trained by {study.recipe}, d {study.dim}, FFN {study.ffn_dim}, {study.steps} steps "
            "unless said; beam and α chosen on validation for each row; one seed a row unless "
            "said. Paired bootstrap of 1000 draws against the first row.",
        ),
    )
    return Report(grid=grid, facts={"paper": dict(published.TABLE_1)})


def _cells(result: Mapping[str, Any]) -> Sequence[str]:
    test = result["test"]
    low, high = result["interval"]
    bits = result["bits_a_bayesian_weight"]
    return (
        f"{result['dev_bleu4']:.2f}",
        f"{test['bleu4']:.2f} [{low:.1f}-{high:.1f}]",
        f"{test['bleu4_13a']:.2f}",
        f"{test['bleu1']:.2f}",
        f"{test['chrf']:.2f}",
        f"{test['rouge_l']:.2f}",
        f"{test['wer']:.1f}",
        f"{result['beam']}, {result['length_penalty']:g}",
        f"{1000 * result['seconds_alone']:.0f}",
        f"{result['confidence']:.2f}",
        f"{result['spread']:.3f}",
        f"{result['bytes'] / 1e6:.2f}",
        "" if bits is None else f"{bits:.2f}",
    )


def _against(first: Sequence[str], own: Sequence[str], references: Sequence[str]) -> str:
    """Compare a row's translations with the first row's."""
    found = compare_bleu(first, own, references)
    apart = found.difference
    return f"{apart.value:+.2f} [{apart.low:+.2f} to {apart.high:+.2f}], p {found.p_value:.3f}"
