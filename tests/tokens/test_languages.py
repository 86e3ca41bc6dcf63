"""What is known of the languages agrees with the lexicon that they are built from."""

from __future__ import annotations

import csv
import importlib.util
from collections import defaultdict
from pathlib import Path
from unicodedata import normalize

import pytest

from signloom.tokens.cleaning import lower
from signloom.tokens.languages import SIGN_LANGUAGES


@pytest.fixture(scope="module")
def lexicon() -> dict[str, set[str]]:
    package = importlib.util.find_spec("spoken_to_signed")
    assert package is not None
    index = Path(str(package.origin)).parent / "assets" / "fingerspelling_lexicon" / "index.csv"
    letters: dict[str, set[str]] = defaultdict(set)
    with index.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            text = lower(row["words"].strip(), row["spoken_language"])
            letters[row["signed_language"]].add(normalize("NFC", text))
    return letters


def test_letters_are_those_of_the_lexicon(lexicon: dict[str, set[str]]) -> None:
    for code, language in SIGN_LANGUAGES.items():
        # The lexicon has a clip of a doubled ö, which is no letter.
        assert set(language.letters) == lexicon[code] - {"öö"}, code


def test_look_alikes_are_letters_of_their_alphabet() -> None:
    for language in SIGN_LANGUAGES.values():
        for group in language.look_alikes:
            assert set(group) <= set(language.letters)
