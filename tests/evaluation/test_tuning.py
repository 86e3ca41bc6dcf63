"""Tuning finds the search that is best on validation, and the package keeps it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from signloom.data.pair import Pair
from signloom.errors import ConfigError
from signloom.evaluation.translators import TranslatorRow
from signloom.evaluation.tuning import grid, set_search, tune
from signloom.poses.skeleton import RIGHT_WRIST
from signloom.runtime.package import load_package
from signloom.runtime.translate_settings import TranslateSettings
from tests.tiny_translator import STRIDE, write_tiny_translator

SOURCES = [("NORD", "REGEN", "ABEND", "SONNE", "NORD"), ("SONNE", "MORGEN", "REGEN", "NORD")]
UNSURE = {"sureness": np.array([-1.1], np.float32)}


def pairs_of(texts: list[tuple[str, ...]]) -> list[Pair]:
    return [
        Pair("x", source, tokens, " ".join(tokens))
        for source, tokens in zip(SOURCES, texts, strict=True)
    ]


def test_words_are_tuned_for_bleu_and_of_equals_the_smaller_beam_is_taken(tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    package = write_tiny_translator(tmp_path / "tiny", weights=UNSURE, beam=2)
    said = [tuple(gloss.lower() for gloss in source) for source in SOURCES]
    told: list[int] = []
    tuned = tune(TranslatorRow(packages=(package,)), pairs_of(said), done=told.append)
    assert (tuned.beam, tuned.length_penalty, tuned.measure) == (1, 0.0, "bleu")
    assert tuned.score == pytest.approx(100) == tuned.table[2, 1.2] == tuned.table[8, 2.0]
    # A beam without a length penalty ends too soon: the grid matters here.
    assert max(tuned.table[beam, 0.0] for beam in (2, 4, 8)) < 50
    assert sum(told) == len(grid()) * len(SOURCES)


def test_letters_are_tuned_for_few_errors_and_the_search_that_wrote_them_is_found(
    tmp_path: Path,
) -> None:
    unsure = {"sureness": np.array([-0.3], np.float32)}
    package = write_tiny_translator(tmp_path / "tiny", source="poses", weights=unsure)
    row = TranslatorRow(packages=(package,))
    frames = np.zeros((STRIDE * 5, 150), np.float32)
    frames[:, 3 * RIGHT_WRIST] = np.repeat([1, 0, 3, 2, 1], STRIDE)
    blank = Pair("x", frames, (), "", start="<ase>")
    [short] = row.translate([blank], beam=8, length_penalty=0.4).tokens
    [long] = row.translate([blank], beam=1).tokens
    assert short != long
    tuned = tune(row, [replace(blank, tokens=short)])
    assert (tuned.measure, tuned.score) == ("letter_error", 0)
    assert tuned.score == tuned.table[8, 0.4] < tuned.table[1, 0.0]
    assert tuned.beam == 8
    [again] = row.translate([blank], beam=tuned.beam, length_penalty=tuned.length_penalty).tokens
    assert again == short
    assert tune(row, [replace(blank, tokens=long)]).beam == 1


def test_places_come_once_each_and_in_order() -> None:
    assert grid((4, 2, 1), (1.0, 0.5)) == [(1, 0.5), (2, 0.5), (2, 1.0), (4, 0.5), (4, 1.0)]


def test_the_package_keeps_what_was_best_and_everything_else(tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    package = write_tiny_translator(tmp_path / "tiny", beam=3)
    row = TranslatorRow(packages=(package,))
    tuned = tune(row, pairs_of([("regen",), ("sonne",)]), beams=(2,), length_penalties=(0.4,))
    changed = set_search(package, tuned)
    settings = TranslateSettings.read(load_package(tmp_path / "tiny"))
    assert (settings.beam, settings.length_penalty) == (2, 0.4)
    assert changed.id != package.id
    assert (changed.graphs, changed.weights) == (package.graphs, package.weights)
    assert (changed.vocabulary, changed.source_vocabulary) == (
        package.vocabulary,
        package.source_vocabulary,
    )
    assert changed.card.startswith(package.card)
    assert "A beam of 2 and a length penalty of 0.4" in changed.card


def test_nothing_to_tune_on_is_refused(tmp_path: Path) -> None:
    row = TranslatorRow(packages=(write_tiny_translator(tmp_path / "tiny"),))
    with pytest.raises(ConfigError, match="has 0 and 19"):
        tune(row, [])
