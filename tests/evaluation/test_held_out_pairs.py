"""A test set is read whole, or refused by name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from signloom.data.pair import Pair
from signloom.errors import ConfigError, FormatError
from signloom.evaluation.held_out_pairs import fingerprint, read_held_out
from signloom.runtime.translate_settings import TranslateSettings
from tests.tiny_translator import write_tiny_translator


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> TranslateSettings:
    return TranslateSettings.read(write_tiny_translator(tmp_path_factory.mktemp("held") / "tiny"))


def write(folder: Path, glosses: str, text: str) -> tuple[Path, Path]:
    (folder / "a.gloss").write_text(glosses)
    (folder / "a.de").write_text(text)
    return folder / "a.gloss", folder / "a.de"


def test_lines_belong_together_by_number(settings, tmp_path: Path) -> None:
    source, target = write(tmp_path, "NORD REGEN\nSONNE\n", "im norden  regen .\nsonne .\n")
    pairs = read_held_out(source, target, settings=settings, name="tiny")
    assert [pair.source for pair in pairs] == [("NORD", "REGEN"), ("SONNE",)]
    assert [pair.tokens for pair in pairs] == [("im", "norden", "regen", "."), ("sonne", ".")]


@pytest.mark.parametrize(
    ("glosses", "text", "message"),
    [
        ("A\nB\n", "a\n", "equally many lines, but have 2 and 1"),
        ("A\n\n", "a\nb\n", "line 2 must have 1 to 5 tokens or frames"),
        ("A B A B A B\n", "a\n", "line 1 must have 1 to 5 .* but has 6"),
        ("", "", "at least one line"),
    ],
)
def test_what_is_no_test_set_is_refused(
    settings, tmp_path: Path, glosses: str, text: str, message: str
) -> None:
    source, target = write(tmp_path, glosses, text)
    with pytest.raises(FormatError, match=message):
        read_held_out(source, target, settings=settings, name="tiny")


def test_a_file_too_few_or_too_many_is_refused(settings, tmp_path: Path) -> None:
    source, target = write(tmp_path, "A\n", "a\n")
    with pytest.raises(ConfigError, match="Add --target FILE"):
        read_held_out(source, None, settings=settings, name="tiny")
    features = replace(settings, source="features", num_features=3)
    with pytest.raises(ConfigError, match="Leave --target out"):
        read_held_out(source, target, settings=features, name="tiny")


def test_features_without_sentences_are_refused(settings, tmp_path: Path) -> None:
    np.save(tmp_path / "clip.npy", np.zeros((7, 3), np.float32))
    features = replace(settings, source="features", num_features=3)
    with pytest.raises(FormatError, match="must have a text"):
        read_held_out(tmp_path / "clip.npy", None, settings=features, name="tiny")


def test_a_fingerprint_changes_with_everything_that_is_scored() -> None:
    rows = np.zeros((3, 2), np.float32)
    sets = [
        [Pair("1", ("A", "B"), ("a",), "a")],
        [Pair("1", ("A",), ("B", "a"), "B a")],
        [Pair("1", ("A", "B"), ("b",), "b")],
        [Pair("1", ("A", "B"), ("a",), "a", start="<ase>")],
        [Pair("1", rows, ("a",), "a")],
        [Pair("1", rows + 1, ("a",), "a")],
    ]
    assert len({fingerprint(pairs) for pairs in sets}) == len(sets)
    assert fingerprint([Pair("other", ("A", "B"), ("a",), "A")]) == fingerprint(sets[0])
