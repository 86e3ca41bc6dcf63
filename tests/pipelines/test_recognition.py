"""What is read is told with its times, rounded and ready for JSON and subtitles."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from signloom.pipelines.recognition import Reading, Recognition, describe
from signloom.pipelines.recognition_steps import Steps, join_steps
from signloom.pipelines.token_spans import TokenSpan
from signloom.search.ctc_beam import Labelling
from signloom.tokens.vocabulary import Vocabulary

LETTERS = Vocabulary(("<pad>", "<rep>", " ", "a", "b", "ll"))


def steps_of(path: list[int], *, sure: float = 0.8) -> Steps:
    """Give steps of two frames in which these ids are read, each with one probability."""
    tokens = len(LETTERS)
    values = np.full((len(path), tokens), (1 - sure) / (tokens - 1), np.float32)
    values[np.arange(len(path)), path] = sure
    return join_steps([np.log(values)], [10], [2 * len(path) - 1], stride=2, pause=2)


def read(*ids: int, unit: str = "letters") -> Reading:
    path = [one for id_ in ids for one in (0, id_, id_)]
    found = Labelling(ids, -0.25, -0.5)
    return describe(found, steps_of(path), LETTERS, unit=unit, fps=10.0)  # type: ignore[arg-type]


def test_a_token_is_placed_in_the_frames_of_its_steps() -> None:
    reading = read(3, 5)
    assert (reading.text, reading.tokens) == ("all", ("a", "ll"))
    assert [(span.token, span.start_s, span.end_s) for span in reading.spans] == [
        ("a", 1.2, 1.6),
        ("ll", 1.8, 2.1),  # the recording ends within the last step
    ]
    assert [span.confidence for span in reading.spans] == pytest.approx([0.8, 0.8])
    assert reading.confidence == pytest.approx(0.8)
    assert (reading.log_prob, reading.score) == (-0.25, -0.5)


def test_a_doubled_letter_is_named_like_the_first_and_pauses_have_no_span() -> None:
    reading = read(3, 1, 2, 4)
    assert (reading.text, reading.tokens) == ("aa b", ("a", "<rep>", " ", "b"))
    assert [span.token for span in reading.spans] == ["a", "a", "b"]


@pytest.mark.parametrize("ids", [(2, 3), (3, 2), (2, 2, 3, 2, 2), (1, 3), (2, 1, 3)])
def test_pauses_at_the_edges_and_a_doubling_of_nothing_say_nothing(ids: tuple[int, ...]) -> None:
    reading = read(*ids)
    assert (reading.text, reading.tokens, len(reading.spans)) == ("a", ("a",), 1)


def test_nothing_read_is_of_no_confidence() -> None:
    for ids in ((), (2,), (1, 2)):
        reading = read(*ids)
        assert (reading.text, reading.tokens, reading.spans) == ("", (), ())
        assert reading.confidence == 0


def test_glosses_are_parted_by_spaces() -> None:
    assert read(3, 4, 3, unit="glosses").text == "a b a"


def recognition(*tokens: str, unit: str = "letters", gap: float = 0.5) -> Recognition:
    spans = [
        TokenSpan(token, place * gap, place * gap + 0.25, 1 / 3)
        for place, token in enumerate(tokens)
        if token != " "
    ]
    reading = Reading(
        text="".join(tokens),
        tokens=tokens,
        spans=tuple(spans),
        confidence=1 / 3,
        log_prob=-math.pi,
        score=-math.e,
    )
    return Recognition(
        **vars(reading),
        best=(reading,),
        kind="fingerspelling",
        unit=unit,  # type: ignore[arg-type]
        language="ase",
        duration_s=len(tokens) * gap + 2 / 3,
        num_pieces=1,
        warnings=("A warning.",),
        model="tiny",
        model_id="0" * 64,
        beam=3,
        language_model_weight=0.5,
    )


def test_subtitles_are_words_that_stay_until_the_next_or_a_second() -> None:
    found = recognition("a", "b", " ", "ll", gap=1.0)
    assert found.cues == ((0.0, 2.25, "ab"), (3.0, 4.25, "ll"))
    assert recognition("a", " ", "b", gap=0.25).cues == (
        (0.0, 0.5, "a"),
        (0.5, pytest.approx(17 / 12), "b"),
    )
    assert recognition().cues == ()


def test_subtitles_of_glosses_are_one_each() -> None:
    assert recognition("RAIN", "SUN", unit="glosses").cues == (
        (0.0, 0.5, "RAIN"),
        (0.5, pytest.approx(5 / 3), "SUN"),
    )


def test_the_report_is_rounded_json_that_names_the_model() -> None:
    report = json.loads(json.dumps(recognition("a").to_dict()))
    assert report["format_version"] == 1
    assert report["spans"] == [
        {"token": "a", "start_s": 0.0, "end_s": 0.25, "confidence": 0.333333}
    ]
    assert (report["log_prob"], report["score"]) == (-3.141593, -2.718282)
    assert report["model"] == {"name": "tiny", "id": "0" * 64}
    assert (report["uncertain"], report["duration_s"]) == (True, 1.167)
    assert report["warnings"] == ["A warning."]
    assert report["best"][0]["text"] == "a"
    assert {"model_id", "is_uncertain"} & set(report) == set()
