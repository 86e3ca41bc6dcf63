from __future__ import annotations

import pytest

from signloom.cli.prepare import READERS_HINT
from signloom.data.readers.isl13 import Options
from signloom.data.readers.options import parse_options
from signloom.data.readers.reading import Reader
from signloom.data.readers.registry import READERS, find_reader, open_reading
from signloom.errors import ConfigError, FormatError


@pytest.mark.parametrize("name", READERS)
def test_every_reader_says_what_it_is(name: str) -> None:
    reader = find_reader(name)
    about = reader.ABOUT
    assert isinstance(reader, Reader)
    assert about.name == name
    assert about.kind == "signing"
    assert len(about.language) == 3
    assert len(about.spoken_language) in (2, 3)
    assert about.licence
    assert name in READERS_HINT
    parse_options(reader.Options, [], reader=name)


def test_an_unknown_reader_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="Did you mean `boston104`"):
        find_reader("boston-104")
    with pytest.raises(ConfigError, match="Known readers: folder, "):
        find_reader("zzz")


@pytest.mark.parametrize("name", READERS)
def test_every_reader_refuses_an_empty_folder_in_one_line(name: str, tmp_path) -> None:
    with pytest.raises(FormatError, match=str(tmp_path)) as caught:
        open_reading(name, tmp_path)
    assert "\n" not in str(caught.value)


def test_a_place_that_is_no_folder_is_refused(tmp_path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FormatError, match="does not exist"):
        open_reading("folder", tmp_path / "no")
    with pytest.raises(FormatError, match="is a file"):
        open_reading("folder", tmp_path / "file")


def test_options_take_the_type_of_their_field() -> None:
    options = parse_options(Options, ["train=7", "fps=12.5"], reader="isl13")
    assert (options.train, options.fps, options.dev) == (7, 12.5, 40)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("trian=7", "no option `trian`. Did you mean `train`"),
        ("xyz=7", "Known: train, dev"),
        ("train", "must read `train=value`"),
        ("train=", "must be a whole number, but is ''"),
        ("train=1.5", "must be a whole number"),
        ("train=-1", "`train` must be 0 to 100000"),
        ("fps=a", "must be a number"),
        ("fps=nan", "must be finite"),
        ("fps=1000", "`fps` must be 1 to 240"),
    ],
)
def test_an_option_that_does_not_hold_is_one_line(text: str, claim: str) -> None:
    with pytest.raises(ConfigError, match=claim):
        parse_options(Options, [text], reader="isl13")
