"""`signloom data lift` lifts a pose or a folder of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from signloom.poses.pose import Pose
from tests.cli.conftest import Run
from tests.poses.conftest import moving_pose


def write_flat(path: str, *, frames: int = 7, confidence: float = 1.0) -> None:
    pose = moving_pose(frames)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    flat = pose.frames * np.float32([1, 1, 0])
    Pose(flat, np.full_like(pose.confidence, confidence), pose.fps).save(path)


def test_a_pose_gets_depth(run: Run) -> None:
    write_flat("flat.pose")
    done = run("data", "lift", "flat.pose", "deep.json")
    assert (done.code, done.stdout) == (0, "deep.json\n")
    flat, deep = Pose.load("flat.pose"), Pose.load("deep.json")
    assert (flat.frames[..., 2] == 0).all()
    assert (deep.frames[..., 2] < 0).any()
    assert deep.num_frames == flat.num_frames


def test_a_folder_is_lifted_into_the_same_places(run: Run) -> None:
    write_flat("in/a.pose")
    write_flat("in/deeper/b.json", frames=5)
    Path("in/notes.txt").write_text("no pose")
    done = run("data", "lift", "in", "out", "--json")
    assert done.code == 0
    lifted = json.loads(done.stdout)["lifted"]
    assert [item["output"] for item in lifted] == ["out/a.pose", "out/deeper/b.json"]
    assert [item["num_frames"] for item in lifted] == [7, 5]
    assert Pose.load("out/deeper/b.json").num_frames == 5


def test_what_is_there_is_kept_unless_it_is_to_be_replaced(run: Run) -> None:
    write_flat("in/a.pose")
    write_flat("in/b.pose")
    write_flat("out/a.pose", frames=3)
    done = run("data", "lift", "in", "out")
    assert (done.code, done.stdout) == (0, "out/b.pose\n")
    assert "1 lifted, 1 there already, 0 refused" in done.stderr
    assert Pose.load("out/a.pose").num_frames == 3
    assert run("data", "lift", "in", "out", "--overwrite").code == 0
    assert Pose.load("out/a.pose").num_frames == 7


def test_what_cannot_be_lifted_is_named_and_the_rest_goes_on(run: Run) -> None:
    Path("in").mkdir()
    Path("in/a.pose").write_bytes(b"damaged")
    write_flat("in/b.json", confidence=0.0)
    write_flat("in/c.pose")
    done = run("data", "lift", "in", "out", "--format", "json")
    assert (done.code, done.stdout) == (3, "out/c.json\n")
    assert "refused: in/a.pose cannot be read" in done.stderr
    assert "refused: in/b.json: A pose to lift must have a joint that was seen" in done.stderr
    assert sorted(path.name for path in Path("out").iterdir()) == ["c.json"]


def test_mistakes_are_refused_in_one_line_before_anything_is_written(run: Run) -> None:
    write_flat("in/a.pose")
    write_flat("in/a.json")
    Path("empty").mkdir()
    Path("file").touch()
    for arguments, named in (
        (("gone.pose", "x.pose"), "gone.pose does not exist"),
        (("in/a.pose", "x.xyz"), "x.xyz"),
        (("in/a.pose", "x.json", "--format", "json"), "--format is for a folder"),
        (("in", "in/out"), "OUT must lie outside of IN"),
        (("in", "file"), "file is a file"),
        (("in", "out", "--format", "xyz"), "--format must be one of"),
        (("in", "out", "--format", "pose"), "out/a.pose would be of two"),
        (("empty", "out"), "empty must hold poses"),
    ):
        done = run("data", "lift", *arguments)
        assert (done.code, done.stdout) == (2, ""), arguments
        assert named in done.stderr
        assert done.stderr.count("\n") == 1
    assert not Path("out").exists()
