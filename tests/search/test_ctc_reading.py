"""Rows are read as each alone, by the best path where the beam is one."""

from __future__ import annotations

import numpy as np
import pytest

from signloom.search.ctc import greedy
from signloom.search.ctc_beam import Fusion, ctc_beam
from signloom.search.ctc_reading import CtcOptions, read_rows
from signloom.search.ctc_spans import log_prob_of
from signloom.search.ngram import NgramModel, count
from tests.search.labellings import random_log_probs

LENGTHS = (7, 0, 13, 3, *[1, 2, 4] * 5)
ROWS = [random_log_probs(steps, 5, seed=steps) for steps in LENGTHS]


def test_more_rows_than_a_batch_are_read_as_each_alone() -> None:
    fusion = Fusion(model=NgramModel.of(count([[1, 4, 2]], 2), 5), weight=0.5, bonus=0.1)
    found = read_rows(ROWS, CtcOptions(beam=5, best=2, fusion=fusion))
    for row, labellings in zip(ROWS, found, strict=True):
        [alone] = ctc_beam(row[None], np.array([len(row)]), beam=5, best=2, fusion=fusion)
        assert [one.ids for one in labellings] == [one.ids for one in alone]
        assert [one.score for one in labellings] == pytest.approx([one.score for one in alone])
    assert read_rows([], CtcOptions(beam=5)) == []


def test_a_beam_of_one_takes_the_best_path_and_tells_its_labelling_whole() -> None:
    for row, [found] in zip(ROWS, read_rows(ROWS, CtcOptions()), strict=True):
        assert [list(found.ids)] == greedy(row[None], np.array([len(row)]))
        assert found.log_prob == found.score == pytest.approx(log_prob_of(row, found.ids))


@pytest.mark.parametrize("beam", [1, 4])
def test_only_what_is_allowed_is_read(beam: int) -> None:
    for [found, *_] in read_rows(ROWS, CtcOptions(beam=beam, allowed=(2, 4))):
        assert set(found.ids) <= {2, 4}


@pytest.mark.parametrize("beam", [1, 4])
def test_what_is_impossible_is_read_as_very_improbable(beam: int) -> None:
    row = np.full((3, 4), -np.inf, np.float32)
    row[:, 2] = 0
    [[found, *_]] = read_rows([row], CtcOptions(beam=beam, allowed=(1,)))
    assert -np.inf < found.log_prob < -1e3
    [[found, *_]] = read_rows([row], CtcOptions(beam=beam))
    assert (found.ids, found.log_prob) == ((2,), 0.0)
