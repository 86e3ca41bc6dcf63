from __future__ import annotations

import math

import pytest

from signloom.errors import ConfigError
from signloom.training.plateau import Plateau, goodness


def test_the_rate_falls_after_as_many_validations_as_patience_without_improvement() -> None:
    plateau, shares = Plateau(3, 0.8), []
    for value in (5.0, 6.0, 6.0, 5.9, 5.8, 5.7, 5.6, 5.5, 6.1, 6.0):
        plateau.see(value)
        shares.append(plateau.share)
    assert shares == [1.0] * 4 + [0.8] * 3 + [pytest.approx(0.64)] * 3


def test_an_equal_value_is_no_improvement() -> None:
    plateau = Plateau(5, 0.5)
    improved = []
    for value in (-3.0, -3.0, -2.9, -3.5):
        plateau.see(value)
        improved.append(plateau.improved)
    assert improved == [True, False, True, False]
    assert (plateau.best, plateau.waited) == (-2.9, 1)


def test_a_value_that_is_no_number_is_no_improvement() -> None:
    plateau = Plateau(2, 0.5)
    for value in (1.0, math.nan, math.nan):
        plateau.see(value)
    assert (plateau.best, plateau.share) == (1.0, 0.5)


def test_a_restored_plateau_goes_on_as_the_one_before() -> None:
    values = (1.0, 0.9, 0.8, 1.1, 1.0, 1.0, 1.0)
    for stop in range(len(values) + 1):
        whole, first, second = (Plateau(2, 0.7) for _ in range(3))
        for value in values:
            whole.see(value)
        for value in values[:stop]:
            first.see(value)
        second.restore(first.to_dict())
        for value in values[stop:]:
            second.see(value)
        assert second.to_dict() == whole.to_dict()


def test_what_a_checkpoint_lacks_stays_as_it_is() -> None:
    plateau = Plateau(2, 0.7)
    plateau.restore({})
    assert plateau.to_dict() == Plateau(2, 0.7).to_dict()


def test_measures_are_turned_so_that_more_is_better() -> None:
    measures = {"dev/loss": 2.5, "dev/bleu": 17.0, "dev/letter_error": 0.25, "train/loss": 1.0}
    assert goodness(measures, "bleu") == 17.0
    assert goodness(measures, "loss") == -2.5
    assert goodness(measures, "letter_error") == -0.25


def test_a_measure_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ConfigError, match=r"one of bleu, loss, but is `letter_error`"):
        goodness({"dev/loss": 2.5, "dev/bleu": 1.0, "train/ce": 1.0}, "letter_error")
