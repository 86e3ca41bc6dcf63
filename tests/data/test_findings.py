"""What is wrong with a corpus is found: in its recordings, between them, and in its shards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from signloom.data.findings import look_at_prepared, look_at_reading
from signloom.data.inspection import summarise
from signloom.data.plots import check_plot, plot
from signloom.data.preparation import prepare
from signloom.data.prepared import CARD
from signloom.data.readers import folder as folder_reader
from signloom.data.readers import phoenix14t_skels
from signloom.errors import FormatError
from tests.data.small_corpus import moving_frames, skels_line, write_folder, write_parallel


def read(folder: Path):
    return phoenix14t_skels.read(folder, phoenix14t_skels.Options())


def test_a_sound_corpus_has_no_fault_and_is_counted(tmp_path) -> None:
    reading = folder_reader.read(
        write_folder(tmp_path, fps=50.0), folder_reader.Options(spoken_language="en")
    )
    findings = look_at_reading(reading)
    assert (findings.faults, findings.remarks) == ([], [])
    document = summarise(findings)
    assert json.loads(json.dumps(document)) == document
    assert document["splits"]["train"] == {
        "utterances": 4,
        "frames": 5 + 7 + 13 + 15,
        "seconds": 0.8,
        "shortest_s": 0.1,
        "median_s": 0.2,
        "longest_s": 0.3,
        "missing_joints": 0.0,
        "word_types": 6,
        "gloss_types": 5,
        "unknown_words": 0,
        "unknown_glosses": 0,
    }
    assert document["splits"]["dev"]["unknown_words"] == 2
    assert (document["fps"], document["signers"]) == ({"50": 7}, {"ann": 7})


def test_a_corpus_without_utterances_is_a_fault_as_it_cannot_be_prepared(tmp_path) -> None:
    (tmp_path / "table.csv").write_text("file,text\n")
    reading = folder_reader.read(tmp_path, folder_reader.Options())
    [fault] = look_at_reading(reading).faults
    assert str(fault).endswith("table.csv: must list at least one utterance, but lists none")


def test_every_recording_that_does_not_hold_is_named(tmp_path) -> None:
    write_parallel(tmp_path, "train", [3, 3, 3, 3])
    good, short, spoilt = (skels_line(moving_frames(3, seed=seed)) for seed in range(3))
    lines = [good, short.rsplit(" ", 1)[0], "", "nan" + spoilt[spoilt.index(" ") :]]
    (tmp_path / "train.skels").write_text("\n".join(lines) + "\n")
    findings = look_at_reading(read(tmp_path))
    assert [seen.name for seen in findings.seen] == ["train/tagesschau-0"]
    assert [fault.place.line for fault in findings.faults] == [2, 3, 4]
    assert "452" in findings.faults[0].message
    assert "'nan'" in findings.faults[2].message
    assert all("train.skels" not in fault.message for fault in findings.faults)


def test_repeated_frames_are_faults_and_texts_across_splits_are_remarks(tmp_path) -> None:
    write_parallel(tmp_path, "train", [3, 5])
    write_parallel(tmp_path, "test", [3, 2], seed=0)
    (tmp_path / "test.text").write_text("satz 1 von train .\nsatz 1 von test .\n")
    findings = look_at_reading(read(tmp_path))
    [fault] = findings.faults
    assert str(fault.place).endswith("test.skels line 1")
    assert "'test/tagesschau-0' has the same frames as 'train/tagesschau-0'" in fault.message
    assert fault.message.endswith("across train and test")
    [remark] = findings.remarks
    assert "has the text of 'train/tagesschau-1' of train" in remark.message


@pytest.fixture
def prepared(tmp_path) -> Path:
    source = tmp_path / "src"
    write_parallel(source, "train", [3, 5, 4])
    write_parallel(source, "test", [2], seed=9)
    prepare(read(source), tmp_path / "out", source=source, options={})
    return tmp_path / "out"


def test_a_prepared_corpus_is_counted_like_its_source(prepared) -> None:
    before = summarise(look_at_reading(read(prepared.parent / "src")))
    assert summarise(look_at_prepared(prepared)) == before


def test_shards_that_are_damaged_missing_or_left_over_are_named(prepared) -> None:
    train, test = prepared / "train-00000.parquet", prepared / "test-00000.parquet"
    (prepared / "train-00007.parquet").write_bytes(test.read_bytes())
    train.write_bytes(train.read_bytes()[:-1])
    test.unlink()
    found = {fault.place.path.name: fault.message for fault in look_at_prepared(prepared).faults}
    assert found.keys() == {"train-00007.parquet", "train-00000.parquet", "test-00000.parquet"}
    assert "must be a shard of the card" in found["train-00007.parquet"]
    assert "checksum" in found["train-00000.parquet"]
    assert "is missing" in found["test-00000.parquet"]


def test_a_card_with_another_count_is_a_fault(prepared) -> None:
    card = json.loads((prepared / CARD).read_text())
    card["splits"]["train"]["utterances"] = 2
    (prepared / CARD).write_text(json.dumps(card))
    [fault] = look_at_prepared(prepared).faults
    assert fault.message == "must have 2 utterances as the card says, but has 3"


def test_a_plot_of_nothing_is_drawn(tmp_path) -> None:
    write_parallel(tmp_path, "train", [3])
    (tmp_path / "train.skels").write_text("1 2 3\n")
    plot(look_at_reading(read(tmp_path)), tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 1000


def test_a_plot_that_could_not_be_written_is_refused_before_the_work(tmp_path) -> None:
    with pytest.raises(FormatError, match=r"must end in \.png"):
        check_plot(tmp_path / "plot.pdf")
    with pytest.raises(FormatError, match="does not exist"):
        check_plot(tmp_path / "no/plot.png")
