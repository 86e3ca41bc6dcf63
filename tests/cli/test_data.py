"""`signloom data`: a person's folder goes through, and what is bad is one clear line each."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from signloom.data.prepared import PreparedCorpus
from signloom.poses.pose import Pose
from tests.cli.conftest import Run
from tests.data.small_corpus import moving_frames, skels_line, write_folder, write_parallel


def test_a_persons_folder_is_inspected_validated_and_prepared(run: Run) -> None:
    write_folder(Path("mine"), fps=50.0)
    inspected = run("data", "inspect", "mine", "folder", "--plot", "plot.png")
    assert inspected.code == 0
    assert "50 (7)" in inspected.stdout
    with Image.open("plot.png") as picture:
        assert picture.size == (1320, 960)
        assert np.asarray(picture.convert("L")).std() > 10
    validated = run("data", "validate", "mine", "folder")
    assert (validated.code, validated.stdout) == (
        0,
        "no fault in mine, 7 utterances read: train 4, dev 2, test 1\n",
    )
    done = run("data", "prepare", "folder", "mine", "ready", "--set", "language=ase")
    assert done.code == 0
    assert done.stdout.splitlines()[1].split()[:2] == ["train", "4"]
    corpus = PreparedCorpus.open(Path("ready"))
    assert corpus.card["language"] == "ase"
    assert corpus.examples("dev")[0].fps == 25
    assert run("data", "validate", "ready").code == 0


def test_remarks_are_cut_short_for_people_and_whole_for_machines(run: Run) -> None:
    for split, seed in (("train", 0), ("dev", 100)):
        write_parallel(Path("mine"), split, [1] * 22, seed=seed)
        Path(f"mine/{split}.text").write_text("guten abend .\n" * 22)
    done = run("data", "validate", "mine", "phoenix14t-skels")
    assert done.code == 0
    lines = done.stderr.splitlines()
    assert len(lines) == 21
    assert lines[-1] == "remark: 2 more; --json lists them all"
    document = json.loads(run("data", "validate", "mine", "phoenix14t-skels", "--json").stdout)
    assert len(document["remarks"]) == 22


def test_preparing_again_keeps_the_shards_and_says_so(run: Run) -> None:
    write_folder(Path("mine"))
    first = run("data", "prepare", "folder", "mine", "ready", "--json")
    again = run("data", "prepare", "folder", "mine", "ready", "--json")
    assert (first.stderr, again.stderr) == (
        "3 shards written, 0 there already\n",
        "0 shards written, 3 there already\n",
    )
    assert json.loads(first.stdout) == json.loads(again.stdout)
    assert json.loads(first.stdout)["splits"]["test"]["utterances"] == 1


def test_validate_names_every_fault_one_a_line_after_their_number(run: Run) -> None:
    write_folder(Path("mine"))
    Path("mine/clip2.pose").unlink()
    Path("mine/clip3.pose").write_bytes(Path("mine/clip3.pose").read_bytes()[:-10])
    done = run("data", "validate", "mine", "folder")
    assert done.code == 2
    head, missing, cut = done.stdout.splitlines()
    assert head == "2 faults in mine, 5 utterances read: train 4, dev 1"
    assert missing.startswith("mine/table.csv line 4: names 'clip2.pose'")
    assert cut.startswith("mine/table.csv line 5: mine/clip3.pose cannot be read as .pose")
    document = json.loads(run("data", "validate", "mine", "folder", "--json").stdout)
    assert [fault["line"] for fault in document["faults"]] == [4, 5]
    inspected = run("data", "inspect", "mine", "folder")
    assert inspected.code == 2
    assert inspected.stderr.count("fault: ") == 2


def pose_bytes(*, fps: float = 25.0, frames: int = 3) -> bytes:
    """Write a good pose and put another frame rate or count into its head."""
    Pose.of(moving_frames(3)).save("good.pose")
    data = Path("good.pose").read_bytes()
    place = data.index(struct.pack("<fI", 25.0, 3))
    return data[:place] + struct.pack("<fI", fps, frames) + data[place + 8 :]


def spoil_width() -> None:
    line = skels_line(moving_frames(3))
    Path("bad/train.skels").write_text(f"{line}\n{line} 1.0\n")


def spoil_nan() -> None:
    line = skels_line(moving_frames(3))
    Path("bad/train.skels").write_text(f"{line}\n{'NaN' + line[line.index(' ') :]}\n")


def spoil_text() -> None:
    Path("bad/train.text").write_text("nur einer .\n")


def spoil_ids() -> None:
    Path("bad/train.files").write_text("same\nsame\n")


SKELS = {
    "wrong count": (spoil_width, "train.skels line 2"),
    "nan": (spoil_nan, "train.skels line 2"),
    "unequal files": (spoil_text, "train.text: must have 2 lines as train.skels has, but has 1"),
    "duplicate ids": (spoil_ids, "train.skels line 2: repeats the id 'same'"),
}


@pytest.mark.parametrize("fault", SKELS)
def test_bad_parallel_files_are_one_line(run: Run, fault: str) -> None:
    spoil, claim = SKELS[fault]
    write_parallel(Path("bad"), "train", [3, 3])
    spoil()
    refused_everywhere(run, "phoenix14t-skels", claim)


POSES = {
    "no frames": ({"frames": 0}, "at least one frame"),
    "1000 fps": ({"fps": 1000.0}, "1000"),
    "nan fps": ({"fps": float("nan")}, "nan"),
    "2 GB of frames": ({"frames": 2**31 - 1}, "numbers can be read"),
}


@pytest.mark.parametrize("fault", POSES)
def test_a_pose_that_cannot_be_is_one_line(run: Run, fault: str) -> None:
    changes, claim = POSES[fault]
    Path("bad").mkdir()
    Path("bad/a.pose").write_bytes(pose_bytes(**changes))
    Path("bad/t.csv").write_text("file,text,split\na.pose,one,train\n")
    refused_everywhere(run, "folder", claim)


TABLES = {
    "not there": ("file,text\nno.pose,one\n", "t.csv line 2: names 'no.pose'"),
    "duplicate": ("file,text\na.pose,one\na.pose,two\n", "t.csv line 3: repeats the id 'a'"),
    "no text": ("file,text\na.pose,\n", "t.csv line 2: must have a text"),
    "no column": ("path,text\na.pose,one\n", "lacks `file`"),
}


@pytest.mark.parametrize("fault", TABLES)
def test_a_bad_table_is_one_line(run: Run, fault: str) -> None:
    content, claim = TABLES[fault]
    Path("bad").mkdir()
    Pose.of(moving_frames(3)).save("bad/a.pose")
    Path("bad/t.csv").write_text(content)
    refused_everywhere(run, "folder", claim)


def refused_everywhere(run: Run, reader: str, claim: str) -> None:
    prepared = run("data", "prepare", reader, "bad", "out")
    assert (prepared.code, prepared.stdout) == (2, "")
    assert len(prepared.stderr.splitlines()) == 1
    assert claim in prepared.stderr
    assert not list(Path().glob("out/*.parquet"))
    for verb in ("validate", "inspect"):
        done = run("data", verb, "bad", reader)
        assert done.code == 2
        lines = [line for line in f"{done.stdout}{done.stderr}".splitlines() if claim in line]
        assert len(lines) == 1
        assert "Traceback" not in done.stderr


def test_a_damaged_prepared_corpus_is_one_line(run: Run) -> None:
    write_folder(Path("mine"))
    run("data", "prepare", "folder", "mine", "ready")
    shard = Path("ready/train-00000.parquet")
    shard.write_bytes(shard.read_bytes()[:-30])
    done = run("data", "validate", "ready")
    assert done.code == 2
    assert done.stdout.splitlines()[0] == "1 fault in ready, 3 utterances read: dev 2, test 1"
    assert "train-00000.parquet: must have the checksum" in done.stdout


MISTAKES = {
    "no reader": (("inspect", "mine"), "Name what reads it"),
    "no folder, no reader": (("validate", "no"), "must be in a folder, but no is none"),
    "reader first": (("validate", "folder", "mine"), "The folder comes first: mine folder"),
    "unknown reader": (("inspect", "mine", "foldr"), "Did you mean `folder`"),
    "unknown option": (("prepare", "folder", "mine", "out", "--set", "lang=x"), "`language`"),
    "no folder": (("prepare", "folder", "no", "out"), "does not exist"),
    "plot of another kind": (("inspect", "mine", "folder", "--plot", "a.gif"), ".png"),
    "option without reader": (("inspect", "ready", "--set", "a=b"), "must go with a READER"),
    "not empty": (("prepare", "folder", "mine", "mine"), "must be new or empty"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_and_exit_2(run: Run, mistake: str) -> None:
    arguments, claim = MISTAKES[mistake]
    write_folder(Path("mine"), count=1)
    run("data", "prepare", "folder", "mine", "ready")
    done = run("data", *arguments)
    assert (done.code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert claim in done.stderr


def test_readers_are_listed_with_their_options(run: Run) -> None:
    shown = run("data", "readers")
    assert shown.code == 0
    assert "boston104: hands_condensed.csv" in shown.stdout
    assert "kaldi: folders train, dev and test" in shown.stdout
    listed = {item["name"]: item for item in json.loads(run("data", "readers", "--json").stdout)}
    assert listed["folder"]["options"]["language"] == "und"
    assert listed["csl"]["language"] == "csl"


def test_everything_of_data_runs_without_torch() -> None:
    program = (
        "import sys; sys.modules['torch'] = None; from signloom.cli.app import main;"
        "from signloom.data.readers.registry import READERS, find_reader;"
        "[find_reader(name) for name in READERS];"
        "import signloom.data.preparation, signloom.data.findings, signloom.data.inspection;"
        "import signloom.data.prepared, signloom.data.plots;"
        "sys.exit(main(['data', 'readers', '--json']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_without_pyarrow_the_extra_is_named(run: Run, monkeypatch) -> None:
    write_folder(Path("mine"), count=1)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = run("data", "prepare", "folder", "mine", "out")
    assert done.code == 2
    assert 'pip install "signloom[data]"' in done.stderr


def test_without_matplotlib_the_extra_is_named(run: Run, monkeypatch) -> None:
    write_folder(Path("mine"), count=1)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = run("data", "inspect", "mine", "folder", "--plot", "a.png")
    assert done.code == 2
    assert 'pip install "signloom[eval]"' in done.stderr
