"""Table 7: ten sentences, what was signed, what people wrote and what translators make of it."""

from __future__ import annotations

from typing import Any

from signloom.data.corpora.parallel_text import ParallelText
from signloom.reproduction.grid import Grid
from signloom.reproduction.lwta.scoring import read_translations
from signloom.reproduction.lwta.variants import Study
from signloom.reproduction.plan import Report, Request

SENTENCES = 10


def show_samples(study: Study, request: Request, rows: list[dict[str, Any]]) -> Report:
    """Set sentences of the test set side by side, evenly spread over it and not chosen."""
    corpus = ParallelText(study.source("written"), study.target)
    test = corpus.pairs("test")
    places = [number * len(test) // SENTENCES for number in range(SENTENCES)]
    texts = {row["name"]: read_translations(row["result"], request.folder) for row in rows}
    lines = [
        (
            test[place].name,
            " ".join(map(str, test[place].source)),
            test[place].text,
            *(text[place] for text in texts.values()),
        )
        for place in places
    ]
    grid = Grid(
        title="LWTA, table 7: ten test sentences",
        columns=("sentence", "glosses", "reference", *texts),
        lines=tuple(lines),
        notes=(f"Evenly spread over the {len(test)} sentences of the test set, not chosen.",),
    )
    return Report(grid=grid)
