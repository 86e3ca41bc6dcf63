"""A language of several brings its own letters, and is named where it must be."""

from __future__ import annotations

import pytest

from signloom.errors import ConfigError
from signloom.pipelines.languages import choose_language, letters_of
from signloom.runtime.package import load_package
from signloom.runtime.registry import fingerspelled_languages
from signloom.tokens.vocabulary import Vocabulary


@pytest.mark.parametrize("package", fingerspelled_languages("recognize").items())
def test_the_letters_of_a_language_are_all_that_its_own_model_reads(
    package: tuple[str, str],
) -> None:
    language, name = package
    vocabulary = Vocabulary(load_package(name).vocabulary)
    ids = letters_of(language, vocabulary)
    assert ids is not None
    assert sorted(ids) == list(range(1, len(vocabulary)))


def test_letters_that_a_vocabulary_lacks_are_left_out() -> None:
    vocabulary = Vocabulary(("<pad>", " ", "q", "a", "ž"))
    assert letters_of("ase", vocabulary) == (1, 3, 2)
    assert letters_of("xyz", vocabulary) is None


def test_the_only_language_american_or_the_wanted_one_is_read() -> None:
    assert choose_language(None, known=("gsg",), model="m") == "gsg"
    assert choose_language(None, known=("gsg", "ase"), model="m") == "ase"
    assert choose_language("gsg", known=("ase", "gsg"), model="m") == "gsg"
    with pytest.raises(ConfigError, match="one that m reads, gsg, lls, but none is given"):
        choose_language(None, known=("gsg", "lls"), model="m")
    with pytest.raises(ConfigError, match="but it is 'ase'"):
        choose_language("ase", known=("gsg", "lls"), model="m")
