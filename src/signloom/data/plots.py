"""Pictures of a corpus: how long its utterances are, and how much of them was seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from signloom.data.corpora.words import SPLITS
from signloom.data.findings import Findings, Observation
from signloom.errors import FormatError, MissingExtraError
from signloom.poses.formats.atomic import check_writable, replacing

BINS = 30
MOST_FREQUENT = 20
PANELS: tuple[tuple[str, Callable[[Observation], float]], ...] = (
    ("length in seconds", lambda seen: seen.num_frames / seen.fps),
    ("words in the text", lambda seen: len(seen.text.split())),
    ("share of joints that were not seen", lambda seen: seen.missing),
)


def check_plot(path: Path) -> None:
    """Refuse, before any work is done, a picture that could not be drawn.

    Raises:
        MissingExtraError: matplotlib is not installed.
        FormatError: The path does not end in `.png` or cannot be written to.
    """
    if path.suffix.lower() != ".png":
        raise FormatError(f"A plot must end in .png, but {path} does not.")
    check_writable(path)
    _figure()


def plot(findings: Findings, path: Path) -> None:
    """Draw lengths, words a text, missing joints and the most frequent tokens as a PNG.

    Raises:
        MissingExtraError: matplotlib is not installed.
        FormatError: The place cannot be written to.
    """
    figure = _figure()(figsize=(11, 8), layout="constrained")
    axes = figure.subplots(2, 2)
    members = {
        split: [seen for seen in findings.seen if seen.split == split]
        for split in SPLITS
        if any(seen.split == split for seen in findings.seen)
    }
    for axis, (title, measure) in zip(axes.flat, PANELS, strict=False):
        values = [[measure(seen) for seen in rows] for rows in members.values()]
        axis.hist(values, bins=BINS, stacked=True, label=list(members))
        axis.set_xlabel(title)
        axis.set_ylabel("utterances")
    if members:
        axes.flat[0].legend()
    _plot_frequencies(axes.flat[3], findings)
    figure.suptitle(f"{findings.about['name']}: {len(findings.seen)} utterances")
    with replacing(path) as temporary:
        figure.savefig(temporary, format="png", dpi=120)


def _plot_frequencies(axis: Any, findings: Findings) -> None:
    """Draw the most frequent glosses, or words where there are no glosses."""
    glosses = Counter(gloss for seen in findings.seen for gloss in seen.glosses)
    words = Counter(word for seen in findings.seen for word in seen.text.split())
    counts = (glosses or words).most_common(MOST_FREQUENT)[::-1]
    axis.barh([token for token, _ in counts], [count for _, count in counts])
    axis.set_xlabel("glosses" if glosses else "words")
    axis.tick_params(axis="y", labelsize=7)


def _figure() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("eval", "A plot of a corpus") from error
    return Figure
