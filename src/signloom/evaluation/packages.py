"""Production packages as rows of a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from signloom.errors import ConfigError
from signloom.evaluation.rendition import Rendition, Row
from signloom.pipelines.produce import Producer


def refuse_same_names(models: Sequence[str | Path]) -> None:
    """Refuse two models whose rows would have one name.

    Raises:
        ConfigError: There are two.
    """
    names = [Path(model).name for model in models]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConfigError(
            f"Every model must have a name of its own, but two are called {twice}. Name each once."
        )


def production_row(model: str | Path | None = None) -> Row:
    """Make a row of a production package: each text at its own predicted length.

    Args:
        model: Name or folder of the package; the default is the shipped one.
    """
    filtered, raw = Producer(model), Producer(model)
    raw.settings = replace(raw.settings, output_filter=False)

    def render(texts: Sequence[str]) -> list[Rendition]:
        renditions = []
        for text in texts:
            production = filtered.produce(text)
            before = raw.produce(text).pose.frames
            renditions.append(
                Rendition(
                    production.pose.frames,
                    before,
                    production.num_passes,
                    filtered.session.schedule.passes(production.pose.num_frames),
                )
            )
        return renditions

    return render
