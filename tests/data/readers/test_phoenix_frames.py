"""PHOENIX-2014 and 2014-T as folders of pictures, in the layout that is published."""

from __future__ import annotations

from pathlib import Path

import pytest

from signloom.data.readers import phoenix14_frames, phoenix14t_frames
from signloom.errors import FormatError
from tests.data.readers.small_films import write_film, write_poses

TABLES = Path("annotations/manual")
FILMS = Path("features/fullFrame-210x260px")
TRAIN, DEV = "01April_2010_Thursday_heute_default-0", "02April_2010_Friday_tagesschau-7"


@pytest.fixture
def phoenix14(tmp_path) -> Path:
    (tmp_path / TABLES).mkdir(parents=True)
    for number, (split, name) in enumerate((("train", TRAIN), ("dev", DEV))):
        row = f"{name}|{name}/1/*.png|Signer0{number}|__ON__ LIEB loc-NORD\n"
        table = tmp_path / TABLES / f"{split}.corpus.csv"
        table.write_text("id|folder|signer|annotation\n" + row)
        write_film(tmp_path / FILMS / split / name / "1", 3 + number, seed=number)
    return tmp_path


@pytest.fixture
def phoenix14t(tmp_path) -> Path:
    (tmp_path / TABLES).mkdir(parents=True)
    for number, (split, name) in enumerate((("train", TRAIN), ("test", DEV))):
        row = f"{name}|{name}/1/*.png|-1|-1|Signer0{number}|REGEN __ON__|es regnet .\n"
        table = tmp_path / TABLES / f"PHOENIX-2014-T.{split}.corpus.csv"
        table.write_text("name|video|start|end|speaker|orth|translation\n" + row)
        write_film(tmp_path / FILMS / split / name, 3 + number, seed=number)
    return tmp_path


def test_phoenix14_has_glosses_signers_and_pictures(phoenix14) -> None:
    options = phoenix14_frames.Options(side_px=16)
    reading = phoenix14_frames.read(phoenix14, options)
    assert reading.faults == ()
    first, second = reading.entries
    assert (first.name, first.split) == (f"train/{TRAIN}", "train")
    assert (second.split, second.signer) == ("dev", "Signer01")
    assert second.glosses == ("__ON__", "LIEB", "loc-NORD")
    assert second.text == "__ON__ LIEB loc-NORD"
    assert second.pictures().shape == (4, 16, 16, 3)
    assert str(second.place).endswith("dev.corpus.csv line 2")


def test_the_signer_independent_part_of_phoenix14_is_read_as_well(phoenix14) -> None:
    for split in ("train", "dev"):
        table = phoenix14 / TABLES / f"{split}.corpus.csv"
        table.rename(table.with_name(f"{split}.SI5.corpus.csv"))
    reading = phoenix14_frames.read(phoenix14, phoenix14_frames.Options())
    assert [entry.split for entry in reading.entries] == ["train", "dev"]


def test_phoenix14t_has_translations_too(phoenix14t) -> None:
    reading = phoenix14t_frames.read(phoenix14t, phoenix14t_frames.Options(side_px=17))
    assert reading.faults == ()
    first, second = reading.entries
    assert (second.name, second.split) == (f"test/{DEV}", "test")
    assert (second.text, second.glosses) == ("es regnet .", ("REGEN", "__ON__"))
    assert second.signer == "Signer01"
    assert first.pictures().shape == (3, 17, 17, 3)
    assert first.load().num_frames == 3


@pytest.mark.parametrize("by_split", [True, False])
def test_poses_are_found_with_or_without_a_folder_of_the_split(phoenix14t, by_split: bool) -> None:
    for frames, (split, name) in ((3, ("train", TRAIN)), (4, ("test", DEV))):
        write_poses(phoenix14t / "poses" / (split if by_split else "") / f"{name}.pose", frames)
    options = phoenix14t_frames.Options(poses="poses")
    reading = phoenix14t_frames.read(phoenix14t, options)
    assert reading.faults == ()
    assert [entry.load().confidence.all() for entry in reading.entries] == [True, True]


def test_films_of_another_size_are_named_by_an_option(phoenix14) -> None:
    (phoenix14 / FILMS).rename(phoenix14 / "features/fullFrame-256x256px")
    assert len(phoenix14_frames.read(phoenix14, phoenix14_frames.Options()).faults) == 2
    options = phoenix14_frames.Options(films="features/fullFrame-256x256px")
    assert phoenix14_frames.read(phoenix14, options).faults == ()


@pytest.mark.parametrize("reader", [phoenix14_frames, phoenix14t_frames])
def test_a_folder_without_tables_is_refused(tmp_path, reader) -> None:
    with pytest.raises(FormatError, match="annotations/manual must hold"):
        reader.read(tmp_path, reader.Options())
