"""`signloom convert` turns poses of one format into another, one, many or a folder of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from signloom.poses.formats import many
from signloom.poses.formats.recording import Recording
from signloom.poses.pose import Pose
from tests.cli.conftest import Run
from tests.poses.conftest import moving_pose

pose_format = pytest.importorskip("pose_format")


@pytest.fixture
def inputs(run: Run) -> None:
    """A pose of 24 fps, a file of three sequences, and a folder with a good and a bad pose."""
    moving_pose(12, fps=24.0).save("in.pose")
    many.write_all([Recording(str(n), moving_pose(n)) for n in (3, 5, 7)], Path("in.skels"))
    Path("folder").mkdir()
    moving_pose(5, fps=50.0).save("folder/b.pose")
    moving_pose(3).save("folder/a.json")


def without(pose: Pose, frames: slice, joints: object) -> Pose:
    confidence = pose.confidence.copy()
    confidence[frames, joints] = 0
    return Pose(pose.frames, confidence, pose.fps)


@pytest.mark.parametrize(("layout", "points"), [(None, 75), ("mediapipe", 75), ("openpose", 137)])
def test_a_pose_is_written_in_the_layout_that_is_asked_for(run: Run, inputs, layout, points):
    options = () if layout is None else ("--layout", layout)
    done = run("convert", "in.pose", "out.pose", *options)
    assert (done.code, done.stdout, done.stderr) == (0, "out.pose\n", "")
    file = pose_format.Pose.read(Path("out.pose").read_bytes())
    assert file.body.data.shape == (12, 1, points, 3)
    np.testing.assert_allclose(Pose.load("out.pose").frames, moving_pose(12, fps=24.0).frames,
                               atol=1e-6)  # fmt: skip


@pytest.mark.parametrize("suffix", ["json", "skels", "pt", "svg", "gif", "png", "mp4"])
def test_a_pose_is_converted_to_every_format(run: Run, inputs, suffix: str) -> None:
    if suffix == "pt":
        pytest.importorskip("torch", reason="needs the extra `train`")
    done = run("convert", "in.pose", f"out.{suffix}", "--fps", "25")
    assert (done.code, done.stdout, done.stderr) == (0, f"out.{suffix}\n", "")
    assert Path(f"out.{suffix}").stat().st_size > 500
    if suffix in ("json", "skels", "pt"):
        assert (Pose.load(f"out.{suffix}").fps, len(Pose.load(f"out.{suffix}"))) == (25.0, 12)


@pytest.mark.parametrize(("fps", "frames"), [(12.0, 6), (48.0, 24), (29.97, 15)])
def test_a_frame_rate_is_resampled_and_the_duration_kept(run: Run, inputs, fps, frames) -> None:
    assert run("convert", "in.pose", "out.pose", "--fps", fps).code == 0
    pose = Pose.load("out.pose")
    assert (pose.fps, pose.num_frames) == (np.float32(fps), frames)


def test_what_a_format_cannot_hold_is_mended_and_noted(run: Run, inputs) -> None:
    without(moving_pose(12, fps=24.0), slice(3, 6), slice(29, 50)).save("gap.pose")
    done = run("convert", "gap.pose", "out.skels")
    assert done.code == 0
    assert "resampled from 24 to 25 fps" in done.stderr
    assert "lacks 10% of its joints" in done.stderr
    assert len(Pose.load("out.skels")) == 12


def test_a_hand_that_is_never_seen_is_refused_for_a_format_without_missing_joints(run: Run, inputs):
    without(moving_pose(3), slice(None), slice(29, 50)).save("one.pose")
    done = run("convert", "one.pose", "out.skels")
    assert done.code == 2
    assert "one" in done.stderr
    assert "left_hand is never seen" in done.stderr
    assert not Path("out.skels").exists()


def test_one_of_many_sequences_is_taken_by_its_number(run: Run, inputs) -> None:
    assert run("convert", "in.skels", "out.pose", "--sequence", "2").code == 0
    np.testing.assert_allclose(Pose.load("out.pose").frames, moving_pose(5).frames, atol=1e-6)
    assert run("convert", "in.skels", "one", "--sequence", "3").stdout == "one/00003.pose\n"
    done = run("convert", "in.skels", "other.pose")
    assert done.code == 2
    assert "Choose one with --sequence" in done.stderr


def test_many_sequences_become_a_folder_and_a_folder_many_sequences(run: Run, inputs) -> None:
    Path("in.files").write_text("train/one-1\ntrain/two-2\ntrain/../three\n")
    done = run("convert", "in.skels", "out")
    names = ["00001-one-1.pose", "00002-two-2.pose", "00003-three.pose"]
    assert (done.code, done.stdout.splitlines()) == (0, [f"out/{name}" for name in names])
    assert "3 written, 0 there already, 0 refused" in done.stderr
    assert "0 written, 3 there already" in run("convert", "in.skels", "out").stderr
    assert "3 written" in run("convert", "in.skels", "out", "--overwrite").stderr
    done = run("convert", "out", "back.skels")
    assert (done.code, done.stdout) == (0, "back.skels\n")
    before, after = (
        np.array(Path(f).read_text().split(), float) for f in ("in.skels", "back.skels")
    )
    np.testing.assert_allclose(after, before, atol=1e-6)
    assert Path("back.files").read_text().splitlines() == [Path(name).stem for name in names]


def test_the_real_sample_goes_to_a_folder_and_back(run: Run, data_dir: Path) -> None:
    sample = data_dir / "sign" / "phoenix14t_skels_sample" / "dev.skels"
    assert run("convert", sample, "out").code == 0
    assert run("convert", "out", "back.skels").code == 0
    before, after = (np.array(Path(f).read_text().split(), float) for f in (sample, "back.skels"))
    np.testing.assert_allclose(after, before, atol=1.1e-6)


def test_a_folder_becomes_a_folder_and_what_is_bad_is_named(run: Run, inputs) -> None:
    Path("folder/c.pose").write_bytes(b"no pose")
    Path("folder/notes.txt").write_text("passed over")
    done = run("convert", "folder", "out", "--format", "json", "--fps", "25")
    assert done.code == 3
    assert done.stdout.splitlines() == ["out/a.json", "out/b.json"]
    assert "refused: folder/c.pose cannot be read as .pose" in done.stderr
    assert "2 written, 0 there already, 1 refused" in done.stderr
    assert [len(Pose.load(f"out/{name}.json")) for name in "ab"] == [3, 2]
    done = run("convert", "folder", "all.skels")
    assert done.code == 3
    assert Path("all.files").read_text() == "a\nb\n"
    assert [len(recording.pose) for recording in many.read_all(Path("all.skels"))] == [3, 2]


def test_a_name_that_would_steer_the_terminal_is_escaped(run: Run, inputs) -> None:
    Path("folder/d\x1b[2J.pose").write_text("no pose")
    done = run("convert", "folder", "out")
    assert done.code == 3
    assert "refused: folder/d\\x1b[2J.pose cannot be read as .pose" in done.stderr
    assert "\x1b" not in done.stderr


def test_names_texts_and_glosses_stay_between_files_of_many(run: Run, inputs) -> None:
    pytest.importorskip("torch", reason="needs the extra `train`")
    recordings = [Recording(f"id{n}", moving_pose(n), text="ja", gloss="JA") for n in (3, 5)]
    many.write_all(recordings, Path("in.pt"))
    assert run("convert", "in.pt", "out.skels").code == 0
    assert Path("out.files").read_text() == "id3\nid5\n"
    assert run("convert", "in.pt", "out.pt").code == 0
    found = [(each.name, each.text, each.gloss) for each in many.read_all(Path("out.pt"))]
    assert found == [("id3", "ja", "JA"), ("id5", "ja", "JA")]


def test_sides_may_be_bound_the_other_way(run: Run, inputs) -> None:
    Path("in.files").write_text("one\ntwo\nthree\n")
    assert run("convert", "in.skels", "out.skels", "--swap-sides").code == 0
    assert Path("out.files").read_text() == "one\ntwo\nthree\n"
    options = ("--sequence", "1", "--swap-sides")
    assert run("convert", "in.skels", "out.pose", *options).code == 0
    ours = moving_pose(3).frames
    np.testing.assert_allclose(Pose.load("out.pose").frames[:, 8:29], ours[:, 29:], atol=1e-6)


def test_joints_of_another_skeleton_are_mapped(run: Run, inputs) -> None:
    names = ["r", "l", "w"]
    mapping = dict(zip(["right_shoulder", "left_shoulder", "left_wrist"], names, strict=True))
    skeleton = {"name": "mine", "joints": names, "bones": [[0, 1], [1, 2]], "mapping": mapping}
    Path("mine.json").write_text(json.dumps(skeleton))
    frames = [[[100, 50], [300, 50], [320, 250]]] * 3
    Path("theirs.json").write_text(json.dumps({"fps": 30, "joints": names, "frames": frames}))
    assert run("convert", "theirs.json", "out.pose", "--skeleton", "mine.json").code == 0
    pose = Pose.load("out.pose")
    np.testing.assert_allclose(pose.frames[0, 4], [0.6, 1.0, 0], atol=1e-6)
    assert (pose.confidence[0] > 0).sum() == 4
    done = run("convert", "theirs.json", "other.pose")
    assert done.code == 2
    assert "--skeleton FILE" in done.stderr


MISTAKES = {
    "no such file": (("no.pose", "out.json"), "no.pose does not exist"),
    "no such many": (("no.skels", "out"), "no.skels does not exist"),
    "unknown input": (("mine.txt", "out.json"), ".txt"),
    "unknown output": (("in.pose", "out.doc"), ".doc"),
    "missing folder": (("in.pose", "no/out.json"), "does not exist"),
    "there already": (("in.pose", "in.skels"), "Replace it with --overwrite"),
    "unknown layout": (("in.pose", "out.pose", "--layout", "coco"), "mediapipe, openpose"),
    "idle layout": (("in.pose", "out.json", "--layout", "openpose"), "goes with .pose"),
    "no fps": (("in.pose", "out.pose", "--fps", "0"), "--fps must be from"),
    "nan fps": (("in.pose", "out.pose", "--fps", "nan"), "--fps must be from"),
    "1000 fps": (("in.pose", "out.pose", "--fps", "1000"), "--fps must be from"),
    "fps of skels": (("in.pose", "out.skels", "--fps", "30"), "--fps must be 25"),
    "sequence 0": (("in.skels", "out.pose", "--sequence", "0"), "numbered from 1"),
    "sequence 4": (("in.skels", "out.pose", "--sequence", "4"), "from 1 to 3"),
    "idle sequence": (("in.pose", "out.json", "--sequence", "1"), "--sequence goes with"),
    "idle swap": (("in.pose", "out.json", "--swap-sides"), "--swap-sides goes with"),
    "idle skeleton": (("in.skels", "out", "--skeleton", "x.json"), "--skeleton goes with"),
    "no skeleton": (("in.pose", "out.json", "--skeleton", "x.json"), "x.json cannot be read"),
    "idle format": (("in.pose", "out.json", "--format", "gif"), "--format goes with a folder"),
    "unknown format": (("in.pose", "out", "--format", "doc"), "--format must be one of"),
    "empty folder": (("empty", "out"), "must hold .pose or .json"),
    "empty folder to many": (("empty", "out.skels"), "must hold .pose or .json"),
    "two of a name": (("twins", "out"), "would become the same file"),
    "folder to a film": (("folder", "out.mp4"), "A folder must become"),
    "bad line": (("bad.skels", "out"), "bad.skels line 3 must hold frames x 151"),
    "bad line to many": (("bad.skels", "out.skels"), "bad.skels line 3 must hold frames x 151"),
    "output is a file": (("in.skels", "file"), "is a file"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_and_nothing_is_written(run: Run, inputs, mistake: str) -> None:
    text = Path("in.skels").read_text()
    Path("bad.skels").write_text(text.rstrip("\n") + " 1\n")
    Path("empty").mkdir()
    Path("file").touch()
    Path("twins").mkdir()
    for name in ("twins/a.json", "twins/a.pose"):
        shutil.copy("in.pose", name)
    before = {path: path.stat().st_mtime_ns for path in Path().rglob("*")}
    arguments, claim = MISTAKES[mistake]
    done = run("convert", *arguments)
    assert (done.code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("error: ")
    assert claim in done.stderr
    assert {path: path.stat().st_mtime_ns for path in Path().rglob("*")} == before
