from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from signloom.errors import ConfigError, FormatError
from signloom.poses import formats
from signloom.poses.formats import many
from signloom.poses.formats.atomic import replacing
from signloom.poses.pose import Pose


@pytest.mark.parametrize("name", ["a", "a.foo", "a.pose.gz"])
def test_an_unknown_suffix_is_refused_with_the_known_ones(make_pose, tmp_path, name) -> None:
    with pytest.raises(FormatError, match=r"\.pose \.json \.skels \.pt \.mp4 \.gif \.png \.svg"):
        make_pose(3).save(tmp_path / name)
    with pytest.raises(FormatError, match=r"\.pose \.json \.skels \.pt,"):
        Pose.load(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_suffixes_may_be_in_capitals(make_pose, tmp_path) -> None:
    make_pose(3).save(tmp_path / "A.POSE")
    assert len(Pose.load(tmp_path / "A.POSE")) == 3


def test_a_missing_folder_is_refused_by_name(make_pose, tmp_path) -> None:
    with pytest.raises(FormatError, match="does not exist"):
        make_pose(3).save(tmp_path / "nowhere" / "a.pose")
    (tmp_path / "file").write_text("")
    with pytest.raises(FormatError, match="is not a folder"):
        make_pose(3).save(tmp_path / "file" / "a.pose")


def test_a_folder_is_no_file(make_pose, tmp_path) -> None:
    (tmp_path / "a.pose").mkdir()
    with pytest.raises(FormatError, match="is a folder"):
        make_pose(3).save(tmp_path / "a.pose")
    with pytest.raises(FormatError, match="is a folder"):
        Pose.load(tmp_path / "a.pose")
    with pytest.raises(FormatError, match="does not exist"):
        Pose.load(tmp_path / "b.pose")


def test_a_pipe_is_not_replaced_by_a_file(make_pose, tmp_path) -> None:
    os.mkfifo(tmp_path / "x.pose")
    with pytest.raises(FormatError, match="a pipe"):
        formats.check_output(tmp_path / "x.pose")
    with pytest.raises(FormatError, match="a pipe"):
        make_pose(3).save(tmp_path / "x.pose")
    assert (tmp_path / "x.pose").is_fifo()


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_closed_folder_is_refused(make_pose, tmp_path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(FormatError, match="must be writable"):
        make_pose(3).save(tmp_path / "a.pose")


def fail_halfway(path: Path, failure: BaseException | type[BaseException]) -> None:
    path.write_text("half")
    raise failure


@pytest.mark.parametrize("failure", [KeyboardInterrupt, ValueError])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, failure) -> None:
    path = tmp_path / "a.pose"
    path.write_text("old")
    with pytest.raises(failure), replacing(path) as temporary:
        fail_halfway(temporary, failure)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_of_the_system_becomes_one_line(tmp_path) -> None:
    full = OSError(28, "No space left on device")
    with pytest.raises(FormatError, match="cannot be written: No space left"):  # noqa: SIM117
        with replacing(tmp_path / "a.pose") as temporary:
            fail_halfway(temporary, full)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", formats.READERS)
def test_every_format_that_is_read_gives_back_what_was_written(make_pose, tmp_path, suffix) -> None:
    pose = make_pose(7)
    pose.save(tmp_path / f"a{suffix}")
    again = Pose.load(tmp_path / f"a{suffix}")
    np.testing.assert_allclose(again.frames, pose.frames, atol=6e-6)
    np.testing.assert_array_equal(again.confidence, pose.confidence)
    assert (again.fps, again.num_frames) == (pose.fps, 7)


@pytest.mark.parametrize("suffix", formats.READERS)
@pytest.mark.parametrize("fps", [0.5, 24.0, 59.94, 240.0])
def test_no_format_changes_a_frame_rate_unasked(make_pose, tmp_path, suffix, fps) -> None:
    path = tmp_path / f"a{suffix}"
    if suffix in many.SUFFIXES:
        with pytest.raises(FormatError, match="25 fps"):
            make_pose(3, fps=fps).save(path)
        assert not path.exists()
        return
    make_pose(3, fps=fps).save(path)
    assert Pose.load(path).fps == pytest.approx(fps, rel=1e-7)


def test_a_pose_without_frames_or_at_an_impossible_rate_cannot_be_made(make_pose) -> None:
    frames = make_pose(3).frames
    for fps in (0.0, -25.0, 1000.0, float("nan"), float("inf")):
        with pytest.raises(FormatError, match="`fps` must be"):
            Pose.of(frames, fps=fps)
    with pytest.raises(FormatError, match="at least one frame"):
        Pose.of(frames[:0])
    with pytest.raises(FormatError, match="at least one frame"):
        make_pose(3)[3:]


def test_a_layout_goes_with_pose_files_only(make_pose, tmp_path) -> None:
    formats.write(make_pose(3), tmp_path / "a.pose", layout="openpose")
    assert b"pose_keypoints_2d" in (tmp_path / "a.pose").read_bytes()
    with pytest.raises(ConfigError, match="mediapipe, openpose, but is 'coco'"):
        formats.write(make_pose(3), tmp_path / "b.pose", layout="coco")
    with pytest.raises(ConfigError, match=r"\.json"):
        formats.write(make_pose(3), tmp_path / "b.json", layout="openpose")
    assert [path.name for path in tmp_path.iterdir()] == ["a.pose"]


@pytest.mark.parametrize("suffix", formats.WRITERS)
def test_every_format_writes_one_frame_and_leaves_one_file(make_pose, tmp_path, suffix) -> None:
    pytest.importorskip("torch" if suffix == ".pt" else "numpy", reason="needs the extra `train`")
    path = tmp_path / f"a{suffix}"
    make_pose(1).save(path)
    assert path.stat().st_size > 100
    assert list(tmp_path.iterdir()) == [path]


def test_knowing_the_formats_imports_none_of_their_libraries() -> None:
    code = (
        "import sys; from signloom.poses.pose import Pose; import signloom.poses.formats;"
        "print([name for name in ('av', 'PIL', 'pose_format', 'torch') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stdout.decode().strip() == "[]"


def test_a_relative_name_is_written_where_we_are(make_pose, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_pose(3).save("a.json")
    assert Path("a.json").is_file()


@pytest.mark.parametrize("name", ["n" * 256 + ".json", "nul\0.json", "é" * 126 + ".json"])
def test_names_that_no_file_can_have_are_refused(make_pose, tmp_path, name: str) -> None:
    with pytest.raises(FormatError, match="cannot be written") as caught:
        make_pose(3).save(tmp_path / name)
    assert str(caught.value).isprintable()
    with pytest.raises(FormatError):
        Pose.load(tmp_path / name)


def test_the_longest_name_that_a_file_can_have_is_written(make_pose, tmp_path) -> None:
    path = tmp_path / ("é" * 125 + ".json")
    make_pose(3).save(path)
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_is_removed_with_the_next_writing(make_pose, tmp_path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path;"
        "from signloom.poses.formats.atomic import replacing\n"
        "with replacing(Path(sys.argv[1])) as temporary:\n"
        "    temporary.write_text('half'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    for name in ("a.json", "b.json"):
        subprocess.run([sys.executable, "-c", code, str(tmp_path / name)], check=False)
    mine = tmp_path / f".a.json.{os.getpid()}-01234567.partial"
    mine.touch()
    assert len(list(tmp_path.iterdir())) == 3
    make_pose(3).save(tmp_path / "a.json")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert len(left) == 3
    assert left[0] == mine.name
    assert left[1].startswith(".b.json.")
    assert left[2] == "a.json"
