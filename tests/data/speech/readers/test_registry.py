from __future__ import annotations

import pytest

from signloom.cli.prepare import SPEECH_HINT
from signloom.data.readers.options import parse_options
from signloom.data.readers.registry import READERS, SPEECH_READERS, open_reading
from signloom.data.speech.readers.reading import SpeechReader
from signloom.data.speech.readers.registry import find_speech_reader, open_speech
from signloom.errors import ConfigError, FormatError
from tests.data.speech.small_speech import write_lines, write_speech


@pytest.mark.parametrize("name", SPEECH_READERS)
def test_every_speech_reader_says_what_it_is(name: str) -> None:
    reader = find_speech_reader(name)
    assert isinstance(reader, SpeechReader)
    assert (reader.ABOUT.name, reader.ABOUT.kind) == (name, "speech")
    assert len(reader.ABOUT.spoken_language) in (2, 3)
    assert reader.ABOUT.licence
    assert name in SPEECH_HINT
    assert name not in READERS
    parse_options(reader.Options, [], reader=name)


@pytest.mark.parametrize("name", SPEECH_READERS)
def test_every_speech_reader_refuses_an_empty_folder_in_one_line(name: str, tmp_path) -> None:
    with pytest.raises(FormatError, match=str(tmp_path)) as caught:
        open_speech(name, tmp_path)
    assert "\n" not in str(caught.value)


def test_a_corpus_is_opened_with_options(tmp_path) -> None:
    write_speech(tmp_path / "a.wav")
    write_lines(tmp_path / "t.csv", "file,said", "a,one")
    assert len(open_speech("table", tmp_path, ["text=said"]).entries) == 1
    with pytest.raises(ConfigError, match=r"has no option `txt`. Did you mean `text`"):
        open_speech("table", tmp_path, ["txt=said"])
    with pytest.raises(FormatError, match="does not exist"):
        open_speech("table", tmp_path / "no")


def test_speech_and_signing_are_not_mistaken_for_each_other(tmp_path) -> None:
    with pytest.raises(ConfigError, match="`kaldi` reads speech, to be learned from where it "):
        open_reading("kaldi", tmp_path)
    with pytest.raises(ConfigError, match=r"but `boston104` reads other data"):
        find_speech_reader("boston104")
    with pytest.raises(ConfigError, match="Known readers: kaldi, jsonl"):
        find_speech_reader("zzz")
