"""`config.json` of a transcription package holds field by field, or is refused by field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from signloom.errors import PackageError
from signloom.runtime.transcribe_settings import TranscribeSettings, banned_tokens
from tests.tiny_package import write_tiny_package
from tests.tiny_transcriber import TOKENS, write_tiny_transcriber


def test_settings_read_back_as_written(tmp_path: Path) -> None:
    settings = TranscribeSettings(
        name="whole",
        spoken_language="zh",
        unit="characters",
        rate=16_000,
        num_mels=77,
        stride=3,
        num_layers=5,
        num_heads=2,
        head_dim=7,
        readers=2,
        iterations=9,
        max_s=11.5,
    )
    package = write_tiny_transcriber(tmp_path / "whole", **settings.to_dict())
    assert TranscribeSettings.read(package) == settings
    assert (settings.max_frames, settings.step_s) == (1150, 0.03)
    assert settings.kind == "speech"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"unit": "letters"}, "must be one of words, characters, but is 'letters'"),
        ({"rate": 3999}, "a whole number from 4000 to 192000, but is '3999'"),
        ({"rate": 8000.0}, "a whole number from 4000 to 192000"),
        ({"num_mels": 0}, "a whole number from 1 to 512"),
        ({"pitch": 1}, "`pitch` in .* must be true or false, but is '1'"),
        ({"stride": 65}, "a whole number from 1 to 64"),
        ({"num_layers": 65}, "`num_layers` in .* a whole number from 1 to 64"),
        ({"head_dim": 10**9}, "a whole number from 1 to 1024"),
        ({"readers": 3}, "a whole number from 1 to 2"),
        ({"iterations": -1}, "a whole number from 0 to 100"),
        ({"max_s": 1e9}, "a number from 1 to 600"),
    ],
)
def test_what_does_not_hold_is_refused_by_its_name(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(PackageError, match=message):
        TranscribeSettings.read(write_tiny_transcriber(tmp_path / "tiny", **changes))


def test_a_package_of_another_system_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="one of the system `transcribe`, but maker is"):
        TranscribeSettings.read(write_tiny_package(tmp_path / "maker"))


def test_what_is_no_word_is_never_written(tmp_path: Path) -> None:
    assert set(banned_tokens(write_tiny_transcriber(tmp_path / "tiny"))) == {0, 1, 2, 3}


@pytest.mark.parametrize("lacking", ["<s>", "</s>"])
def test_a_vocabulary_without_an_edge_of_sentences_is_incomplete(
    tmp_path: Path, lacking: str
) -> None:
    tokens = tuple("six" if token == lacking else token for token in TOKENS)
    package = write_tiny_transcriber(tmp_path / "tiny", tokens=tokens)
    with pytest.raises(PackageError, match=rf"is incomplete: .*{lacking}"):
        banned_tokens(package)
