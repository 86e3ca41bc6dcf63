"""Recognisers are measured by what they read of clips, beside clips that say nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.example import Example
from signloom.errors import ConfigError
from signloom.evaluation.recognition import (
    RecognitionResult,
    evaluate_recognition,
    num_readings,
)
from signloom.metrics.gloss_cleanup import clean_phoenix14
from signloom.pipelines.recognize import Recognizer

JUDGE = "recognize-fingerspelling-ase-v0"


def opened(model: str, language: str) -> Recognizer:
    return Recognizer(model, language=language or None)


@pytest.fixture(scope="module")
def clips() -> list[Example]:
    speller = Fingerspelling("ase")
    rng = np.random.default_rng(3)
    built = [speller.build(word, rng) for word in ("wave", "sun", "hello")]
    return [replace(one, language="ase") for one in built]


@pytest.fixture(scope="module")
def result(clips: list[Example]) -> RecognitionResult:
    seen: list[int] = []
    models = {"judge": partial(opened, JUDGE)}
    result = evaluate_recognition(models, clips, corpus="three words", done=seen.append)
    assert sum(seen) == num_readings(models, clips) == 12
    return result


def test_true_clips_are_read_and_those_that_say_nothing_are_not(result: RecognitionResult) -> None:
    summary = result.summaries["judge"]
    assert summary.error.value == summary.strict_error.value == 0
    assert summary.exact.value == 100
    assert (summary.tokens, summary.clips) == (4 + 3 + 5, 3)
    assert summary.mean_pose_error.value > 80
    assert summary.still_error.value > 80
    assert summary.shuffled_error.value > 60
    assert 0.5 < summary.confidence.value <= 1
    assert summary.milliseconds > 0


def test_errors_are_counted_by_their_kinds(clips: list[Example]) -> None:
    wrong = [replace(clips[0], tokens=("w", "a", "v", "y")), *clips[1:]]
    wrong[1] = replace(clips[1], tokens=("s", "u", "n", "s"))
    wrong[2] = replace(clips[2], tokens=("e", "l", "<rep>", "o"))
    models = {"judge": partial(opened, JUDGE)}
    summary = evaluate_recognition(models, wrong, corpus="wrong").summaries["judge"]
    counts = (summary.substitutions, summary.deletions, summary.insertions)
    assert counts == (1, 1, 1)
    assert summary.error.value == pytest.approx(100 * 3 / 12)


def test_a_signature_tells_other_data(clips: list[Example], result: RecognitionResult) -> None:
    models = {"judge": partial(opened, JUDGE)}
    other = evaluate_recognition(models, clips[:2], corpus="three words")
    assert other.signature != result.signature
    assert result.signature.startswith("corpus:three words|clips:3|data:")


def test_a_corpus_that_cleans_its_glosses_has_both_sides_cleaned(clips: list[Example]) -> None:
    texts = ("W A V E", "S U N", "H E L L O")
    spelled = [replace(one, text=text) for one, text in zip(clips, texts, strict=True)]
    models = {"judge": partial(opened, JUDGE)}
    upper = partial(lambda line: clean_phoenix14(line.upper().replace("<REP>", "L")))
    result = evaluate_recognition(models, spelled, corpus="letters", clean=upper)
    assert result.summaries["judge"].error.value == 0
    assert result.signature.endswith("errors:edits-unit-costs-cleaned")


def test_one_clip_is_too_few(clips: list[Example]) -> None:
    with pytest.raises(ConfigError, match="at least 2 clips"):
        evaluate_recognition({}, clips[:1], corpus="one")
