from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from signloom.poses.pose import Pose
from tests.small_films import greys, write_film, write_sound
from tests.small_models import write_model

BODY = """
<ir_version: 10, opset_import: ["" : 20]>
g (float[1, 3, 64, 48] input) => (float[1, 133, 16, 12] heatmap) {
    small = AveragePool <kernel_shape = [4, 4], strides = [4, 4]> (input)
    seen = Conv (small, weight, bias)
    heatmap = Add (seen, places)
}
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model that finds a person, everyone at the same places, where a picture is bright."""
    import onnx
    import onnx.numpy_helper

    path = write_model(tmp_path / "model.onnx", BODY)
    made = onnx.load(path)
    places = np.full((1, 133, 16, 12), -1, np.float32)
    for point in range(133):
        places[0, point, 4 + point % 7, 1 + point % 11] = 0
    made.graph.initializer.append(onnx.numpy_helper.from_array(places, "places"))
    onnx.save(made, path)
    return path


def film(name: str, *, shade: int = 200, frames: int = 5) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_film(path, np.full((frames, 64, 48, 3), shade, np.uint8))


def test_a_video_becomes_a_pose_and_its_path_is_printed(run, model) -> None:
    film("a.mp4")
    done = run("extract", "a.mp4", "-o", "a.pose", "--keypoints", model)
    assert (done.code, done.stdout) == (0, "a.pose\n")
    assert "5 frames at 25 fps" in done.stderr
    assert "seen in: body 100%, right hand 100%, left hand 100%" in done.stderr
    pose = Pose.load("a.pose")
    assert (pose.num_frames, pose.fps) == (5, 25.0)
    assert (pose.confidence > 0).all()


def test_the_report_says_what_was_seen_and_how_fast(run, model) -> None:
    film("a.mp4")
    done = run("extract", "a.mp4", "-o", "a.json", "--fps", 10, "--keypoints", model, "--json")
    report = json.loads(done.stdout)
    assert (done.code, done.stderr) == (0, "")
    assert report["seen"] == {"body": 1.0, "right_hand": 1.0, "left_hand": 1.0}
    assert (report["num_frames"], report["fps"], report["duration_s"]) == (2, 10.0, 0.2)
    assert report["ms_per_frame"] == pytest.approx(500 * report["took_s"])
    assert (report["is_empty"], report["warnings"]) == (False, [])


def test_nobody_in_it_is_no_error_but_an_empty_pose_and_a_warning(run, model) -> None:
    film("a.mp4", shade=20)
    done = run("extract", "a.mp4", "-o", "a.pose", "--keypoints", model, "--json")
    assert done.code == 0
    assert done.stderr == (
        "warning: a.mp4 shows nobody: no person is seen in any of its 5 frames.\n"
    )
    assert json.loads(done.stdout)["is_empty"]
    assert not Pose.load("a.pose").confidence.any()
    for name in ("a.json", "a.svg", "drawn.mp4"):
        assert run("extract", "a.mp4", "-o", name, "--keypoints", model).code == 0, name


def test_a_folder_is_gone_through_and_what_cannot_be_read_is_named(run, model) -> None:
    film("in/b.mp4"), film("in/deep/a.MKV"), film("in/.hidden.mp4")
    for number, picture in enumerate(greys(3, height=64, width=48)):
        Path("in/frames.v1").mkdir(exist_ok=True)
        Image.fromarray(picture).save(f"in/frames.v1/{number}.png")
    Path("in/bad.mp4").write_bytes(b"no film")
    write_sound(Path("in/sound.mp4"))
    Path("in/table.csv").write_text("file,text\n")
    done = run("extract", "in", "-o", "out", "--keypoints", model)
    assert done.code == 3
    assert done.stdout.splitlines() == ["out/b.pose", "out/deep/a.pose", "out/frames.v1.pose"]
    assert "refused: in/bad.mp4 must be a video, but is none that can be decoded." in done.stderr
    assert "refused: in/sound.mp4 must have a stream of pictures" in done.stderr
    assert "3 extracted, 0 there already, 2 refused" in done.stderr
    assert not list(Path("out").rglob("*.partial"))


def test_a_run_that_was_stopped_goes_on_where_it_was(run, model) -> None:
    for name in ("in/a.mp4", "in/b.mp4", "in/c.mp4"):
        film(name)
    Path("out").mkdir()
    Path("out/b.pose").write_bytes(b"there")
    done = run("extract", "in", "-o", "out", "--keypoints", model, "--json")
    report = json.loads(done.stdout)
    assert [item["output"] for item in report["extracted"]] == ["out/a.pose", "out/c.pose"]
    assert report["skipped"] == [{"input": "in/b.mp4", "output": "out/b.pose"}]
    assert Path("out/b.pose").read_bytes() == b"there"
    again = run("extract", "in", "-o", "out", "--keypoints", model, "--overwrite", "--json")
    assert len(json.loads(again.stdout)["extracted"]) == 3
    assert Pose.load("out/b.pose").num_frames == 5


def test_poses_may_lie_beside_their_videos(run, model) -> None:
    film("mine/a.mp4")
    for _ in range(2):
        assert run("extract", "mine", "-o", "mine", "--keypoints", model).code == 0
    assert Path("mine/a.pose").exists()
    done = run("extract", "mine", "-o", "mine", "--format", "mp4", "--keypoints", model)
    assert "OUT must lie outside of IN for .mp4 files" in done.stderr


def test_what_does_not_hold_is_refused_before_anything_is_written(run, model) -> None:
    film("a.mp4"), film("in/a.mp4"), film("in/a.mkv"), Path("empty").mkdir()
    Path("bad.mp4").write_bytes(b"no film")
    Path("there.pose").write_bytes(b"there")
    for arguments, claim in (
        ((), "Either IN or --camera must be given, but neither is"),
        (("a.mp4", "--camera", "0"), "but both are"),
        (("a.mp4", "--seconds", "3"), "--seconds goes with --camera"),
        (("a.mp4", "--threads", "0"), "--threads must be 1 to 256"),
        (("a.mp4", "--fps", "0"), "--fps must be from 0.1 to 240, but is 0"),
        (("a.mp4", "--layout", "no"), "The layout must be one of"),
        (("a.mp4", "--format", "pose"), "--format goes with a folder"),
        (("a.mp4", "-o", "folder", "--format", "no"), "--format must be one of"),
        (("a.mp4", "-o", "there.pose"), "there.pose exists already. Replace it with --overwrite"),
        (("a.mp4", "-o", "a.xyz"), "must end in one of"),
        (("a.mp4", "-o", "a.mp4", "--overwrite"), "OUT must be another file than IN"),
        (("a.mp4", "--keypoints", "bad.mp4"), "bad.mp4 of keypoints cannot be run"),
        (("bad.mp4",), "bad.mp4 must be a video, but is none that can be decoded"),
        (("missing.mp4",), "missing.mp4 cannot be read: No such file"),
        (("in",), "Several films must go into a folder"),
        (("in", "-o", "folder"), "folder/a.pose would be of two"),
        (("empty", "-o", "folder"), "empty must hold videos"),
        (("--camera", "97"), "Camera 97 must be there"),
        (("--camera", "97", "-o", "folder"), "A camera's pose goes into a file"),
        (("--camera", "0", "--seconds", "0"), "`seconds` must be above 0"),
    ):
        defaults = ("-o", "out.pose", "--keypoints", model)
        done = run("extract", *defaults, *arguments)
        assert (done.code, done.stdout) == (2, ""), arguments
        assert claim in done.stderr, (arguments, done.stderr)
        assert done.stderr.count("\n") == 1
    assert not Path("out.pose").exists()
    assert not Path("folder").exists()
    assert Path("there.pose").read_bytes() == b"there"


def test_a_name_that_would_steer_the_terminal_is_escaped(run, model) -> None:
    Path("films").mkdir()
    Path("films/a\x1b[2J\nb.mp4").write_text("no film")
    film("films/c\x1b[2J.mp4", shade=0)
    done = run("extract", "films", "-o", "out", "--keypoints", model)
    assert done.code == 3
    assert "refused: films/a\\x1b[2J\\nb.mp4 must be a video" in done.stderr
    assert "warning: films/c\\x1b[2J.mp4 shows nobody" in done.stderr
    assert "\x1b" not in done.stderr


def test_without_mediapipe_the_extra_is_named(run, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "mediapipe", None)
    monkeypatch.setitem(sys.modules, "mediapipe.python.solutions.holistic", None)
    film("a.mp4")
    done = run("extract", "a.mp4", "-o", "a.pose")
    assert done.code == 2
    assert 'pip install "signloom[video]"' in done.stderr


def test_a_real_video_gives_what_the_format_s_own_library_sees(run, data_dir) -> None:
    pytest.importorskip("mediapipe", reason="the extra `video` is not installed")
    from pose_format import Pose as File

    source = data_dir / "sign/pose_format_samples/pose_repo/tests/data/test_video.mp4"
    done = run("extract", source, "-o", "a.pose", "--json")
    assert (done.code, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert (report["num_frames"], report["is_empty"], report["warnings"]) == (58, False, [])
    assert report["seen"]["body"] == 1
    assert 0.2 < report["seen"]["right_hand"] < 0.6
    body = File.read(Path("a.pose").read_bytes()).body
    assert body.data.shape[:2] == (58, 1)
    assert body.fps == pytest.approx(29.92, abs=0.01)
