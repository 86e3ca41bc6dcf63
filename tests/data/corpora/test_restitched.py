"""Stitched sentences: of training signs alone, with their times and how surely they were seen."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from signloom.data.corpora.restitched import MARGIN_FRAMES, MAX_SIGNS, MOVES, Restitcher
from signloom.data.example import Example, Span
from tests.data.small_corpus import moving_frames

GLOSSES = {"A": 1.0, "B": 2.0, "C": 3.0}


def clip(tokens: str, *, margin: int = 4) -> Example:
    """Mark the depth of the head by the gloss, and confidences, too."""
    count = margin + (6 + margin) * len(tokens)
    frames = moving_frames(count, seed=len(tokens))
    confidence = np.full((count, 50), 0.9, np.float32)
    spans = []
    for place, token in enumerate(tokens):
        start = margin + (6 + margin) * place
        spans.append(Span(start, start + 6))
        around = slice(start - MARGIN_FRAMES, start + 6 + MARGIN_FRAMES)
        frames[around, 0, 2] = GLOSSES[token]
        confidence[around] = GLOSSES[token] / 10
    return Example(tokens, tokens, tuple(tokens), frames, tuple(spans), confidence=confidence)


CLIPS = [clip("AB"), clip("BCA"), clip("A"), clip("CC")]


def sentences(restitcher: Restitcher, count: int = 40) -> list[Example]:
    rng = np.random.default_rng(5)
    return [restitcher.build(rng) for _ in range(count)]


@pytest.mark.parametrize("own_words", [0.0, 1.0])
def test_spans_say_where_each_sign_is_and_confidences_are_kept(own_words: float) -> None:
    for built in sentences(Restitcher(CLIPS, own_words=own_words)):
        assert len(built.spans) == len(built.tokens) > 0
        assert built.confidence is not None
        assert built.frames.shape == (built.num_frames, 50, 3)
        assert built.confidence.shape == (built.num_frames, 50)
        for token, span in zip(built.tokens, built.spans, strict=True):
            assert span.end - span.start == 6 + 2 * MARGIN_FRAMES
            np.testing.assert_array_equal(built.frames[span.start : span.end, 0, 2], GLOSSES[token])
            seen = built.confidence[span.start : span.end]
            np.testing.assert_allclose(seen, GLOSSES[token] / 10)
        moves = [after.start - before.end for before, after in pairwise(built.spans)]
        assert all(MOVES[0] <= one < MOVES[1] for one in moves)
        assert (built.spans[0].start, built.spans[-1].end) == (0, built.num_frames)


def test_signs_are_cut_out_of_a_training_clip_whole() -> None:
    takes = {
        one.frames[span.start - 1 : span.end + 1].tobytes() for one in CLIPS for span in one.spans
    }
    for built in sentences(Restitcher(CLIPS)):
        for span in built.spans:
            assert built.frames[span.start : span.end].tobytes() in takes


def test_sentences_of_their_own_words_are_those_of_training() -> None:
    found = {built.tokens for built in sentences(Restitcher(CLIPS, own_words=1.0))}
    assert found == {one.tokens for one in CLIPS}


def test_other_sentences_follow_the_bigrams_of_training() -> None:
    found = {built.tokens for built in sentences(Restitcher(CLIPS, own_words=0.0))}
    pairs = {pair for one in CLIPS for pair in pairwise(("", *one.tokens, ""))}
    assert len(found - {one.tokens for one in CLIPS}) > 3
    for tokens in found:
        followed = {*pairwise(("", *tokens))}
        assert followed <= pairs
        assert len(tokens) <= MAX_SIGNS
        assert len(tokens) == MAX_SIGNS or (tokens[-1], "") in pairs


def test_the_way_between_two_signs_does_not_jump() -> None:
    [built] = sentences(Restitcher([CLIPS[0]], own_words=1.0), count=1)
    end, start = built.spans[0].end, built.spans[1].start
    way = built.frames[end - 1 : start + 1, 0, 2]
    assert (np.diff(way) > 0).all()
    assert (way[0], way[-1]) == (1, 2)


def test_clips_whose_times_are_not_known_are_left_out() -> None:
    assert Restitcher(CLIPS)
    assert not Restitcher([])
    assert not Restitcher([replace(one, spans=()) for one in CLIPS])
    known = [CLIPS[2], replace(CLIPS[3], spans=())]
    assert {token for one in sentences(Restitcher(known)) for token in one.tokens} == {"A"}


def test_clips_without_confidences_were_seen_whole() -> None:
    [built] = sentences(Restitcher([replace(CLIPS[1], confidence=None)]), count=1)
    assert built.confidence is not None
    assert (built.confidence == 1).all()
