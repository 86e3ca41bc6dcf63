from __future__ import annotations

import json

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses import formats
from signloom.poses.formats.json_file import to_document
from signloom.poses.pose import Pose


def test_a_pose_survives_json_to_five_decimals(make_pose, tmp_path) -> None:
    pose = make_pose(7, fps=29.97)
    confidence = pose.confidence.copy()
    confidence[3, 11] = 0
    pose = Pose(pose.frames, confidence, pose.fps)
    pose.save(tmp_path / "a.json")
    again = Pose.load(tmp_path / "a.json")
    assert again.fps == 29.97
    np.testing.assert_allclose(again.frames, pose.frames, atol=5.1e-6)
    np.testing.assert_array_equal(again.confidence, confidence)


def test_the_document_says_what_its_numbers_mean(make_pose) -> None:
    document = to_document(make_pose(3))
    assert document["unit"] == "shoulder widths"
    assert len(document["joints"]) == 50
    assert document["bones"][0] == [1, 0]
    assert np.shape(document["frames"]) == (3, 50, 3)


def test_confidence_may_be_left_out(make_pose, tmp_path) -> None:
    document = to_document(make_pose(3))
    del document["confidence"]
    (tmp_path / "a.json").write_text(json.dumps(document))
    assert (Pose.load(tmp_path / "a.json").confidence == 1).all()


WRONG = {
    "joints": [["a"], None],
    "unit": ["metres"],
    "fps": [0, 0.05, "25", True, None, 1e400, float("nan")],
    "frames": [
        *([[[value] * 3] * 50] * 3 for value in (True, "1", 1e5, 10**400, 1e300)),
        [[[0, 0, True]] * 50] * 3,
        [],
        None,
        "x",
        [[1, 2], [3]],
        [[[0, 0, "x"]]],
        [[[None] * 3] * 50],
        {"a": 1},
    ],
    "confidence": [[1], [[1] * 49], [[2] * 50] * 3, [[-1] * 50] * 3, [[True] * 50] * 3],
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("key", "value"), [(k, v) for k, values in WRONG.items() for v in values])
def test_a_wrong_value_is_refused_in_one_line(make_pose, tmp_path, key, value) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(to_document(make_pose(3)) | {key: value}))
    with pytest.raises(FormatError) as caught:
        Pose.load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", ["fps", "joints", "frames"])
def test_a_missing_key_is_named(make_pose, tmp_path, key) -> None:
    document = to_document(make_pose(3))
    del document[key]
    (tmp_path / "a.json").write_text(json.dumps(document))
    with pytest.raises(FormatError, match=key):
        Pose.load(tmp_path / "a.json")


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "[" * 100_000, "\xff", '{"fps": NaN}'])
def test_what_is_no_json_object_is_refused(tmp_path, text) -> None:
    (tmp_path / "a.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(FormatError, match=r"a\.json"):
        Pose.load(tmp_path / "a.json")


def test_a_report_is_read_with_its_captions(make_pose, tmp_path) -> None:
    span = {"letter": "a", "start_s": 0, "end_s": 0.5}
    document = to_document(make_pose(3)) | {"spelled": "a", "spans": [span]}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document))
    assert formats.read_captioned(path)[1] == ((0.0, 0.5, "a"),)
    path.write_text(json.dumps(document | {"spans": [{}]}))
    with pytest.raises(FormatError, match=r"a\.json.*spans"):
        formats.read_captioned(path)
    assert Pose.load(path).num_frames == 3


def test_files_without_letters_have_no_captions(make_pose, tmp_path) -> None:
    for name in ("a.json", "a.pose"):
        make_pose(3).save(tmp_path / name)
        pose, captions = formats.read_captioned(tmp_path / name)
        assert (pose.num_frames, captions) == (3, ())
