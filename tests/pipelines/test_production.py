"""A production says what is signed when."""

from __future__ import annotations

from pathlib import Path

import pytest

from signloom.pipelines.produce import Producer
from tests.tiny_package import write_tiny_package


@pytest.mark.parametrize("text", ["hello new york", "one two three extraordinarily four " * 9])
def test_captions_divide_words_and_nothing_else(tmp_path: Path, text: str) -> None:
    production = Producer(write_tiny_package(tmp_path / "tiny").path).produce(text)
    assert "".join(letter for _, _, letter in production.captions) == production.spelled
