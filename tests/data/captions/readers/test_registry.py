from __future__ import annotations

import pytest

from signloom.cli.prepare import CAPTION_HINT
from signloom.data.captions.captioned import Captioned
from signloom.data.captions.readers.reading import CaptionReader
from signloom.data.captions.readers.registry import find_caption_reader, open_captions
from signloom.data.readers.options import parse_options
from signloom.data.readers.registry import CAPTION_READERS, READERS, SPEECH_READERS, open_reading
from signloom.errors import ConfigError, FormatError
from tests.data.captions.small_captions import write_picture
from tests.data.speech.small_speech import write_lines


@pytest.mark.parametrize("name", CAPTION_READERS)
def test_every_reader_of_captions_says_what_it_is(name: str) -> None:
    reader = find_caption_reader(name)
    assert isinstance(reader, CaptionReader)
    assert (reader.ABOUT.name, reader.ABOUT.kind) == (name, "captions")
    assert len(reader.ABOUT.spoken_language) in (2, 3)
    assert reader.ABOUT.licence
    assert name in CAPTION_HINT
    assert name not in {*READERS, *SPEECH_READERS}
    parse_options(reader.Options, [], reader=name)


@pytest.mark.parametrize("name", CAPTION_READERS)
def test_every_reader_of_captions_refuses_an_empty_folder_in_one_line(name, tmp_path) -> None:
    with pytest.raises(FormatError, match=str(tmp_path)) as caught:
        open_captions(name, tmp_path)
    assert "\n" not in str(caught.value)


def test_a_corpus_is_opened_with_options(tmp_path) -> None:
    path = write_picture(tmp_path / "a.png")
    write_lines(tmp_path / "t.csv", "image,said,split", "a.png,one,dev")
    reading = open_captions("captions", tmp_path, ["caption=said"])
    assert reading.splits() == {"train": [], "dev": [Captioned("a", path, ("one",))], "test": []}
    with pytest.raises(ConfigError, match=r"has no option `captoin`. Did you mean `caption`"):
        open_captions("captions", tmp_path, ["captoin=said"])
    with pytest.raises(FormatError, match="does not exist"):
        open_captions("captions", tmp_path / "no")


def test_captions_and_signing_are_not_mistaken_for_each_other(tmp_path) -> None:
    with pytest.raises(ConfigError, match="`coco` reads pictures, to be learned from where it is"):
        open_reading("coco", tmp_path)
    with pytest.raises(ConfigError, match=r"but `boston104` reads other data"):
        find_caption_reader("boston104")
    with pytest.raises(ConfigError, match="Known readers: flickr8k, coco, captions"):
        find_caption_reader("zzz")
