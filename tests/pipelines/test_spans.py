"""Estimated spans lie inside the passage, in order, and touch."""

from __future__ import annotations

from itertools import pairwise

import pytest

from signloom.pipelines.spans import estimate_spans, place_spans


@pytest.mark.parametrize("num_frames", [1, 2, 7, 113])
def test_spans_touch_and_stay_between_the_edges(num_frames: int) -> None:
    spans = estimate_spans("abc", num_frames, edge_frames=6, first_frame=50, fps=25.0)
    assert [span.letter for span in spans] == ["a", "b", "c"]
    assert spans[0].start_s >= 2.0
    assert spans[-1].end_s <= (50 + num_frames) / 25 + 1e-9
    for before, after in pairwise(spans):
        assert before.start_frame <= before.end_frame == after.start_frame
        assert before.start_s <= before.end_s == pytest.approx(after.start_s, abs=1e-3)


def test_a_repeated_letter_has_its_name_and_a_pause_has_no_span() -> None:
    tokens = ["l", "<rep>", "<rep>", " ", "o"]
    spans = estimate_spans(tokens, 52, edge_frames=1, first_frame=0, fps=10.0)
    assert [span.letter for span in spans] == ["l", "l", "l", "o"]
    assert (spans[3].start_s, spans[3].end_s) == (4.1, 5.1)


def test_letters_find_their_places_also_in_a_word_cut_inside_and_of_several_characters() -> None:
    passages = [["sch", "a"], ["a", "<rep>"], ["b", " ", "c"]]
    spans = [
        span
        for tokens in passages
        for span in estimate_spans(tokens, 9, edge_frames=1, first_frame=0, fps=25.0)
    ]
    placed = place_spans(spans, "schaaa b c")
    assert [span.index for span in placed] == [0, 3, 4, 5, 7, 9]
    assert [span.word for span in placed] == [0, 0, 0, 0, 1, 2]
