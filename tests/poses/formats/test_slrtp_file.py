from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from signloom.errors import FormatError, MissingExtraError
from signloom.poses.formats import many
from signloom.poses.formats.recording import Recording
from signloom.poses.pose import Pose

torch = pytest.importorskip("torch", reason="needs the extra `train`")


def naive_points(frames: np.ndarray) -> np.ndarray:
    """Put our joints where the challenge's list of points has them, thirds of a width each."""
    points = np.zeros((len(frames), 178, 3), dtype=np.float32)
    places = {0: 5, 1: 6, 2: 7, 3: 2, 4: 3, 5: 4}
    places |= {8 + joint: 8 + joint for joint in range(42)}
    for point, joint in places.items():
        points[:, point] = frames[:, joint]
    points[:, 6:8] = [[-0.3, 1.6, 0], [0.3, 1.6, 0]]
    around = np.random.default_rng(0).normal(0, 0.1, (64, 3)).astype(np.float32)
    points[:, 50:] = frames[:, :1] + np.concatenate([around, -around])
    return points / 3


def save(points: np.ndarray, path: Path, **more: object) -> None:
    entry = {"name": "a", "text": "guten abend", "gloss": "ABEND", "speaker": "Signer01"}
    torch.save({"a": entry | {"poses_3d": torch.tensor(points)} | more}, path)


def test_a_file_of_a_naive_writer_is_read(make_pose, tmp_path) -> None:
    pose = make_pose(5)
    save(naive_points(pose.frames), tmp_path / "a.pt")
    [recording] = many.read_all(tmp_path / "a.pt")
    np.testing.assert_allclose(recording.pose.frames, pose.frames, atol=2e-6)
    assert (recording.pose.confidence == 1).all()
    found = (recording.name, recording.text, recording.gloss, recording.signer)
    assert found == ("a", "guten abend", "ABEND", "Signer01")
    assert (recording.pose.fps, len(Pose.load(tmp_path / "a.pt"))) == (25.0, 5)


@pytest.mark.parametrize("swap", ["hands", "arms", "both"])
def test_sides_are_bound_by_place_and_linkage_not_by_number(make_pose, tmp_path, swap: str):
    pose = make_pose(5)
    points = naive_points(pose.frames)
    if swap != "arms":
        points[:, 8:50] = np.roll(points[:, 8:50], 21, axis=1)
    if swap != "hands":
        points[:, :6] = np.roll(points[:, :6], 3, axis=1)
    save(points, tmp_path / "a.pt")
    np.testing.assert_allclose(Pose.load(tmp_path / "a.pt").frames, pose.frames, atol=2e-6)


def test_a_figure_whose_y_runs_upwards_is_turned(make_pose, tmp_path) -> None:
    pose = make_pose(5)
    save(naive_points(pose.frames) * [1, -1, -1], tmp_path / "a.pt")
    np.testing.assert_allclose(Pose.load(tmp_path / "a.pt").frames, pose.frames, atol=2e-6)


def test_what_is_written_is_what_the_challenge_describes(make_pose, tmp_path) -> None:
    recordings = [Recording(f"id-{count}", make_pose(count), text="x") for count in (3, 5)]
    many.write_all(recordings, tmp_path / "a.pt")
    content = torch.load(tmp_path / "a.pt", weights_only=True)
    assert list(content) == ["id-3", "id-5"]
    assert set(content["id-3"]) == {"name", "text", "gloss", "poses_3d", "speaker"}
    expected = naive_points(make_pose(3).frames)
    found = content["id-3"]["poses_3d"].numpy()
    assert found.dtype == np.float32
    np.testing.assert_allclose(found[:, :50], expected[:, :50], atol=1e-6)
    np.testing.assert_allclose(found[:, 50:].mean(axis=1), expected[:, 50:].mean(axis=1), atol=1e-6)
    for recording, again in zip(recordings, many.read_all(tmp_path / "a.pt"), strict=True):
        np.testing.assert_allclose(again.pose.frames, recording.pose.frames, atol=2e-6)
        assert (again.name, again.text) == (recording.name, "x")


def test_what_the_format_cannot_hold_is_not_written(make_pose, tmp_path) -> None:
    confidence = np.ones((3, 50), dtype=np.float32)
    confidence[0, 0] = 0
    for pose in (make_pose(3, fps=30.0), Pose(make_pose(3).frames, confidence)):
        with pytest.raises(FormatError, match=r"\.pt file has no"):
            pose.save(tmp_path / "a.pt")
    for recordings in ([], [Recording("a", make_pose(3))] * 2):
        with pytest.raises(FormatError):
            many.write_all(recordings, tmp_path / "a.pt")
    assert not list(tmp_path.iterdir())


GOOD = np.zeros((3, 178, 3), dtype=np.float32)
MISTAKES = {
    "no frame": (lambda: GOOD[:0], "at least one frame"),
    "too few points": (lambda: GOOD[:, :100], r"\[frames, 178, 3\]"),
    "nan": (lambda: np.where(np.arange(178)[:, None] == 9, np.nan, GOOD), "point 9 of frame 0"),
    "integers": (lambda: GOOD.astype(np.int64), "a number for each"),
    "no width": (lambda: GOOD, "apart"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_sequence_that_does_not_hold_is_named(tmp_path, mistake: str) -> None:
    make, reason = MISTAKES[mistake]
    save(make(), tmp_path / "a.pt")
    with pytest.raises(FormatError, match=rf"a\.pt sequence 'a'.*{reason}"):
        Pose.load(tmp_path / "a.pt")


def test_a_tensor_that_repeats_a_few_numbers_is_refused_before_it_fills_the_memory(tmp_path):
    tensor = torch.zeros(1).as_strided((10**9, 178, 3), (0, 0, 0))
    torch.save({"a": {"poses_3d": tensor}}, tmp_path / "a.pt")
    assert (tmp_path / "a.pt").stat().st_size < 10_000
    with pytest.raises(FormatError, match="a number for each coordinate"):
        Pose.load(tmp_path / "a.pt")


class Runs:
    def __reduce__(self):
        return (print, ("code of a file was run",))


def test_code_in_a_file_is_refused_and_never_run(tmp_path, capsys) -> None:
    torch.save({"a": Runs()}, tmp_path / "a.pt")
    with pytest.raises(FormatError, match=r"a\.pt must be saved by PyTorch"):
        Pose.load(tmp_path / "a.pt")
    assert "run" not in capsys.readouterr().out


@pytest.mark.parametrize("content", [{}, [1], {"a": 1}, {"a": {}}, {"a": {"poses_3d": None}}])
def test_another_content_is_refused(tmp_path, content: object) -> None:
    torch.save(content, tmp_path / "a.pt")
    with pytest.raises(FormatError, match=r"a\.pt"):
        Pose.load(tmp_path / "a.pt")


def test_a_damaged_or_compressed_file_is_refused(make_pose, tmp_path) -> None:
    path = tmp_path / "a.pt"
    make_pose(3).save(path)
    data = path.read_bytes()
    for damaged in (b"", b"hello", data[:-50], data[:500]):
        path.write_bytes(damaged)
        with pytest.raises(FormatError, match=r"a\.pt must be saved by PyTorch"):
            Pose.load(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/data.pkl", b"\0" * 10_000_000)
    with pytest.raises(FormatError, match="uncompressed"):
        Pose.load(path)


def test_without_pytorch_the_extra_is_named(tmp_path, monkeypatch) -> None:
    (tmp_path / "a.pt").touch()
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match="`train`"):
        Pose.load(tmp_path / "a.pt")
