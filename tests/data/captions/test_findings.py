from __future__ import annotations

import json
import shutil

from signloom.data.captions.findings import look_at
from signloom.data.captions.readers.registry import open_captions
from tests.data.captions.small_captions import write_picture
from tests.data.speech.small_speech import claims, write_lines


def test_every_picture_is_looked_at_and_what_is_wrong_is_named(tmp_path) -> None:
    for name in ("a", "b", "c", "e"):
        write_picture(tmp_path / f"{name}.png")
    (tmp_path / "b.png").write_text("no picture")
    path = tmp_path / "c.png"
    path.write_bytes(path.read_bytes()[:700])
    for name in ("d", "f"):
        shutil.copy(tmp_path / "a.png", tmp_path / f"{name}.png")
    write_lines(
        tmp_path / "t.csv",
        "image,caption,split",
        "a.png,A cat.,train",
        "b.png,A cat.,train",
        "c.png,A cat.,train",
        "d.png,A cat.,test",
        "e.png,?!,train",
        "no.png,A cat.,train",
        "f.png,A cat.,train",
    )
    told: list[int] = []
    findings = look_at(open_captions("captions", tmp_path), advance=told.append)
    assert [entry.name for entry in findings.seen] == ["a", "f"]
    [remark] = findings.remarks
    assert remark.message.startswith("'f' is the same picture as 'a' of")
    found = claims(findings.faults)
    assert found.keys() == {3, 4, 5, 6, 7}
    assert "b.png" in found[3]
    assert "c.png" in found[4]
    assert found[5].startswith("'d' is the same picture as 'a' of")
    assert found[5].endswith(", across train and test")
    assert found[6] == "'e' must say something, but of '?!' nothing is left"
    assert "names 'no', but" in found[7]
    assert told == [1] * 6


def test_captions_without_pictures_are_a_remark(tmp_path) -> None:
    document = {
        "images": [{"id": 1, "file_name": "1.jpg"}],
        "annotations": [{"image_id": 1, "caption": "A cat."}],
    }
    (tmp_path / "captions_val.json").write_text(json.dumps(document))
    findings = look_at(open_captions("coco", tmp_path))
    assert (findings.faults, len(findings.seen)) == ([], 1)
    [remark] = findings.remarks
    assert "1 of 1 pictures are not at hand, only their captions" in remark.message


def test_an_empty_table_is_a_fault(tmp_path) -> None:
    write_lines(tmp_path / "t.csv", "image,caption")
    [fault] = look_at(open_captions("captions", tmp_path)).faults
    assert "must list at least one picture, but lists none" in fault.message
