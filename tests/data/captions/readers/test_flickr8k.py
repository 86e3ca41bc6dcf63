from __future__ import annotations

import pytest

from signloom.data.captions.readers.flickr8k import Options, read
from signloom.errors import FormatError
from tests.data.captions.small_captions import write_picture
from tests.data.speech.small_speech import claims, write_lines

CAPTIONS = ("image,caption", "a.jpg,A cat .", 'b.jpg,"One, two ."', "c.jpg,Off .", "a.jpg,Cats .")
TOKENS = ("a.jpg#0\tA cat .", "b.jpg#0\tOne, two .", "c.jpg#0\tOff .", "a.jpg#1\tCats .")


def write_lists(folder, *, train=("a.jpg",), dev=("b.jpg",), test=()) -> None:
    for split, names in (("train", train), ("dev", dev), ("test", test)):
        write_lines(folder / f"Flickr_8k.{split}Images.txt", *names)


@pytest.mark.parametrize(
    ("table", "lines", "folder"),
    [
        ("captions.csv", CAPTIONS, "images"),
        ("captions.txt", CAPTIONS, "Images"),
        ("Flickr8k.token.txt", TOKENS, "Flicker8k_Dataset"),
    ],
)
def test_either_form_is_read_with_pictures_of_another_suffix(
    tmp_path, table, lines, folder
) -> None:
    path = write_picture(tmp_path / folder / "a.webp")
    for name in "bc":
        write_picture(tmp_path / folder / f"{name}.jpg")
    write_lines(tmp_path / table, *lines)
    write_lists(tmp_path)
    reading = read(tmp_path, Options())
    assert reading.faults == ()
    assert [(e.name, e.split, e.captions) for e in reading.entries] == [
        ("a", "train", ("A cat .", "Cats .")),
        ("b", "dev", ("One, two .",)),
    ]
    assert reading.entries[0].path == path
    [remark] = reading.remarks
    assert remark.message == "1 pictures are in no list of a split and left out"


def test_every_line_that_does_not_hold_is_named(tmp_path) -> None:
    write_picture(tmp_path / "images/a.jpg")
    write_lines(tmp_path / "Flickr8k.token.txt", *TOKENS[:3], "a.jpg#1 no tab", "a.jpg#2\t ")
    write_lists(tmp_path, train=("a.jpg", "", "a.jpg", "b.jpg"), dev=("none.jpg",))
    reading = read(tmp_path, Options())
    assert [entry.captions for entry in reading.entries] == [("A cat .",)]
    tokens, train, dev = (
        claims(fault for fault in reading.faults if fault.place.path.name == name)
        for name in (
            "Flickr8k.token.txt",
            "Flickr_8k.trainImages.txt",
            "Flickr_8k.devImages.txt",
        )
    )
    assert "must read `name#0<tab>caption`: 'a.jpg#1 no tab'" in tokens[4]
    assert "must say something of 'a.jpg', but its caption is empty" in tokens[5]
    assert "names 'a.jpg', of which there is no caption, or named it before" in train[3]
    assert "names 'b', but" in train[4]
    assert "names 'none.jpg', of which there is no caption" in dev[1]
    assert len(reading.faults) == 5


@pytest.mark.parametrize(
    ("missing", "claim"),
    [
        ("captions.csv", "must hold one of captions.csv, captions.txt, Flickr8k.token.txt"),
        ("Flickr_8k.devImages.txt", "devImages.txt cannot be read: No such file"),
        ("images/a.jpg", "must hold the pictures in images or Images or"),
    ],
)
def test_what_is_missing_is_named(tmp_path, missing, claim) -> None:
    write_picture(tmp_path / "images/a.jpg")
    write_lines(tmp_path / "captions.csv", *CAPTIONS)
    write_lists(tmp_path, dev=())
    (tmp_path / missing).unlink()
    if missing == "images/a.jpg":
        (tmp_path / "images").rmdir()
    with pytest.raises(FormatError, match=claim):
        read(tmp_path, Options())


# Thousands of pictures, which the shape checker makes slow.
@pytest.mark.compiled
def test_the_official_split_is_read(data_dir) -> None:
    folder = data_dir / "caption/flickr8k"
    reading = read(folder, Options())
    assert reading.faults == ()
    splits = reading.splits()
    assert [len(splits[split]) for split in ("train", "dev", "test")] == [6000, 1000, 1000]
    assert {len(one.captions) for one in reading.entries} == {5}
    first = splits["test"][0]
    assert first.path == folder / "images/3385593926_d3e9c21170.webp"
    [remark] = reading.remarks
    assert "91 pictures are in no list" in remark.message
