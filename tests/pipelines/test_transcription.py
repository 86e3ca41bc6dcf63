"""What is said is told with its times, joined over passages, ready for JSON and subtitles."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from signloom.pipelines.token_spans import TokenSpan
from signloom.pipelines.transcription import (
    Said,
    Transcription,
    describe_passage,
    joined,
    placed_at,
    summed_up,
)
from signloom.search.refine import Refinement
from signloom.tokens.vocabulary import Vocabulary

LETTERS = Vocabulary(("<pad>", " ", "a", "b", "c"))


def heard(*path: int, sure: float = 0.8) -> np.ndarray:
    """Give log-probabilities in which these ids are heard, a step each."""
    values = np.full((len(path), len(LETTERS)), (1 - sure) / 4, np.float32)
    values[np.arange(len(path)), path] = sure
    return np.log(values)


def test_a_token_is_placed_where_it_was_heard_whatever_it_became() -> None:
    found = Refinement((4, 4), (math.log(0.9), math.log(0.7)), iterations=3, is_cycle=True)
    said = describe_passage(found, [2, 3], heard(0, 2, 2, 0, 3), LETTERS)
    assert (said.tokens, said.heard) == (("c", "c"), ("a", "b"))
    assert [(span.start_s, span.end_s) for span in said.spans] == [(1, 3), (4, 5)]
    assert [span.confidence for span in said.spans] == pytest.approx([0.9, 0.7])
    assert (said.iterations, said.was_cycle) == (3, True)


def test_neighbours_that_became_equal_need_no_step_between_them() -> None:
    said = describe_passage(Refinement((2, 2), (-0.1, -0.1)), [2, 3], heard(2, 3), LETTERS)
    assert [(span.start_s, span.end_s) for span in said.spans] == [(0, 1), (1, 2)]


def test_without_a_pass_the_confidence_is_that_of_ctc() -> None:
    said = describe_passage(Refinement((2,)), [2], heard(0, 2, 0), LETTERS)
    assert said.spans[0].confidence == pytest.approx(0.8)
    assert said.iterations == 0


def test_a_step_that_could_not_be_is_no_fault() -> None:
    log_probs = heard(2, 0)
    log_probs[:, 3] = -np.inf
    assert describe_passage(Refinement((3,), (-0.5,)), [2], log_probs, LETTERS).tokens == ("b",)


@pytest.mark.parametrize("ids", [(1, 2), (2, 1), (1, 1, 2, 1)])
def test_spaces_at_the_edges_of_a_passage_say_nothing(ids: tuple[int, ...]) -> None:
    path = [one for id_ in ids for one in (0, id_)]
    said = describe_passage(Refinement(ids, (-0.1,) * len(ids)), ids, heard(*path), LETTERS)
    assert (said.tokens, said.heard, len(said.spans)) == (("a",), ("a",), 1)


def test_times_are_of_the_recording_and_within_the_passage() -> None:
    said = Said(("a", "b"), (TokenSpan("a", 0.0, 2.0, 1.0), TokenSpan("b", 2.0, 5.0, 1.0)))
    placed = placed_at(said, 7.0, step_s=0.04, within_s=(7.05, 7.15))
    assert [(span.start_s, span.end_s) for span in placed.spans] == [(7.05, 7.08), (7.08, 7.15)]


@pytest.mark.parametrize(
    ("unit", "language", "expected"),
    [("words", "en", "ab"), ("characters", "en", "a b"), ("characters", "zh", "ab")],
)
def test_passages_are_joined_as_their_language_parts_words(
    unit: str, language: str, expected: str
) -> None:
    tokens = joined([[], ["a"], [], ["b"]], unit=unit, spoken_language=language)  # type: ignore[arg-type]
    assert "".join(tokens) == expected


def transcription(
    *passages: Said, unit: str = "words", language: str = "en", duration_s: float = 30.0
) -> Transcription:
    return Transcription(
        **summed_up(passages, unit=unit, spoken_language=language),  # type: ignore[arg-type]
        stop="cycle",
        kind="speech",
        duration_s=duration_s,
        num_passages=len(passages),
        warnings=("A warning.",),
        model="tiny",
        model_id="0" * 64,
    )


def said(*tokens: str, start_s: float = 0.0, step_s: float = 0.5, iterations: int = 1) -> Said:
    spans = tuple(
        TokenSpan(token, start_s + place * step_s, start_s + place * step_s + 0.25, 1 / 3)
        for place, token in enumerate(tokens)
        if token != " "
    )
    return Said(tokens, spans, tokens[::-1], iterations, was_cycle=iterations > 2)


def test_what_is_said_is_summed_up_over_passages() -> None:
    found = transcription(said("one", "two"), Said(), said("three", start_s=9.0, iterations=3))
    assert (found.text, found.ctc_text) == ("one two three", "two one three")
    assert (found.iterations, found.was_cycle, found.num_passages) == (3, True, 3)
    assert found.confidence == pytest.approx(1 / 3)
    assert found.is_uncertain
    nothing = transcription()
    assert (nothing.text, nothing.confidence, nothing.cues) == ("", 0, ())
    assert (nothing.iterations, nothing.was_cycle) == (0, False)


def test_subtitles_are_lines_of_what_is_said_without_a_pause() -> None:
    found = transcription(said("one", "two"), said("three", start_s=4.0))
    assert found.cues == ((0.0, 1.75, "one two"), (4.0, 5.25, "three"))
    cues = transcription(said(*["seven"] * 9)).cues
    assert [text for _, _, text in cues] == [" ".join(["seven"] * 7), "seven seven"]
    assert cues[0][1] == cues[1][0] == 3.5


def test_subtitles_of_characters_are_words_where_there_are_any() -> None:
    english = transcription(said("h", "i", " ", "y", "o"), unit="characters")
    assert [text for _, _, text in english.cues] == ["hi yo"]
    chinese = transcription(said("你", "好"), unit="characters", language="zh")
    assert [text for _, _, text in chinese.cues] == ["你好"]


def test_the_report_is_rounded_json_that_names_the_model() -> None:
    report = json.loads(json.dumps(transcription(said("one"), duration_s=2 / 3).to_dict()))
    assert report["format_version"] == 1
    assert report["spans"] == [
        {"token": "one", "start_s": 0.0, "end_s": 0.25, "confidence": 0.333333}
    ]
    assert (report["confidence"], report["duration_s"]) == (0.333333, 0.667)
    assert report["model"] == {"name": "tiny", "id": "0" * 64}
    assert (report["uncertain"], report["stop"]) == (True, "cycle")
    assert (report["warnings"], report["tokens"]) == (["A warning."], ["one"])
    assert {"model_id", "is_uncertain"} & set(report) == set()
