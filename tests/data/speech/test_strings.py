"""Strings of digits: who speaks them, of which recordings, and what their last digit says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.data.speech.corpus import SpeechCorpus
from signloom.data.speech.strings import DIGITS, SPLITS, DigitStrings
from signloom.data.speech.utterance import Utterance
from signloom.errors import ConfigError, FormatError
from tests.small_digits import LOUDNESS, RATE, hertz_of, write_digits

FAINT = 0.01
"""Louder than the noise under a string, fainter than any digit."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_digits(tmp_path_factory.mktemp("digits") / "all", speakers=LOUDNESS)


@pytest.fixture(scope="module")
def corpus(folder: Path) -> DigitStrings:
    return DigitStrings(folder, num_train=200, num_dev=70, num_test=600)


def drawn(corpus: DigitStrings, split: str = "train", *, seed: int = 3) -> list[Utterance]:
    return corpus.draw(np.random.default_rng(seed), split=split, size=11, pool=3)


def pieces_of(one: Utterance) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Part the sound of a string into its digits and the gaps around them."""
    sound = one.read()
    # A tone passes zero, but never for the length of a window.
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(np.abs(sound), 8), 17)
    loud = windows.max(axis=1) > FAINT
    pieces = np.split(sound, np.flatnonzero(np.diff(loud)) + 1)
    return pieces[1::2], pieces[0::2]


def is_checked(one: Utterance) -> bool:
    digits = [DIGITS.index(token) for token in one.tokens]
    return sum(digits[:-1]) % 10 == digits[-1]


def test_it_is_a_corpus_of_speech(corpus: DigitStrings) -> None:
    assert isinstance(corpus, SpeechCorpus)
    assert corpus.vocabulary.tokens == ("<pad>", "<unk>", "<s>", "</s>", *DIGITS)
    assert max(one.duration_s for one in drawn(corpus)) <= corpus.max_s


@pytest.mark.parametrize("split", SPLITS)
def test_a_split_has_takes_of_its_own_and_a_string_one_speaker(
    corpus: DigitStrings, split: str
) -> None:
    ranges = SPLITS[split]
    strings = drawn(corpus) if split == "train" else corpus.examples(split)[:20]
    for one in strings:
        digits, _ = pieces_of(one)
        assert len(digits) == len(one.tokens)
        for piece, token in zip(digits, one.tokens, strict=True):
            # A window reaches 8 samples into either gap, where the tone is not faint at once.
            ms = (len(piece) - 16) / 8
            assert ranges.start - 1 < ms - 30 < ranges.stop
            assert np.abs(piece).max() == pytest.approx(LOUDNESS[one.speaker], abs=0.05)
            hertz = np.abs(np.fft.rfft(piece, RATE)).argmax()
            assert hertz == pytest.approx(hertz_of(DIGITS.index(token)), abs=20)


def test_gaps_are_of_50_to_250_ms_around_each_digit_and_nearly_silent(
    corpus: DigitStrings,
) -> None:
    for one in corpus.examples("dev")[:20]:
        digits, gaps = pieces_of(one)
        assert len(gaps) == len(digits) + 1
        assert all(0.05 <= (len(gap) + 16) / RATE <= 0.255 for gap in gaps)
        assert 0 < np.abs(np.concatenate(gaps)).max() < FAINT


def test_half_of_the_strings_of_two_digits_or_more_end_in_a_check_digit(
    corpus: DigitStrings,
) -> None:
    strings = [one for one in corpus.examples("test") if len(one.tokens) > 1]
    # A tenth of the other half does by chance.
    assert np.mean(list(map(is_checked, strings))) == pytest.approx(0.55, abs=0.06)
    lengths = {len(one.tokens) for one in corpus.examples("test")}
    assert lengths == set(range(1, 9))


def test_the_same_seed_gives_the_same_strings_and_another_gives_others(
    folder: Path, corpus: DigitStrings
) -> None:
    again = DigitStrings(folder, num_train=200, num_dev=5, num_test=7)
    assert (len(again.examples("dev")), len(again.examples("test"))) == (5, 7)
    for split in ("dev", "test"):
        for one, same in zip(again.examples(split), corpus.examples(split), strict=False):
            assert (one.name, one.text, one.speaker) == (same.name, same.text, same.speaker)
            np.testing.assert_array_equal(one.read(), same.read())
            np.testing.assert_array_equal(one.read(), one.read())
    other = DigitStrings(folder, num_train=200, num_dev=5, num_test=7, seed=1)
    assert [one.text for one in other.examples("dev")] != [
        one.text for one in again.examples("dev")
    ]


def test_training_strings_are_drawn_by_length_from_a_pool(
    corpus: DigitStrings,
) -> None:
    assert len(corpus.examples("train")) == 200
    batches = [drawn(corpus, seed=seed) for seed in range(6)]
    assert {len(batch) for batch in batches} == {11}
    assert [one.text for one in drawn(corpus, seed=4)] == [one.text for one in batches[4]]
    spreads = [np.ptp([len(one.tokens) for one in batch]) for batch in batches]
    assert np.mean(spreads) <= 4
    listed = {one.name for one in corpus.examples("dev")}
    assert {one.name for one in drawn(corpus, "dev")} <= listed


def test_a_speaker_who_is_held_out_is_tested_by_all_takes_and_nobody_else_is(
    folder: Path,
) -> None:
    corpus = DigitStrings(folder, num_train=200, num_dev=40, num_test=40, held_out="bo")
    assert {one.speaker for one in corpus.examples("test")} == {"bo"}
    assert {one.speaker for one in (*corpus.examples("dev"), *drawn(corpus))} == {"ann", "cy"}
    lengths = [len(piece) for one in corpus.examples("test") for piece in pieces_of(one)[0]]
    assert min(lengths) / 8 < 35
    assert max(lengths) / 8 > 70


def test_a_speaker_whom_nobody_knows_cannot_be_held_out(folder: Path) -> None:
    with pytest.raises(ConfigError, match="must be one of ann, bo, cy, but is 'dee'"):
        DigitStrings(folder, held_out="dee")


def test_a_folder_without_what_a_split_needs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is none"):
        DigitStrings(tmp_path / "missing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match=r"such as 7_jackson_32\.wav, but holds none"):
        DigitStrings(tmp_path / "empty")
    some = write_digits(tmp_path / "some", speakers=("ann",), takes=(1, 6, 20))
    (some / "3_ann_6.wav").unlink()
    with pytest.raises(FormatError, match=r"of ann for `dev` \(indices 5 to 9\), but lacks 3"):
        DigitStrings(some)
    write_digits(tmp_path / "tests", speakers=("bo",), takes=(2,))
    with pytest.raises(FormatError, match="for `dev`, but holds none"):
        DigitStrings(tmp_path / "tests")


def test_the_published_recordings_give_strings_of_six_speakers(data_dir: Path) -> None:
    corpus = DigitStrings(data_dir / "speech/fsdd/flac")
    assert [len(corpus.examples(split)) for split in ("dev", "test")] == [300, 1000]
    assert len({one.speaker for one in corpus.examples("test")}) == 6
    for one in corpus.examples("test")[:5]:
        sound = one.read()
        assert len(sound) / RATE == pytest.approx(one.duration_s, rel=0.4)
        assert 0.01 < np.abs(sound).max() < 1.1
