"""A transcriber hears files and sound in memory, one or many, and says when and how surely."""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import signloom
from signloom.errors import ConfigError, FormatError, PackageError
from signloom.features.sound import Sound
from signloom.pipelines.transcribe import Transcriber
from signloom.pipelines.transcription_input import Recording
from tests.small_films import write_film
from tests.small_sounds import write_recording
from tests.tiny_package import write_tiny_package
from tests.tiny_recognizers import film_of
from tests.tiny_transcriber import ENCODER, RATE, WORDS, spoken, write_tiny_transcriber

PAUSE = np.zeros(RATE, np.float32)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Transcriber:
    return Transcriber(write_tiny_transcriber(tmp_path_factory.mktemp("ear") / "tiny").path)


def sound(*pieces: np.ndarray, rate: int = RATE) -> Sound:
    return Sound(np.concatenate(pieces), rate, rate)


def test_what_is_heard_is_refined(tiny: Transcriber) -> None:
    found = tiny.transcribe(sound(spoken("one", "three", "one")))
    assert (found.ctc_text, found.text) == ("one three one", "one two one")
    assert (found.iterations, found.was_cycle) == (2, False)
    assert found.tokens == ("one", "two", "one")
    assert 0.9 < found.confidence < 1
    unrefined = Transcriber(tiny.package.path, iterations=0).transcribe(sound(spoken("three")))
    assert (unrefined.text, unrefined.iterations) == ("three", 0)


def test_a_cycle_ends_when_it_comes_round_unless_it_is_not_looked_for(tiny: Transcriber) -> None:
    heard = sound(spoken("four", "one"))
    assert (tiny.transcribe(heard).text, tiny.transcribe(heard).was_cycle) == ("five one", True)
    assert tiny.transcribe(heard).iterations == 2
    blind = Transcriber(tiny.package.path, stop="adaptive", iterations=7).transcribe(heard)
    assert (blind.iterations, blind.was_cycle, blind.text) == (7, False, "five one")


def test_times_are_those_of_the_sound(tiny: Transcriber) -> None:
    found = tiny.transcribe(sound(PAUSE, spoken("one", "two"), PAUSE, spoken("one")))
    assert [span.token for span in found.spans] == ["one", "two", "one"]
    starts = [1.1, 1.4, 2.8]
    for span, start in zip(found.spans, starts, strict=True):
        assert span.start_s == pytest.approx(start, abs=0.05)
        assert span.end_s == pytest.approx(start + 0.2, abs=0.05)
    assert (found.num_passages, found.duration_s) == (2, pytest.approx(3.1))


def test_utterances_are_heard_as_a_whole_unless_they_are_too_long(tiny: Transcriber) -> None:
    parted = np.concatenate([spoken("one", "three"), PAUSE, spoken("four")])
    long = np.concatenate([parted, PAUSE, PAUSE, PAUSE, spoken("two")])
    assert len(long) > tiny.settings.max_s * RATE
    found = tiny.hear([parted, PAUSE, long, PAUSE[:1], spoken("two")])
    assert [one.tokens for one in found] == [
        *(("one", "two", "five"), (), ("one", "two", "five", "two"), (), ("two",))
    ]
    assert [one.heard[1:2] for one in found] == [("three",), (), ("three",), (), ()]
    assert [one.was_cycle for one in found] == [True, False, True, False, False]
    cut = tiny.transcribe(sound(parted))
    assert cut.num_passages == 2
    for whole, of_cut in zip(found[0].spans, cut.spans, strict=True):
        assert whole.start_s == pytest.approx(of_cut.start_s, abs=0.05)
    assert tiny.hear([]) == []


def test_many_recordings_give_what_each_gives_alone(tiny: Transcriber) -> None:
    rng = np.random.default_rng(5)
    sounds = [
        sound(*(piece for _ in range(count) for piece in (spoken(*rng.choice(WORDS, 3)), PAUSE)))
        for count in (1, 3, *[2] * 15)
    ]
    sounds.insert(1, sound(PAUSE))
    heard: list[int] = []
    together = tiny.transcribe_many(sounds, advance=heard.append)
    assert sum(one.num_passages for one in together) > 32
    assert sum(heard) == sum(int(one.duration_s) for one in sounds)
    for one, many in zip(sounds, together, strict=True):
        alone = tiny.transcribe(one)
        assert (many.text, many.num_passages) == (alone.text, alone.num_passages)
        assert [span.start_s for span in many.spans] == [span.start_s for span in alone.spans]
    assert together[1].text == ""
    assert tiny.transcribe_many([]) == []


def test_speech_without_a_pause_is_cut_to_what_the_model_has_learned(tmp_path: Path) -> None:
    short = Transcriber(write_tiny_transcriber(tmp_path / "short", max_s=1.0).path)
    found = short.transcribe(sound(spoken(*["one", "two"] * 5)))
    assert found.num_passages >= 3
    assert found.text.split()[:3] == ["one", "two", "one"]
    assert len(found.tokens) == pytest.approx(10, abs=1)  # a cut may fall into a word


def test_files_and_films_are_heard_at_the_rate_of_the_model(
    tmp_path: Path, tiny: Transcriber
) -> None:
    path = write_recording(tmp_path / "x.mp3", spoken("two", "one", rate=44_100), 44_100,
        codec="libmp3lame", sample_format="fltp")  # fmt: skip
    assert tiny.transcribe(path).text == tiny.transcribe(str(path)).text == "two one"
    film = write_film(tmp_path / "x.mp4", film_of(1))
    with pytest.raises(FormatError, match=r"x.mp4 must have a stream of sound, but has video"):
        tiny.transcribe(film)
    stereo = np.stack([spoken("two", "one"), 0 * spoken("two", "one")])
    assert tiny.transcribe(write_recording(tmp_path / "x.wav", stereo, RATE)).text == "two one"


@pytest.mark.parametrize(
    ("samples", "warning"),
    [
        (np.zeros(3 * RATE), "Nothing is heard: there is no speech in it"),
        (np.random.default_rng(0).normal(0, 0.1, 2 * RATE), "Nothing is heard: .* steady noise"),
        (np.full(1, 0.5), "The recording is too short to be heard: 1 samples"),
        (np.full(700, 0.5), "The recording is too short to be heard: 700 samples"),
    ],
)
def test_where_nothing_is_said_the_text_is_empty_and_says_so(
    tiny: Transcriber, samples: np.ndarray, warning: str
) -> None:
    found = tiny.transcribe(Sound(samples.astype(np.float32), RATE, RATE))
    assert (found.text, found.tokens, found.spans, found.confidence) == ("", (), (), 0)
    assert (found.num_passages, found.is_uncertain) == (0, True)
    [said] = found.warnings
    assert found.duration_s == len(samples) / RATE
    assert re.match(warning, said)


def test_speech_of_which_no_word_is_known_is_not_understood(tmp_path: Path) -> None:
    deaf = ENCODER.replace("threshold = {12.0", "threshold = {99.0")
    package = write_tiny_transcriber(tmp_path / "deaf", encoder=deaf)
    found = Transcriber(package.path).transcribe(sound(spoken("one")))
    assert (found.text, found.num_passages, found.iterations) == ("", 1, 0)
    assert found.warnings == ("Nothing is understood: the model hears none of its words in it.",)


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        (np.zeros(0), r"must be samples of one channel, but they are \[0\]"),
        (np.zeros((2, 9)), r"must be samples of one channel, but they are \[2, 9\]"),
        (np.array([0.1, np.nan]), "must be finite and from -1 to 1, but some are not"),
        (np.array([0.1, np.inf]), "must be finite and from -1 to 1"),
        (np.array([100.0, -3000.0]), "Divide whole numbers of 16 bits by 32768"),
    ],
)
def test_samples_that_are_no_sound_are_refused(
    tiny: Transcriber, samples: np.ndarray, message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        tiny.transcribe(Sound(samples.astype(np.float32), RATE, RATE))


@pytest.mark.compiled  # the checker of shapes would refuse it first
def test_what_is_no_source_is_refused(tiny: Transcriber) -> None:
    with pytest.raises(FormatError, match="is of the type `ndarray`"):
        tiny.transcribe(np.zeros(9))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="`stop` must be one of cycle, adaptive, never, but is"):
        Transcriber(tiny.package.path, stop="soon")  # type: ignore[arg-type]


def test_no_more_sound_is_held_than_a_passage_needs(tiny: Transcriber) -> None:
    held: list[weakref.ref[np.ndarray]] = []
    most = 0

    def blocks() -> Iterator[np.ndarray]:
        nonlocal most
        for _ in range(50):
            block = spoken("one", "two", gap_s=0.2)  # a second
            held.append(weakref.ref(block))
            most = max(most, sum(one() is not None for one in held))
            yield block

    found = tiny.transcribe(Recording(blocks(), RATE))
    assert (found.duration_s, len(found.tokens)) == (50, 100)
    assert most <= 8


def test_an_option_or_a_model_that_does_not_hold_is_refused_at_once(
    tmp_path: Path, tiny: Transcriber
) -> None:
    for iterations in (-1, 101):
        with pytest.raises(ConfigError, match=f"must be 0 to 100, but is {iterations}"):
            Transcriber(tiny.package.path, iterations=iterations)
    with pytest.raises(PackageError, match="must be one of the system `transcribe`"):
        Transcriber(write_tiny_package(tmp_path / "maker").path)


def test_the_public_function_warns_of_what_is_wrong(tiny: Transcriber) -> None:
    path = tiny.package.path
    assert signloom.transcribe(sound(spoken("one", "three")), path).text == "one two"
    assert signloom.transcribe(sound(spoken("three")), path, iterations=0).text == "three"
    with pytest.warns(UserWarning, match="Nothing is heard"):
        assert signloom.transcribe(sound(PAUSE), path).text == ""


def test_real_speech_is_heard_without_a_fault(data_dir: Path, tiny: Transcriber) -> None:
    digits = sorted((data_dir / "speech/fsdd").rglob("*.flac"))[:5]
    for path, found in zip(digits, tiny.transcribe_many(digits), strict=True):
        assert found.duration_s > 0.1, path
        assert set(found.tokens) <= set(WORDS)


def test_a_word_without_a_moment_before_it_is_heard_at_its_time(tiny: Transcriber) -> None:
    bare = spoken("one", "two")[RATE // 10 :]
    found = tiny.transcribe(sound(bare))
    assert found.text == "one two"
    assert found.spans[0].start_s == pytest.approx(0.0, abs=0.05)
    assert found.spans[1].start_s == pytest.approx(0.3, abs=0.05)
    assert found.spans[0].start_s >= 0
    assert found.duration_s == len(bare) / RATE
