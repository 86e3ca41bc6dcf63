"""Transcribers are measured by what they hear of utterances, beside silence and others' words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from signloom.data.speech.utterance import Utterance
from signloom.errors import ConfigError
from signloom.evaluation.transcription import (
    TranscriptionResult,
    TranscriptionSummary,
    evaluate_transcription,
)
from signloom.pipelines.transcribe import Transcriber
from tests.tiny_transcriber import ENCODER, RATE, spoken, write_tiny_transcriber

SAID = (
    *("one two", "two two one", "one three", "two", "four five", "one", "two one", "two one two"),
    *("one one", "two two"),
)
"""The tiny model hears them all, mends `three` to `two` and never rests at `four five`."""
WRITTEN = (
    *("one two", "two two one", "one two", "two one", "four four", "one", "two one", "one two"),
    *("one one", "two two"),
)
"""What the corpus says was said: one deletion, one insertion, and what refinement changes."""


def utterance(name: str, said: str, text: str) -> Utterance:
    sound = spoken(*said.split())
    return Utterance(name, text, tuple(text.split()), lambda: sound, len(sound) / RATE)


def evaluate(*models: Transcriber, **changes) -> TranscriptionResult:
    names = [str(place) for place in range(len(SAID))]
    utterances = [utterance(*one) for one in zip(names, SAID, WRITTEN, strict=True)]
    rows = {f"row {place}": model for place, model in enumerate(models)}
    return evaluate_transcription(
        rows, **({"utterances": utterances, "rate": RATE, "corpus": "tones"} | changes)
    )


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Transcriber:
    return Transcriber(write_tiny_transcriber(tmp_path_factory.mktemp("ear") / "tiny").path)


@pytest.fixture(scope="module")
def result(tiny: Transcriber) -> TranscriptionResult:
    seen: list[int] = []
    found = evaluate(tiny, Transcriber(tiny.package.path, iterations=0), done=seen.append)
    assert sum(seen) == 2 * len(SAID)
    return found


@pytest.fixture(scope="module")
def refined(result: TranscriptionResult) -> TranscriptionSummary:
    return result.summaries["row 0"]


def test_errors_are_counted_by_their_kinds_and_utterances_with_any(
    refined: TranscriptionSummary,
) -> None:
    # `four five` becomes `five four`, of which the corpus has one.
    counts = (refined.substitutions, refined.deletions, refined.insertions)
    assert counts == (1, 1, 1)
    assert refined.tokens == sum(len(text.split()) for text in WRITTEN) == 20
    assert refined.error.value == pytest.approx(100 * 3 / 20)
    assert refined.error.low < refined.error.value < refined.error.high
    assert refined.sentence_error.value == pytest.approx(100 * 3 / 10)
    assert refined.utterances == 10


def test_refinement_is_compared_with_what_ctc_alone_heard(
    result: TranscriptionResult, refined: TranscriptionSummary
) -> None:
    assert refined.ctc_error.value == pytest.approx(100 * 4 / 20)
    assert refined.reduction.value == pytest.approx(25)
    unrefined = result.summaries["row 1"]
    assert unrefined.error == unrefined.ctc_error == refined.ctc_error
    assert unrefined.reduction.value == 0
    assert (unrefined.iterations.value, unrefined.most_iterations) == (0, 0)


def test_passes_and_cycles_are_counted_by_utterance(refined: TranscriptionSummary) -> None:
    # One pass finds nothing to change, a second one after a change; a cycle of two takes two.
    assert refined.iterations.value == pytest.approx((8 * 1 + 2 + 2) / 10)
    assert refined.most_iterations == 10
    assert refined.cycles.value == pytest.approx(10)


def test_silence_and_the_words_of_others_are_told_apart_from_speech(
    refined: TranscriptionSummary,
) -> None:
    assert refined.silence_tokens.value == 0
    assert refined.shuffled_error.value > 50


def test_a_model_that_hears_words_in_silence_is_found_out(tmp_path: Path) -> None:
    deaf = ENCODER.replace("float[4] threshold = {12.0,", "float[4] threshold = {-99.0,")
    model = Transcriber(write_tiny_transcriber(tmp_path / "deaf", encoder=deaf).path)
    assert evaluate(model).summaries["row 0"].silence_tokens.value >= 1


def test_time_is_told_by_that_of_the_sound(refined: TranscriptionSummary) -> None:
    assert refined.joint_real_time_factor > 0
    assert 0 < refined.real_time_factor < 1


def test_sound_of_another_rate_is_brought_to_the_models(
    tiny: Transcriber, refined: TranscriptionSummary
) -> None:
    def at_twice_the_rate(said: str, text: str) -> Utterance:
        sound = spoken(*said.split(), rate=2 * RATE)
        return replace(utterance("", said, text), read=lambda: sound)

    utterances = [at_twice_the_rate(*one) for one in zip(SAID, WRITTEN, strict=True)]
    found = evaluate(tiny, utterances=utterances, rate=2 * RATE).summaries["row 0"]
    assert found.error == refined.error


def test_a_word_that_the_model_does_not_know_is_an_error(tiny: Transcriber) -> None:
    utterances = [utterance("1", "one", "One!"), utterance("2", "two", "twenty")]
    found = evaluate(tiny, utterances=utterances).summaries["row 0"]
    assert (found.substitutions, found.tokens) == (1, 2)


def test_a_signature_tells_other_sound_and_other_words(
    tiny: Transcriber, result: TranscriptionResult
) -> None:
    assert result.signature.startswith("corpus:tones|utterances:10|data:")
    pair = [utterance("1", "one", "one"), utterance("2", "two", "two")]
    signatures = {
        evaluate(tiny, utterances=utterances).signature
        for utterances in (
            pair,
            pair[::-1],
            [pair[0], utterance("2", "two", "one")],
            [pair[0], utterance("2", "one", "two")],
        )
    }
    assert len(signatures) == 4
    renamed = [utterance("x", "one", "one"), pair[1]]
    assert evaluate(tiny, utterances=renamed).signature in signatures


def test_one_utterance_is_too_few_and_models_of_two_units_do_not_compare(
    tiny: Transcriber, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="at least 2 utterances"):
        evaluate(tiny, utterances=[utterance("1", "one", "one")])
    other = write_tiny_transcriber(tmp_path / "other", unit="characters")
    with pytest.raises(ConfigError, match="row 0 writes words of en and row 1 writes characters"):
        evaluate(tiny, Transcriber(other.path))


def test_the_sound_is_read_once_for_all_models(tiny: Transcriber) -> None:
    reads: list[int] = []

    def read() -> np.ndarray:
        reads.append(1)
        return spoken("one")

    utterances = [Utterance(str(place), "one", ("one",), read, 0.4) for place in range(3)]
    evaluate(tiny, tiny, utterances=utterances)
    assert len(reads) == 3
