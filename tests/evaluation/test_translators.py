"""A row translates by the packages, samples and search that it names, and by no others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.data.pair import Pair
from signloom.errors import ConfigError
from signloom.evaluation.translators import TranslatorRow
from signloom.runtime.package import Package
from tests.tiny_translator import write_tiny_translator

PAIRS = [
    Pair("1", ("NORD", "REGEN", "ABEND"), ("nord", "regen", "abend"), "nord regen abend"),
    Pair("2", ("SONNE",), ("sonne",), "sonne"),
    Pair("3", ("MORGEN", "SONNE"), ("morgen", "regen"), "morgen regen"),
]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return write_tiny_translator(tmp_path_factory.mktemp("row") / "tiny", beam=3)


def test_texts_tokens_and_hypotheses_come_in_the_order_of_the_pairs(package) -> None:
    told: list[int] = []
    found = TranslatorRow(packages=(package,)).translate(PAIRS, done=told.append)
    assert found.texts == ("nord regen abend", "sonne", "morgen sonne")
    assert found.tokens == tuple(tuple(text.split()) for text in found.texts)
    assert [len(one.ids) for one in found.hypotheses] == [3, 1, 2]
    assert sum(told) == 3
    assert found.seconds > 0


def test_the_search_is_the_packages_unless_the_row_or_the_call_says_otherwise(package) -> None:
    assert TranslatorRow(packages=(package,)).width == 3
    row = TranslatorRow(packages=(package,), beam=2, length_penalty=0.5)
    assert (row.width, row.exponent) == (2, 0.5)
    [own] = row.translate(PAIRS[:1]).hypotheses
    [other] = row.translate(PAIRS[:1], length_penalty=0.0).hypotheses
    assert other.ids == own.ids
    assert other.score == pytest.approx(own.score * (9 / 6) ** 0.5)


def test_samples_and_members_have_a_spread_and_a_seed(package) -> None:
    def spread(*packages: Package, samples: int, seed: int = 0) -> float:
        row = TranslatorRow(packages=packages, samples=samples, seed=seed)
        return row.translate(PAIRS).hypotheses[0].spread

    assert spread(package, package, samples=0) == 0
    drawn = spread(package, samples=2)
    assert drawn > 0
    assert spread(package, package, samples=2) == pytest.approx(drawn)
    assert spread(package, samples=2, seed=7) != drawn


def test_a_gloss_that_nobody_has_learned_is_read_as_unknown(package) -> None:
    known, unknown = (
        TranslatorRow(packages=(package,)).translate([Pair("x", glosses, (), "")]).hypotheses[0]
        for glosses in (("NORD",), ("WOLKE",))
    )
    assert known.ids != unknown.ids


def test_members_that_read_or_write_other_tokens_are_refused(package, tmp_path: Path) -> None:
    other = write_tiny_translator(tmp_path / "other", source="features")
    with pytest.raises(ConfigError, match="must agree in `source`, but tiny and other"):
        TranslatorRow(packages=(package, other)).translate(PAIRS)
    with pytest.raises(ConfigError, match="at least 1 package"):
        TranslatorRow(packages=())
    with pytest.raises(ConfigError, match="`beam` must be 1 to 64, but is 0"):
        TranslatorRow(packages=(package,), beam=0)


def test_a_source_of_another_kind_or_width_is_refused(package, tmp_path: Path) -> None:
    features = write_tiny_translator(tmp_path / "wide", source="features")
    wide = Pair("clip", np.zeros((9, 5), np.float32), (), "")
    with pytest.raises(ConfigError, match="clip must be glosses to be read by tiny"):
        TranslatorRow(packages=(package,)).translate([wide])
    with pytest.raises(ConfigError, match=r"must be 3 features a frame .* but is 5"):
        TranslatorRow(packages=(features,)).translate([wide])
    with pytest.raises(ConfigError, match=r"must be features .* but is text"):
        TranslatorRow(packages=(features,)).translate(PAIRS)
