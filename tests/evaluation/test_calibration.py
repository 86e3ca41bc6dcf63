"""Calibration says how far confidence is from what came of it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.evaluation.calibration import Bin, Calibration, calibrate, rank_correlation
from signloom.evaluation.calibration_plot import check_plot, plot_calibration
from signloom.search.tokens import Hypothesis


def found(*probabilities: float, spread: float = 0.0) -> Hypothesis:
    """Make a hypothesis of tokens of these probabilities, and an end that is sure."""
    logs = tuple(math.log(one) for one in (*probabilities, 1.0))
    spreads = (spread,) * len(logs)
    return Hypothesis(tuple(range(4, 4 + len(probabilities))), sum(logs), logs, spreads, True)


def test_tokens_are_right_where_the_fewest_edits_keep_them_and_ends_do_not_count() -> None:
    hypotheses = [found(0.91, 0.99, 0.15), found(0.95, 0.11)]
    made, wanted = [("a", "b", "x"), ("c", "d")], [("a", "b", "c"), ("q", "c")]
    one = calibrate(hypotheses, made, wanted, [50.0, 20.0])
    assert [bin_.count for bin_ in one.tokens] == [2, 3]
    low, high = one.tokens
    assert (low.sureness, low.outcome) == (pytest.approx(0.13), 0)
    assert (high.sureness, high.outcome) == (pytest.approx(0.95), pytest.approx(2 / 3))
    assert one.token_error == pytest.approx(100 * (2 * 0.13 + 3 * (0.95 - 2 / 3)) / 5)


def test_a_token_moved_to_another_place_is_wrong_if_it_takes_more_edits() -> None:
    one = calibrate([found(0.5, 0.5)], [("b", "a")], [("a", "b")], [0.0])
    [both] = one.tokens
    assert (both.count, both.outcome) == (2, 0)


def test_sentences_are_ranked_and_parted_into_fifths() -> None:
    rng = np.random.default_rng(3)
    sure = rng.uniform(0.2, 0.9, 23)
    hypotheses = [found(one, spread=0.5 - one / 2) for one in sure]
    made = [("a",)] * 23
    one = calibrate(hypotheses, made, made, list(100 * sure**3))
    assert one.correlation == pytest.approx(1)
    assert one.spread_correlation == pytest.approx(-1)
    assert [bin_.count for bin_ in one.sentences] == [5, 5, 5, 4, 4]
    assert np.all(np.diff([bin_.outcome for bin_ in one.sentences]) > 0)
    assert np.all(np.diff([bin_.outcome for bin_ in one.spreads]) < 0)


def test_one_member_has_no_spread_to_rank_and_nothing_has_no_error() -> None:
    one = calibrate([found(0.3), found(0.6)], [("a",), ("b",)], [("a",), ("c",)], [100.0, 0.0])
    assert one.spreads == ()
    assert math.isnan(one.spread_correlation)
    assert one.correlation == pytest.approx(-1)
    empty = calibrate([found()], [()], [("a",)], [0.0])
    assert empty.tokens == ()
    assert math.isnan(empty.token_error)
    assert empty.sentences == (Bin(1, 1.0, 0.0),)


def test_rank_correlation_knows_no_scale_and_not_the_order_of_equals() -> None:
    first, second = np.array([1.0, 5, 2, 2, 9]), np.array([3.0, 1, 7, 7, 0])
    assert rank_correlation(np.exp(first), second) == rank_correlation(first, second)
    assert rank_correlation(first, -second) == pytest.approx(-rank_correlation(first, second))
    # Ranks 1, 4, 2.5, 2.5, 5 and 3, 2, 4.5, 4.5, 1 by hand: products -6.5, squares 9.5.
    assert rank_correlation(first, second) == pytest.approx(-6.5 / 9.5)


def test_a_picture_is_drawn_in_the_form_that_its_name_says(tmp_path: Path) -> None:
    bins = (Bin(3, 0.2, 0.1), Bin(5, 0.8, 0.7))
    one = Calibration(
        tokens=bins,
        token_error=10.0,
        sentences=bins,
        correlation=0.5,
        spreads=(),
        spread_correlation=float("nan"),
    )
    for name, start in (("plot.png", b"\x89PNG"), ("plot.SVG", b"<?xml")):
        check_plot(tmp_path / name)
        plot_calibration({"model": one}, tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)


def test_a_picture_that_cannot_be_drawn_is_refused_beforehand(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "a.gif", r"\.png or \.svg"), (tmp_path / "no/a.png", "no")):
        with pytest.raises(FormatError, match=message):
            check_plot(path)
