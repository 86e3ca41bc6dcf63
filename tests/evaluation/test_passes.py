"""Passes of refinement are chosen by the errors that they leave on validation."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from signloom.data.speech.utterance import Utterance
from signloom.errors import ConfigError
from signloom.evaluation.passes import set_passes, tune_passes
from signloom.runtime.package import load_package
from signloom.runtime.transcribe_settings import TranscribeSettings
from tests.tiny_transcriber import spoken, write_tiny_transcriber


def utterance(said: str, *sounds: str) -> Utterance:
    return Utterance(said, said, tuple(said.split()), partial(spoken, *sounds), 1.0)


@pytest.mark.parametrize(("said", "fewest"), [("one three", 0), ("one two", 1)])
def test_the_fewest_passes_of_the_least_errors_are_chosen(
    tmp_path: Path, said: str, fewest: int
) -> None:
    package = write_tiny_transcriber(tmp_path / "transcribe-tones-v1")
    told: list[int] = []
    # The decoder makes `two` of every `three`.
    tuned = tune_passes(package, [utterance(said, "one", "three")], done=told.append)
    assert (tuned.iterations, tuned.error) == (fewest, 0)
    assert tuned.table[1 - fewest] == 50
    assert told == [1] * len(tuned.table)
    set_passes(package, tuned)
    again = load_package(package.path)
    assert TranscribeSettings.read(again).iterations == fewest
    assert f"50.00 % with {1 - fewest}" in again.card


def test_without_an_utterance_nothing_is_chosen(tmp_path: Path) -> None:
    package = write_tiny_transcriber(tmp_path / "transcribe-tones-v1")
    with pytest.raises(ConfigError, match="but has 0 and 5"):
        tune_passes(package, [])
