"""Mean and spread of features are those of the utterances that are drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.data.speech.statistics import LEAST_STD, SAMPLE, measure
from signloom.data.speech.strings import DigitStrings
from signloom.data.speech.utterance import Utterance
from signloom.features.acoustic import Acoustics
from tests.small_digits import RATE, write_digits

ACOUSTICS = Acoustics(rate=RATE, num_mels=5, pitch=False)
FEW = 7


class Few(DigitStrings):
    """Strings of which fewer are drawn than asked for."""

    def draw(self, rng, *, split: str, size: int, pool: int = 4) -> list[Utterance]:
        assert (split, size) == ("train", SAMPLE)
        return super().draw(rng, split=split, size=FEW, pool=pool)


class Steady(DigitStrings):
    """Strings that are all one sound, of which every frame is the same."""

    def draw(self, rng, *, split: str, size: int, pool: int = 4) -> list[Utterance]:
        sound = np.zeros(RATE // 10, np.float32)
        return [Utterance("steady", "", (), lambda: sound, 0.1)] * FEW


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_digits(tmp_path_factory.mktemp("digits") / "all", speakers=("ann",))


def test_they_are_those_of_the_training_strings_that_the_seed_draws(folder: Path) -> None:
    corpus = Few(folder, num_dev=1, num_test=1)
    drawn = DigitStrings.draw(corpus, np.random.default_rng(6), split="train", size=FEW, pool=1)
    rows = np.concatenate([ACOUSTICS.compute(one.read()) for one in drawn])
    mean, std = measure(corpus, ACOUSTICS, seed=6)
    assert mean.dtype == std.dtype == np.float32
    np.testing.assert_allclose(mean, rows.mean(0), rtol=1e-4)
    np.testing.assert_allclose(std, rows.std(0), rtol=1e-4)
    assert (std > LEAST_STD).all()
    assert not np.array_equal(measure(corpus, ACOUSTICS, seed=7)[0], mean)


def test_a_feature_that_never_changes_has_a_spread_that_can_be_divided_by(folder: Path) -> None:
    mean, std = measure(Steady(folder, num_dev=1, num_test=1), ACOUSTICS)
    assert std.tolist() == pytest.approx([LEAST_STD] * 5)
    assert np.isfinite(mean).all()
