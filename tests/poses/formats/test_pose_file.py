from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses.formats import pose_file, pose_guard
from signloom.poses.pose import Pose
from signloom.poses.skeleton import LEFT_SHOULDER, NECK, RIGHT_HAND, RIGHT_SHOULDER

pose_format = pytest.importorskip("pose_format")


@pytest.fixture
def written(make_pose, tmp_path: Path) -> Path:
    path = tmp_path / "a.pose"
    make_pose(7).save(path)
    return path


def counts_at(data: bytes) -> int:
    """Where fps, frames and people stand: before the body, which ends the file."""
    return len(data) - 7 * 75 * 4 * 4 - 10


@pytest.mark.parametrize("fps", [25.0, 24000 / 1001, 29.97, 0.5, 240.0])
def test_a_pose_survives_the_round_trip(make_pose, tmp_path, fps: float) -> None:
    pose = make_pose(7, fps=fps)
    noise = np.random.default_rng(0).normal(0, 0.3, pose.frames.shape).astype(np.float32)
    noise[:, NECK] = 0
    confidence = pose.confidence.copy()
    confidence[2:5, 11] = 0
    confidence[:, 30] = 0.25
    pose = Pose(pose.frames + noise, confidence, fps)
    pose.save(tmp_path / "a.pose")
    again = Pose.load(tmp_path / "a.pose")
    np.testing.assert_allclose(again.frames, pose.frames, atol=1e-5)
    np.testing.assert_array_equal(again.confidence, pose.confidence)
    assert again.fps == np.float32(fps)


def test_pose_format_reads_what_is_written(make_pose, written: Path) -> None:
    file = pose_format.Pose.read(written.read_bytes())
    assert file.body.fps == 25.0
    assert file.body.data.shape == (7, 1, 75, 3)
    assert file.header.dimensions.width == file.header.dimensions.height == 1024
    tip = file.header.get_point_index("RIGHT_HAND_LANDMARKS", "INDEX_FINGER_TIP")
    ours = make_pose(7).frames[:, RIGHT_HAND.start + 8]
    pixels = np.asarray(file.body.data[:, 0, tip])
    np.testing.assert_allclose(pixels, ours * 280 + [512, 400, 0], atol=1e-3)
    seen = file.body.confidence[0, 0] > 0
    assert seen.sum() == 7 + 21 + 21
    assert ((pixels > 0) & (pixels < 1024))[:, :2].all()


def test_pose_format_knows_the_layout_as_mediapipe(written: Path) -> None:
    generic = pytest.importorskip("pose_format.utils.generic")
    file = pose_format.Pose.read(written.read_bytes())
    assert generic.detect_known_pose_format(file) == "holistic"
    file.normalize(generic.pose_normalization_info(file.header))
    generic.pose_hide_legs(file, remove=True)
    generic.normalize_hands_3d(file)


@pytest.mark.parametrize("layout", ["mediapipe", "openpose"])
def test_pose_format_draws_what_is_written(make_pose, written: Path, layout: str) -> None:
    pytest.importorskip("cv2", reason="the visualiser of pose-format draws with OpenCV")
    from pose_format.pose_visualizer import PoseVisualizer

    pose_file.write(make_pose(7), written, layout=layout)
    pictures = list(PoseVisualizer(pose_format.Pose.read(written.read_bytes())).draw())
    assert len(pictures) == 7
    assert all((picture < 255).any() for picture in pictures)


@pytest.mark.parametrize("layout", ["mediapipe", "openpose"])
@pytest.mark.parametrize("fps", [23.976, 50.0])
def test_every_layout_is_read_back_as_it_was_written(make_pose, tmp_path, layout, fps) -> None:
    pose = make_pose(5, fps=fps)
    confidence = pose.confidence.copy()
    confidence[1:3, [3, 12, 40]] = 0
    confidence[:, 30] = 0.25
    pose = Pose(pose.frames, confidence, fps)
    pose_file.write(pose, tmp_path / "a.pose", layout=layout)
    again = Pose.load(tmp_path / "a.pose")
    np.testing.assert_allclose(again.frames, pose.frames, atol=1e-6)
    np.testing.assert_array_equal(again.confidence, confidence)
    assert (again.fps, again.num_frames) == (np.float32(fps), 5)


def test_openpose_keeps_a_neck_that_is_not_between_the_shoulders(make_pose, tmp_path) -> None:
    frames = make_pose(3).frames + np.float32(0.1)
    confidence = np.ones((3, 50), dtype=np.float32)
    confidence[1, NECK] = 0
    pose = Pose(frames, confidence)
    pose_file.write(pose, tmp_path / "a.pose", layout="openpose")
    again = Pose.load(tmp_path / "a.pose")
    np.testing.assert_allclose(again.frames, pose.frames, atol=1e-6)
    np.testing.assert_array_equal(again.confidence, confidence)


def test_openpose_is_written_as_pose_format_has_it(make_pose, tmp_path) -> None:
    generic = pytest.importorskip("pose_format.utils.generic")
    pose_file.write(make_pose(3), tmp_path / "a.pose", layout="openpose")
    file = pose_format.Pose.read((tmp_path / "a.pose").read_bytes())
    assert file.body.data.shape == (3, 1, 137, 3)
    assert generic.detect_known_pose_format(file) == "openpose"
    tip = file.header.get_point_index("hand_right_keypoints_2d", "I_DIP")
    ours = make_pose(3).frames[:, RIGHT_HAND.start + 8]
    pixels = np.asarray(file.body.data[:, 0, tip])
    np.testing.assert_allclose(pixels, ours * 280 + [512, 400, 0], atol=1e-3)
    generic.pose_hide_legs(file, remove=True)


def test_a_head_without_a_nose_is_the_middle_of_the_face(data_dir: Path, tmp_path) -> None:
    name = "pose_format_samples/pose_evaluation/mediapipe/refined_landmarks"
    [whole] = (data_dir / "sign" / name).glob("*.pose")
    file = pose_format.Pose.read(whole.read_bytes())
    file = file.remove_components(["POSE_WORLD_LANDMARKS"], {"POSE_LANDMARKS": ["NOSE"]})
    with (tmp_path / "a.pose").open("wb") as buffer:
        file.write(buffer)
    with_nose, without = Pose.load(whole), Pose.load(tmp_path / "a.pose")
    apart = np.linalg.norm(with_nose.frames[:, 0] - without.frames[:, 0], axis=-1)
    assert 0 < np.median(apart) < 0.15
    np.testing.assert_array_equal(without.frames[:, 1:], with_nose.frames[:, 1:])


def test_the_real_openpose_file_is_a_signer(data_dir: Path) -> None:
    path = data_dir / "sign/pose_format_samples/pose_repo/tests/data/openpose.pose"
    pose = Pose.load(path)
    file = pose_format.Pose.read(path.read_bytes())
    assert (pose.num_frames, pose.fps) == (93, 24.0)
    left, right = (np.asarray(file.body.data.data[:, 0, point]) for point in (5, 2))
    width = np.median(np.linalg.norm(left - right, axis=-1))
    neck, wrist = (np.asarray(file.body.data.data[0, 0, point]) for point in (1, 4))
    np.testing.assert_allclose(pose.frames[0, 7, :2], (wrist - neck) / width, atol=1e-4)


def test_a_point_without_any_number_was_not_seen(written: Path) -> None:
    file = pose_format.Pose.read(written.read_bytes())
    file.body.data[2, 0, 40] = np.nan
    with written.open("wb") as buffer:
        file.write(buffer)
    confidence = Pose.load(written).confidence
    assert (confidence == 0).sum() == 1


def person_file(people: list[int], *, fps: int = 24) -> bytes:
    """A file of version 0 with two points, in which each frame has its number of people."""
    names = b"".join(struct.pack("<H", len(name)) + name for name in (b"RShoulder", b"LShoulder"))
    name, form = b"pose_keypoints_2d", b"XYC"
    header = struct.pack("<fHHHH", 0, 100, 100, 0, 1) + struct.pack("<H", len(name)) + name
    header += struct.pack("<H", len(form)) + form + struct.pack("<HHH", 2, 0, 0) + names
    person = struct.pack("<h6f", 0, 10, 20, 1, 30, 20, 1)
    frames = b"".join(struct.pack("<H", count) + count * person for count in people)
    return header + struct.pack("<HH", fps, len(people)) + frames


def test_files_of_version_0_are_read_by_their_first_person(tmp_path) -> None:
    (tmp_path / "a.pose").write_bytes(person_file([1, 2, 0]))
    pose = Pose.load(tmp_path / "a.pose")
    assert (pose.fps, pose.num_frames) == (24.0, 3)
    np.testing.assert_allclose(pose.frames[0, LEFT_SHOULDER], [0.5, 0, 0])
    assert (pose.confidence[:, NECK] == [1, 1, 0]).all()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (person_file([]), "at least one frame"),
        (person_file([0, 0]), "at least one person"),
        (person_file([1], fps=1000), "fps must be"),
        (person_file([1])[:-1], "cut short"),
        (person_file([1]) + b"x", "left over"),
    ],
)
def test_what_version_0_may_not_hold_is_refused(tmp_path, data: bytes, reason: str) -> None:
    (tmp_path / "a.pose").write_bytes(data)
    with pytest.raises(FormatError, match=rf"a\.pose .*{reason}"):
        Pose.load(tmp_path / "a.pose")


def test_every_truncation_is_refused_by_name(written: Path) -> None:
    data = written.read_bytes()
    for size in [*range(0, 300, 7), *range(300, len(data), 997), len(data) - 1]:
        written.write_bytes(data[:size])
        with pytest.raises(FormatError, match=r"a\.pose .*cut short"):
            Pose.load(written)


def test_bytes_left_over_are_refused(written: Path) -> None:
    written.write_bytes(written.read_bytes() + b"\0")
    with pytest.raises(FormatError, match="left over"):
        Pose.load(written)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ((25.0, 0, 1), "at least one frame"),
        ((25.0, 7, 0), "at least one person"),
        ((0.0, 7, 1), "fps"),
        ((-25.0, 7, 1), "fps"),
        ((241.0, 7, 1), "fps"),
        ((0.09, 7, 1), "fps"),
        ((float("nan"), 7, 1), "fps"),
        ((float("inf"), 7, 1), "fps"),
        ((25.0, 2**32 - 1, 2**16 - 1), "at most"),
        ((25.0, 100_000, 1), "cut short"),
    ],
)
def test_impossible_counts_are_refused_before_reading(written: Path, counts, reason) -> None:
    data = bytearray(written.read_bytes())
    struct.pack_into("<fIH", data, counts_at(data), *counts)
    written.write_bytes(data)
    with pytest.raises(FormatError, match=reason):
        Pose.load(written)


def test_a_file_that_is_too_large_is_not_read(written: Path) -> None:
    with written.open("r+b") as file:
        file.truncate(pose_guard.MAX_BYTES + 1)
    with pytest.raises(FormatError, match="at most"):
        Pose.load(written)


def test_nan_is_refused_where_seen(written: Path) -> None:
    data = bytearray(written.read_bytes())
    struct.pack_into("<f", data, counts_at(data) + 10, float("nan"))
    written.write_bytes(data)
    with pytest.raises(FormatError, match=r"a\.pose .*finite"):
        Pose.load(written)


def test_a_damaged_file_is_read_or_refused_but_never_crashes(written: Path) -> None:
    data = written.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(100):
        damaged = bytearray(data)
        end = len(data) if rng.random() < 0.3 else counts_at(data) + 10
        for place in rng.integers(0, end, size=int(rng.integers(1, 4))):
            damaged[place] = int(rng.integers(256))
        written.write_bytes(damaged)
        with contextlib.suppress(FormatError):
            assert np.isfinite(Pose.load(written).frames).all()


@pytest.mark.parametrize("content", [b"", b"\0" * 1000, b"\xff" * 1000, b"hello world" * 99])
def test_what_is_no_pose_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.pose").write_bytes(content)
    with pytest.raises(FormatError, match=r"a\.pose"):
        Pose.load(tmp_path / "a.pose")


def test_every_sample_of_the_lexicon_is_a_signer_of_one_shoulder_width() -> None:
    package = pytest.importorskip("spoken_to_signed", reason="needs the extra `data`")
    folder = Path(package.__file__).parent / "assets" / "fingerspelling_lexicon" / "ase"
    paths = sorted(folder.glob("*.pose"))
    assert len(paths) == 26
    for path in paths[::5]:
        pose = Pose.load(path)
        width = pose.frames[:, LEFT_SHOULDER] - pose.frames[:, RIGHT_SHOULDER]
        assert abs(np.median(np.linalg.norm(width, axis=-1)) - 1) < 1e-5
        assert (pose.frames[:, NECK] == 0).all()
        hand = pose.frames[:, RIGHT_HAND][pose.confidence[:, RIGHT_HAND.start] > 0]
        assert 0.02 < np.abs(hand[..., 2]).max() < 0.8


def test_real_files_are_read_or_refused(data_dir: Path) -> None:
    paths = sorted((data_dir / "sign" / "pose_format_samples").rglob("*.pose"))
    assert paths, "the samples of pose-format are missing from SIGNLOOM_DATA"
    read = 0
    for path in paths:
        with contextlib.suppress(FormatError):
            assert np.abs(Pose.load(path).frames).max() < 4
            read += 1
    assert read == len(paths) - 2, "all but the two files that hold a hand alone"


def test_a_file_without_shoulders_is_refused(written: Path) -> None:
    file = pose_format.Pose.read(written.read_bytes())
    hand = file.get_components(["RIGHT_HAND_LANDMARKS"])
    with written.open("wb") as buffer:
        hand.write(buffer)
    with pytest.raises(FormatError, match="both shoulders, but has RIGHT_HAND_LANDMARKS"):
        Pose.load(written)
    file.body.confidence[:, :, 11] = 0
    file.header.dimensions.depth = 0
    with written.open("wb") as buffer:
        file.write(buffer)
    with pytest.raises(FormatError, match="never are"):
        Pose.load(written)


def test_shoulders_that_coincide_are_refused(written: Path) -> None:
    file = pose_format.Pose.read(written.read_bytes())
    file.header.dimensions.depth = 0
    file.body.data[:, :, 11] = file.body.data[:, :, 12]
    with written.open("wb") as buffer:
        file.write(buffer)
    with pytest.raises(FormatError, match="must be apart"):
        Pose.load(written)
