from __future__ import annotations

import pytest

from signloom.data.captions.readers.captions import Options, read
from signloom.errors import FormatError
from tests.data.captions.small_captions import write_picture
from tests.data.speech.small_speech import claims, write_lines


def test_a_table_and_its_pictures_are_read(tmp_path) -> None:
    write_picture(tmp_path / "deep/one.jpg")
    write_picture(tmp_path / "two.webp")
    write_lines(
        tmp_path / "any.csv",
        "image,caption,split",
        'deep/one.jpg,"A cat, asleep.",train',
        "two.jpg,A dog.,val",
        "deep/one.jpg,Sleep.,",
    )
    reading = read(tmp_path, Options(spoken_language="en", licence="mine"))
    assert reading.faults == ()
    assert [(e.name, e.split, e.captions) for e in reading.entries] == [
        ("deep/one", "train", ("A cat, asleep.", "Sleep.")),
        ("two", "dev", ("A dog.",)),
    ]
    assert reading.entries[1].path == tmp_path / "two.webp"
    assert reading.files == (tmp_path / "any.csv",)
    assert (reading.about.spoken_language, reading.about.licence) == ("en", "mine")


def test_pictures_are_looked_for_in_images_where_the_first_is(tmp_path) -> None:
    path = write_picture(tmp_path / "images/one.png")
    write_lines(tmp_path / "a.csv", "image,caption", "one.jpg,A cat.", "two.jpg,A dog.")
    reading = read(tmp_path, Options())
    assert [entry.path for entry in reading.entries] == [path]
    [fault] = reading.faults
    assert "two.jpg" in fault.message


def test_columns_and_folders_have_the_names_that_are_given(tmp_path) -> None:
    path = write_picture(tmp_path / "photos/one.png")
    write_lines(tmp_path / "b.tsv", "file\tsays", 'one\tA "cat.')
    write_lines(tmp_path / "a.csv", "nothing")
    options = Options(table="b.tsv", image="file", caption="says", pictures="photos")
    [entry] = read(tmp_path, options).entries
    assert (entry.path, entry.captions) == (path, ('A "cat.',))


def test_without_a_split_the_captions_of_a_picture_stay_together_and_always_where_they_are(
    tmp_path,
) -> None:
    names = [f"{number}.png" for number in range(40)]
    for name in names:
        write_picture(tmp_path / name)
    rows = [f"{name},one" for name in names] + [f"{name},two" for name in names]
    write_lines(tmp_path / "t.csv", "image,caption", *rows)
    first = {one.name: one.split for one in read(tmp_path, Options()).entries}
    write_lines(tmp_path / "t.csv", "image,caption", *reversed(rows))
    again = {one.name: one.split for one in read(tmp_path, Options()).entries}
    assert first == again
    assert 20 < list(first.values()).count("train") < 40


def test_every_row_that_does_not_hold_is_named(tmp_path) -> None:
    write_picture(tmp_path / "a.png")
    write_picture(tmp_path / "b.png")
    write_lines(
        tmp_path / "t.csv",
        "image,caption,split",
        "a.png,fine,train",
        "a.png,again,test",
        "no.png,one,train",
        "../a.png,one,train",
        "/etc/a.png,one,train",
        "a.png",
        "a.png,,train",
        "b.png,one,here",
        "a,a second name,train",
        f"{'x' * 300},one,train",
    )
    reading = read(tmp_path, Options())
    assert [entry.name for entry in reading.entries] == ["a"]
    expected = {
        3: "must be of 'train' as before it, but is of 'test'",
        4: "names 'no', but",
        5: "must be named by its path in",
        6: "must be named by its path in",
        7: "must have 3 fields as the header has, but has 1",
        8: "must say something of 'a.png', but its caption is empty",
        9: "`split` must be one of train, dev, test, but is 'here'",
        10: "repeats the id 'a'",
        11: "names 'xxx",
    }
    found = claims(reading.faults)
    assert found.keys() == expected.keys()
    for line, claim in expected.items():
        assert claim in found[line]


def test_columns_that_are_missing_are_named(tmp_path) -> None:
    write_lines(tmp_path / "t.csv", "image,text", "a,one")
    with pytest.raises(FormatError, match="lacks `caption`"):
        read(tmp_path, Options())
