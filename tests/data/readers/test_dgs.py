"""The DGS sample: metadata and recordings, written small and in the real sample."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from signloom.data.readers.dgs import Options, read
from signloom.errors import ConfigError
from signloom.poses.pose import Pose
from tests.data.small_corpus import moving_frames


def write_sentence(folder: Path, name: str, **changes) -> None:
    sentence = {"german": "Guten Tag.", "english": "Hello.", "glosses": {"gloss": ["GUT1", "TAG1"]}}
    document = {"document_id": "12", "sentence": sentence | changes}
    (folder / f"{name}_metadata.json").write_text(json.dumps(document))
    for number, version in enumerate(("original", "updated")):
        Pose.of(moving_frames(3 + number, seed=len(name))).save(folder / f"{name}_{version}.pose")


def test_a_sentence_is_read_in_either_language_and_version(tmp_path) -> None:
    write_sentence(tmp_path, "train_1")
    [entry] = read(tmp_path, Options()).entries
    assert (entry.name, entry.text, entry.glosses) == ("train_1", "Guten Tag.", ("GUT1", "TAG1"))
    assert entry.load().num_frames == 3
    reading = read(tmp_path, Options(version="updated", text="english"))
    assert reading.about.spoken_language == "en"
    assert reading.entries[0].text == "Hello."
    assert reading.entries[0].load().num_frames == 4


def test_sentences_of_a_document_stay_in_one_split(tmp_path) -> None:
    for number in range(9):
        write_sentence(tmp_path, f"train_{number}")
    assert len({entry.split for entry in read(tmp_path, Options()).entries}) == 1


def test_metadata_that_does_not_hold_is_named_file_by_file(tmp_path) -> None:
    write_sentence(tmp_path, "a", german=3)
    write_sentence(tmp_path, "b", glosses={"gloss": [1]})
    write_sentence(tmp_path, "c")
    (tmp_path / "c_original.pose").unlink()
    (tmp_path / "d_metadata.json").write_text("{")
    (tmp_path / "e_metadata.json").write_text("[]")
    write_sentence(tmp_path, "f")
    write_sentence(tmp_path, "g", german="half \ud83e")
    (tmp_path / "h_metadata.json").symlink_to("/dev/zero")
    reading = read(tmp_path, Options())
    assert [entry.name for entry in reading.entries] == ["f"]
    found = {fault.place.path.name[0]: fault.message for fault in reading.faults}
    assert "`sentence.german`" in found["a"]
    assert "`sentence.glosses.gloss`" in found["b"]
    assert "c_original.pose" in found["c"]
    assert "must be JSON" in found["d"]
    assert "must hold an object, but holds a list" in found["e"]
    assert "half a surrogate pair" in found["g"]
    assert "must be a plain file" in found["h"]


@pytest.mark.parametrize("options", [{"version": "other"}, {"text": "french"}])
def test_options_are_checked(options: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="must be"):
        Options(**options)


def test_the_real_sample_is_read_whole(data_dir: Path) -> None:
    reading = read(data_dir / "sign/dgs_fluent", Options())
    assert reading.faults == ()
    assert len(reading.entries) == 16
    first = next(entry for entry in reading.entries if entry.name == "train_1")
    assert first.text == "Auf Lanzarote zum Beispiel gibt es eine starke Wasserknappheit."
    assert first.glosses[:2] == ("ES-GIBT3*", "$ALPHA1:L")
    assert first.load().num_frames > 20
