from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses.formats import json_file, pose_file
from signloom.poses.pose import Pose
from signloom.poses.skeleton import UPPER_BODY_50, Skeleton
from signloom.poses.skeleton_file import read_skeleton

MINE = {
    "name": "mine",
    "joints": ["chest", "r_sh", "l_sh", "nose", "l_el"],
    "bones": [[0, 1], [0, 2], [0, 3], [2, 4]],
    "mapping": {
        "left_shoulder": "l_sh",
        "right_shoulder": "r_sh",
        "head": "nose",
        "left_elbow": "l_el",
    },
}


@pytest.fixture
def write(tmp_path):
    def write_document(document: object, name: str = "skeleton.json") -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(document))
        return path

    return write_document


def test_a_skeleton_is_read_with_its_names_and_bones(write) -> None:
    skeleton = Skeleton.from_json(write(MINE))
    assert repr(skeleton) == "Skeleton(mine, 5 joints)"
    assert skeleton.joints[4] == "l_el"
    assert skeleton.bones[3] == (2, 4)


def test_our_own_skeleton_survives_json_and_maps_every_joint_to_itself(write) -> None:
    ours = UPPER_BODY_50
    document = {"name": ours.name, "joints": ours.joints, "bones": ours.bones}
    read = read_skeleton(write(document))
    assert read.skeleton == ours
    assert read.mapping == tuple((joint, joint) for joint in range(50))


MISTAKES = {
    "no object": ([], "must have a `name`"),
    "no name": (MINE | {"name": ""}, "must have a `name`"),
    "no joints": (MINE | {"joints": []}, "`joints` must be names"),
    "a number": (MINE | {"joints": ["a", 1]}, "`joints` must be names"),
    "twice": (MINE | {"joints": ["a", "b", "a", "c", "d"]}, "`a` comes twice"),
    "outside": (MINE | {"bones": [[0, 5]]}, "0 to 4, but one is"),
    "negative": (MINE | {"bones": [[-1, 1]]}, "0 to 4, but one is"),
    "true": (MINE | {"bones": [[True, 0]]}, "0 to 4, but one is"),
    "three": (MINE | {"bones": [[0, 1, 2]]}, "0 to 4, but one is"),
    "itself": (MINE | {"bones": [[1, 1]]}, "0 to 4, but one is [1, 1]"),
    "two parents": (MINE | {"bones": [[0, 1], [2, 1]]}, "`r_sh` has two"),
    "two roots": (MINE | {"bones": [[0, 1], [0, 2], [0, 3]]}, "2 have none"),
    "a ring": (MINE | {"bones": [[0, 1], [2, 3], [3, 4], [4, 2]]}, "`l_sh` is in a ring"),
    "mapping": (MINE | {"mapping": []}, "`mapping` must give"),
    "not ours": (MINE | {"mapping": {"tail": "nose"}}, "of upper_body_50, but has 'tail'"),
    "not theirs": (MINE | {"mapping": {"head": "tail"}}, "of mine, but has 'tail'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_skeleton_that_does_not_hold_is_refused_in_one_line(write, mistake: str) -> None:
    document, reason = MISTAKES[mistake]
    with pytest.raises(FormatError) as caught:
        read_skeleton(write(document))
    assert "skeleton.json" in str(caught.value)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_json_or_not_there_is_refused(tmp_path) -> None:
    (tmp_path / "a.json").write_text("{")
    for name in ("a.json", "b.json"):
        with pytest.raises(FormatError, match=name):
            Skeleton.from_json(tmp_path / name)


@pytest.mark.parametrize("axes", [2, 3])
def test_joints_of_another_skeleton_become_ours_by_name(make_pose, write, axes: int) -> None:
    pose = make_pose(5, fps=30.0)
    places = {"chest": 1, "r_sh": 5, "l_sh": 2, "nose": 0, "l_el": 3}
    names = ["l_el", "other", "nose", "l_sh", "r_sh", "chest"]
    frames = np.stack([pose.frames[:, places.get(name, 9)] for name in names], axis=1)
    frames = (frames[..., :axes] * 80 + 100).tolist()
    path = write({"fps": 30, "joints": names, "frames": frames}, "in.json")
    mine = read_skeleton(write(MINE))
    theirs = json_file.read_as(path, mine.skeleton)
    assert theirs.skeleton == mine.skeleton
    ours = mine.to_upper_body(theirs)
    assert (ours.fps, ours.skeleton) == (30.0, UPPER_BODY_50)
    assert sorted(np.flatnonzero(ours.confidence[0]).tolist()) == [0, 1, 2, 3, 5]
    np.testing.assert_allclose(
        ours.frames[:, [0, 2, 3, 5]], pose.frames[:, [0, 2, 3, 5]], atol=1e-5
    )


def test_points_of_a_pose_file_are_taken_by_name_and_component(make_pose, write, tmp_path) -> None:
    make_pose(3).save(tmp_path / "a.pose")
    names = ["LEFT_SHOULDER", "RIGHT_SHOULDER", "LEFT_HAND_LANDMARKS/WRIST"]
    mapping = dict(zip(["left_shoulder", "right_shoulder", "left_wrist"], names, strict=True))
    document = {"name": "m", "joints": names, "bones": [[0, 1], [0, 2]], "mapping": mapping}
    mine = read_skeleton(write(document))
    pose = mine.to_upper_body(pose_file.read_as(tmp_path / "a.pose", mine.skeleton))
    np.testing.assert_allclose(pose.frames[:, 4, :2], make_pose(3).frames[:, 29, :2], atol=1e-5)
    document["joints"][2] = "WRIST"
    document["mapping"] = {}
    with pytest.raises(FormatError, match=r"a\.pose .*`WRIST` of m .*2 are called so"):
        pose_file.read_as(tmp_path / "a.pose", read_skeleton(write(document)).skeleton)


def test_a_mapping_without_a_shoulder_has_no_unit(write) -> None:
    mine = read_skeleton(write(MINE | {"mapping": {"left_shoulder": "l_sh"}}))
    ones = np.ones((3, 5, 3), dtype=np.float32)
    pose = Pose(ones, ones[..., 0], 25.0, mine.skeleton)
    with pytest.raises(FormatError, match="lacks right_shoulder"):
        mine.to_upper_body(pose)


WRONG = {
    "joints": ["l_sh"],
    "frames": [[[0, 0]] * 4] * 3,
    "confidence": [[1] * 4] * 3,
    "fps": 1000,
}


@pytest.mark.parametrize("key", WRONG)
def test_joints_of_another_skeleton_that_do_not_hold_are_refused(write, key: str) -> None:
    skeleton = read_skeleton(write(MINE)).skeleton
    document = {"fps": 25, "joints": MINE["joints"], "frames": [[[0, 0]] * 5] * 3}
    path = write(document | {key: WRONG[key]}, "in.json")
    with pytest.raises(FormatError, match=rf"in\.json: `{key}` must"):
        json_file.read_as(path, skeleton)


def test_a_pose_of_another_skeleton_is_not_written_as_ours(write, tmp_path) -> None:
    ones = np.ones((3, 5, 3), dtype=np.float32)
    pose = Pose(ones, ones[..., 0], 25.0, Skeleton.from_json(write(MINE)))
    with pytest.raises(FormatError, match="this one is of mine"):
        pose.save(tmp_path / "a.pose")
