"""Pieces are joined to the best texts of the whole, and a report says all of it."""

from __future__ import annotations

import math
from time import process_time

import pytest

from signloom.pipelines.translation import Translation, describe, join_hypotheses, without_edges
from signloom.search.tokens import Hypothesis

SPACE = 9


def made(ids: tuple[int, ...], score: float, *, finished: bool = True) -> Hypothesis:
    count = len(ids) + finished
    return Hypothesis(ids, score, (-0.25,) * count, (0.125,) * count, finished)


def test_a_space_takes_the_place_of_the_end_between_two_pieces() -> None:
    [found] = join_hypotheses([[made((4, 5), -1.0)], [made((6,), -2.0)]], space=SPACE)
    assert found.ids == (4, 5, SPACE, 6)
    assert (found.score, found.finished) == (-3, True)
    assert len(found.log_probs) == len(found.spreads) == len(found.ids) + 1


def test_a_piece_that_was_cut_off_leaves_a_space_that_is_certain() -> None:
    [found] = join_hypotheses(
        [[made((4, 5), -1.0, finished=False)], [made((6,), -2.0)]], space=SPACE
    )
    assert found.log_probs == (-0.25, -0.25, 0.0, -0.25, -0.25)
    assert not found.finished


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_piece_in_which_nothing_is_read_leaves_no_space(place: int) -> None:
    pieces = [[made((4,), -1.0)], [made((5,), -2.0)]]
    pieces.insert(place, [made((), -4.0)])
    [found] = join_hypotheses(pieces, space=SPACE)
    assert (found.ids, found.score) == ((4, SPACE, 5), -7)


def test_the_best_of_the_whole_are_the_best_sums() -> None:
    pieces = [
        [made((1,), -1.0), made((2,), -1.5), made((3,), -9.0)],
        [made((4,), -2.0), made((5,), -2.25), made((6,), -8.0)],
    ]
    found = join_hypotheses(pieces, space=SPACE)
    assert [(one.ids[0], one.ids[2]) for one in found] == [(1, 4), (1, 5), (2, 4)]
    assert [one.score for one in found] == [-3.0, -3.25, -3.5]


def test_many_pieces_with_many_hypotheses_are_joined_in_moments() -> None:
    piece = [made(tuple(range(10, 30)), -float(place)) for place in range(64)]
    begun = process_time()
    found = join_hypotheses([piece] * 50, space=SPACE)
    assert process_time() - begun < 3
    assert (len(found), len(found[0].ids)) == (64, 50 * 21 - 1)


def test_the_report_rounds_and_names_the_models() -> None:
    one = describe(made((4, 5), -1.23456789), ("a", "b"), text="ab")
    translation = Translation(
        **vars(one),
        best=(one,),
        kind="fingerspelling",
        language="ase",
        unknown=(),
        num_pieces=1,
        models=("m", "n"),
        model_ids=("1", "2"),
        beam=3,
        length_penalty=0.5,
        samples=0,
        seed=0,
    )
    report = translation.to_dict()
    assert report["models"] == [{"name": "m", "id": "1"}, {"name": "n", "id": "2"}]
    assert report["score"] == report["best"][0]["score"] == -1.234568
    assert report["confidence"] == round(math.exp(-0.25), 6)
    assert (report["kind"], report["uncertain"], report["format_version"]) == (
        "fingerspelling",
        False,
        1,
    )


def test_spaces_at_the_ends_of_a_piece_go_with_their_confidences() -> None:
    found = Hypothesis(
        (7, 3, 7, 4, 7), -1.0, (-0.1, -0.2, -0.3, -0.4, -0.5, -0.6), (0.0,) * 6, True
    )
    kept = without_edges(found, 7)
    assert kept.ids == (3, 7, 4)
    assert kept.log_probs == (-0.2, -0.3, -0.4, -0.6)
    assert without_edges(Hypothesis((7,), -1.0, (-1.0,), (0.0,), False), 7).log_probs == (-1.0,)
