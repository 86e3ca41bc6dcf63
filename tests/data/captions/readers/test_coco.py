from __future__ import annotations

import json

import pytest

from signloom.data.captions.readers.coco import Options, read
from signloom.errors import FormatError
from tests.data.captions.small_captions import write_picture

IMAGES = [{"id": 7, "file_name": "0007.jpg"}, {"id": 3, "file_name": "0003.jpg"}]
ANNOTATIONS = [
    {"image_id": 3, "id": 1, "caption": "A dog."},
    {"image_id": 7, "id": 2, "caption": "A cat."},
    {"image_id": 3, "id": 3, "caption": "Dogs."},
]
KARPATHY = [
    {
        "filepath": "val2014",
        "filename": f"COCO_val2014_{number:03}.jpg",
        "cocoid": number,
        "split": split,
        "sentences": [{"raw": "A cat.", "tokens": ["a", "cat"]}, {"raw": "Cats."}],
    }
    for number, split in ((11, "restval"), (5, "val"), (8, "test"), (2, "train"))
]


def write_own(folder, name="captions_val2017.json", images=IMAGES, annotations=ANNOTATIONS) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps({"images": images, "annotations": annotations}))


@pytest.mark.parametrize("below", [".", "annotations"])
def test_cocos_own_captions_are_read_and_pictures_where_they_are(tmp_path, below) -> None:
    path = write_picture(tmp_path / "val2017/0003.png")
    write_own(tmp_path / below)
    write_own(
        tmp_path / below,
        "captions_train2017.json",
        [{"id": 1, "file_name": "1.jpg"}],
        [{"image_id": 1, "caption": "A bird."}],
    )
    reading = read(tmp_path, Options())
    assert reading.faults == ()
    assert [(e.name, e.split, e.captions, e.path) for e in reading.entries] == [
        ("1", "train", ("A bird.",), None),
        ("7", "dev", ("A cat.",), None),
        ("3", "dev", ("A dog.", "Dogs."), path),
    ]


def test_the_karpathy_split_goes_before_cocos_own(tmp_path) -> None:
    path = write_picture(tmp_path / "images/val2014/COCO_val2014_005.jpg")
    write_own(tmp_path)
    (tmp_path / "dataset_coco.json").write_text(json.dumps({"images": KARPATHY}))
    reading = read(tmp_path, Options())
    assert reading.faults == ()
    assert [(e.name, e.split, e.path) for e in reading.entries] == [
        ("11", "train", None),
        ("5", "dev", path),
        ("8", "test", None),
        ("2", "train", None),
    ]
    assert reading.entries[0].captions == ("A cat.", "Cats.")


def test_a_split_of_flickr8k_is_read_by_its_name(tmp_path) -> None:
    path = write_picture(tmp_path / "images/99_f.webp")
    one = {"filename": "99_f.jpg", "split": "train", "sentences": [{"raw": "A cat."}]}
    (tmp_path / "dataset_flickr8k.json").write_text(json.dumps({"images": [one]}))
    reading = read(tmp_path, Options(split="dataset_flickr8k.json", name="flickr8k"))
    assert [(e.name, e.path) for e in reading.entries] == [("99_f", path)]
    assert reading.about.name == "flickr8k"


@pytest.mark.parametrize(
    "spoilt",
    [
        {"split": "trian"},
        {"split": ["train"]},
        {"filename": None, "cocoid": 4},
        {"filename": 5, "cocoid": 4, "sentences": "A cat."},
        {"sentences": [{"tokens": ["a"]}]},
        {"sentences": None},
        {"sentences": [{"raw": None}]},
        {"sentences": [{"raw": ["a", "b"]}]},
        {"cocoid": None},
        {"cocoid": True},
        {"filename": 5},
        {"sentences": []},
    ],
)
def test_a_picture_of_the_split_that_does_not_hold_is_named(tmp_path, spoilt) -> None:
    images = [KARPATHY[0], KARPATHY[1] | spoilt, KARPATHY[2]]
    (tmp_path / "dataset_coco.json").write_text(json.dumps({"images": images}))
    reading = read(tmp_path, Options())
    assert [entry.name for entry in reading.entries] == ["11", "8"]
    [fault] = reading.faults
    assert fault.place.path == tmp_path / "dataset_coco.json"
    assert "picture 2 must have" in fault.message or "must have a text" in fault.message
    assert "\n" not in fault.message


def test_every_annotation_that_does_not_hold_is_named(tmp_path) -> None:
    images = [*IMAGES, {"id": 9}, {"id": 3, "file_name": "again.jpg"}, None]
    annotations = [*ANNOTATIONS, {"image_id": 3}, {"image_id": 42, "caption": "Lost."}, []]
    annotations += [{"image_id": 3, "caption": None}, {"image_id": 3.5, "caption": "A cat."}]
    write_own(tmp_path, images=images, annotations=annotations)
    reading = read(tmp_path, Options())
    assert [entry.captions for entry in reading.entries] == [("A cat.",), ("A dog.", "Dogs.")]
    assert [fault.message.partition(",")[0] for fault in reading.faults] == [
        "annotation 4 must have image_id and caption",
        "annotation 6 must have image_id and caption",
        "annotation 7 must have image_id and caption",
        "annotation 8 must have image_id and caption",
        "picture 3 must have id and file_name",
        f"repeats the id '3' of {tmp_path / 'captions_val2017.json'}",
        "picture 5 must have id and file_name",
        "captions picture 42",
    ]


@pytest.mark.parametrize("name", ["../0007.jpg", "x" * 300 + "/0007.jpg", "no\0.jpg", "/etc/7.jpg"])
def test_a_picture_outside_the_folder_is_not_at_hand(tmp_path, name) -> None:
    write_picture(tmp_path / "0007.jpg")
    (tmp_path / "coco").mkdir()
    write_own(tmp_path / "coco", images=[{"id": 3, "file_name": name}], annotations=ANNOTATIONS[:1])
    assert [entry.path for entry in read(tmp_path / "coco", Options()).entries] == [None]


@pytest.mark.parametrize("content", ["[]", "{}", '{"images": {}}', "{", '{"images": [], "a": 1'])
def test_a_file_that_is_none_is_refused_in_one_line(tmp_path, content) -> None:
    (tmp_path / "captions_val2017.json").write_text(content)
    with pytest.raises(FormatError, match=r"captions_val2017\.json") as caught:
        read(tmp_path, Options())
    assert "\n" not in str(caught.value)


# Thousands of pictures, which the shape checker makes slow.
@pytest.mark.compiled
def test_captions_of_coco_are_read_without_pictures(data_dir) -> None:
    reading = read(data_dir / "caption/coco_val2017", Options())
    assert reading.faults == ()
    assert len(reading.splits()["dev"]) == len(reading.entries) == 5000
    assert sum(len(one.captions) for one in reading.entries) == 25014
    assert {one.path for one in reading.entries} == {None}
