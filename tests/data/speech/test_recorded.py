from __future__ import annotations

import json
import logging

import numpy as np
import pytest

from signloom.data.speech.corpus import SpeechCorpus
from signloom.data.speech.recorded import RecordedSpeech
from signloom.errors import ConfigError, FormatError
from tests.data.speech.small_speech import RATE, write_lines, write_speech


def write_corpus(folder, texts: dict[str, list[str]], *, seconds: float = 0.3):
    """Write a recording for each text and `all.jsonl`."""
    lines = []
    for split, said in texts.items():
        for number, text in enumerate(said):
            name = f"{split}{number}.wav"
            write_speech(folder / name, seconds)
            lines.append({"audio": name, "text": text, "split": split, "speaker": "ann"})
    write_lines(folder / "all.jsonl", *map(json.dumps, lines))
    return folder


def open_corpus(folder, **changes):
    values = {"spoken_language": "en", "unit": "words", "rate": RATE}
    return RecordedSpeech("jsonl", folder, **values | changes)


TEXTS = {"train": ["One two!", "two", "two one."], "dev": ["three"], "test": ["one", "four"]}


def test_utterances_are_tokenised_and_read_from_where_they_are(tmp_path) -> None:
    corpus = open_corpus(write_corpus(tmp_path, TEXTS))
    assert isinstance(corpus, SpeechCorpus)
    first = corpus.examples("train")[0]
    assert (first.name, first.text, first.tokens) == ("train0.wav", "One two!", ("one", "two"))
    assert (first.speaker, first.duration_s) == ("ann", pytest.approx(0.3))
    assert first.read().shape == (2400,)
    assert corpus.vocabulary.tokens == ("<pad>", "<unk>", "<s>", "</s>", "two", "one")
    assert (corpus.source, corpus.licence, corpus.rate) == (tmp_path.name, "none stated", RATE)
    assert corpus.max_s == pytest.approx(0.3)


def test_sound_comes_at_the_rate_asked_for_and_what_is_missing_is_said(tmp_path, caplog) -> None:
    corpus = open_corpus(write_corpus(tmp_path, TEXTS), rate=16000)
    assert corpus.examples("test")[0].read().shape == (4800,)
    assert "what lies above 4000 Hz is missing" in caplog.text


def test_what_training_lacks_becomes_unknown_and_is_named_once(tmp_path, caplog) -> None:
    corpus = open_corpus(write_corpus(tmp_path, TEXTS))
    assert [one.tokens for one in corpus.examples("test")] == [("one",), ("<unk>",)]
    assert corpus.examples("test")[1].text == "four"
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert "2 tokens of dev and test, 2 times, are not in the vocabulary" in record.getMessage()
    assert record.getMessage().endswith("become <unk>: three, four.")


def test_tokens_that_are_rare_in_training_are_unknown(tmp_path) -> None:
    corpus = open_corpus(write_corpus(tmp_path, TEXTS), least=3)
    assert corpus.vocabulary.tokens[4:] == ("two",)
    assert corpus.examples("train")[0].tokens == ("<unk>", "two")


def test_characters_are_tokens_too(tmp_path) -> None:
    folder = write_corpus(tmp_path, {"train": ["温度 设为", "ok 度"]})
    corpus = open_corpus(folder, spoken_language="zh", unit="characters")
    assert corpus.examples("train")[0].tokens == ("温", "度", "设", "为")
    assert corpus.examples("dev") == []


def test_utterances_too_long_or_too_short_are_left_out_of_training_and_counted(
    tmp_path, caplog
) -> None:
    write_corpus(tmp_path, {"train": ["one", "two"], "test": ["one"]})
    write_speech(tmp_path / "train0.wav", 0.05)
    write_speech(tmp_path / "test0.wav", 0.9)
    write_speech(tmp_path / "long.wav", 0.7)
    with (tmp_path / "all.jsonl").open("a") as file:
        file.write('{"audio": "long.wav", "text": "one", "split": "train"}\n')
    corpus = open_corpus(tmp_path, max_s=0.6)
    assert [one.name for one in corpus.examples("train")] == ["train1.wav"]
    assert len(corpus.examples("test")) == 1
    assert "2 of 3 training utterances are left out, 1 longer than 0.6 s and 1 shor" in caplog.text
    assert "one" not in corpus.vocabulary
    with pytest.raises(ConfigError, match=r"must have a training utterance of 0.1 to 0.2 s, but"):
        open_corpus(tmp_path, max_s=0.2)


def test_parts_of_a_recording_are_cut_out(tmp_path) -> None:
    path = write_speech(tmp_path / "long.wav", 1.5)
    write_lines(tmp_path / "train/wav.scp", f"rec {path}")
    write_lines(tmp_path / "train/segments", "b rec 0.25 1.25", "c rec 1.25 -1")
    write_lines(tmp_path / "train/text", "b one", "c two")
    corpus = RecordedSpeech("kaldi", tmp_path, spoken_language="en", unit="words", rate=RATE)
    first, second = corpus.examples("train")
    assert (first.duration_s, second.duration_s) == (1.0, pytest.approx(0.25))
    assert (len(first.read()), len(second.read())) == (8000, 2000)
    assert not np.array_equal(first.read()[:2000], second.read())


def test_batches_are_drawn_alike_and_of_similar_lengths(tmp_path) -> None:
    write_corpus(tmp_path, {"train": ["one"] * 12})
    for number in range(12):
        write_speech(tmp_path / f"train{number}.wav", 0.1 + 0.05 * (number % 6))
    corpus = open_corpus(tmp_path)

    def draw(split: str = "train"):
        return corpus.draw(np.random.default_rng(3), split=split, size=3, pool=4)

    assert [one.name for one in draw()] == [one.name for one in draw()]
    lengths = [one.duration_s for one in draw()]
    assert max(lengths) - min(lengths) < 0.11


def test_a_corpus_with_faults_is_refused_by_file_and_line(tmp_path) -> None:
    write_corpus(tmp_path, {"train": ["one", "two", "?!", "three"]})
    (tmp_path / "train1.wav").unlink()
    with pytest.raises(FormatError, match=r"all\.jsonl line 2: names 'train1.wav', but"):
        open_corpus(tmp_path)
    write_speech(tmp_path / "train1.wav")
    (tmp_path / "train3.wav").write_text("no sound")
    with pytest.raises(FormatError, match=r"line 3: must say something, but of '\?!' .* 1 more: "):
        open_corpus(tmp_path)


def test_the_language_of_a_corpus_is_not_another(tmp_path) -> None:
    write_speech(tmp_path / "train/s/a.wav")
    header = "UtteranceID\tSpeakerID\tTranscription"
    write_lines(tmp_path / "train/TRANS.txt", header, "a.wav\ts\t温度")
    assert RecordedSpeech("magicdata", tmp_path, spoken_language="zh").source == "magicdata"
    with pytest.raises(ConfigError, match=r"`corpus.spoken_language` must be zh for magicdata"):
        RecordedSpeech("magicdata", tmp_path, spoken_language="de")
