from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses import formats
from signloom.poses.pose import Pose
from signloom.poses.render import drawing
from signloom.poses.render.camera import whole_figure
from signloom.poses.skeleton import LEFT_ELBOW, LEFT_HAND, LEFT_WRIST, RIGHT_WRIST

NAMESPACE = "{http://www.w3.org/2000/svg}"


def animations(root: ElementTree.Element, attribute: str) -> list[ElementTree.Element]:
    found = root.iter(f"{NAMESPACE}animate")
    return [each for each in found if each.get("attributeName") == attribute]


@pytest.mark.parametrize(("frames", "fps"), [(7, 25.0), (5, 29.97), (3, 240.0), (11, 7.0)])
def test_every_frame_is_shown_once_and_the_loop_lasts_as_long_as_the_pose(
    make_pose, tmp_path, frames: int, fps: float
) -> None:
    pose = make_pose(frames, fps=fps)
    pose.save(tmp_path / "a.svg")
    moving = animations(ElementTree.parse(tmp_path / "a.svg").getroot(), "points")
    assert moving
    for element in moving:
        assert len(element.get("values").split(";")) == frames
        assert float(element.get("dur").rstrip("s")) == pytest.approx(pose.duration_s, abs=1e-6)
        assert element.get("calcMode") == "discrete"
        assert element.get("repeatCount") == "indefinite"


def test_lines_are_where_the_camera_sees_the_joints(make_pose, tmp_path) -> None:
    pose = make_pose(5)
    pose.save(tmp_path / "a.svg")
    pixels = whole_figure(pose, size=(640, 640)).project(pose.frames)
    drawn = [
        np.array([pair.split(",") for pair in element.get("points").split()], dtype=float)
        for element in ElementTree.parse(tmp_path / "a.svg").iter(f"{NAMESPACE}polyline")
    ]
    forearm = pixels[0, [LEFT_ELBOW, LEFT_WRIST], :2]
    finger = pixels[0, LEFT_HAND.start + 5 : LEFT_HAND.start + 9, :2]
    for expected in (forearm, finger):
        same = [line for line in drawn if line.shape == expected.shape]
        assert min(np.abs(line - expected).max() for line in same) < 0.06


def test_a_part_is_hidden_while_it_is_not_seen(make_pose, tmp_path) -> None:
    pose = make_pose(5)
    confidence = pose.confidence.copy()
    confidence[1:3, RIGHT_WRIST] = 0
    confidence[:, LEFT_HAND] = 0
    Pose(pose.frames, confidence).save(tmp_path / "a.svg")
    pose.save(tmp_path / "b.svg")
    roots = [ElementTree.parse(tmp_path / name).getroot() for name in ("a.svg", "b.svg")]
    [hidden] = animations(roots[0], "visibility")
    assert hidden.get("values") == "visible;hidden;visible"
    assert hidden.get("keyTimes") == "0;0.2;0.6"
    assert float(hidden.get("dur").rstrip("s")) == 0.2
    few, all_parts = (len(list(root.iter(f"{NAMESPACE}defs"))) for root in roots)
    assert all_parts - few == 6


def test_letters_are_written_while_they_are_signed_and_escaped(make_pose, tmp_path) -> None:
    captions = [(0.0, 0.08, "a"), (0.08, 0.2, "<")]
    formats.write(make_pose(5), tmp_path / "a.svg", captions=captions)
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    texts = list(root.iter(f"{NAMESPACE}text"))
    assert ["".join(text.itertext()) for text in texts] == ["a<", "a<"]
    shown = [text.find(f"{NAMESPACE}animate") for text in texts]
    assert [each.get("values") for each in shown] == ["visible;hidden", "hidden;visible"]
    assert [each.get("keyTimes") for each in shown] == ["0;0.4", "0;0.4"]
    assert root.get("viewBox") == "0 0 640 716"


def test_too_many_frames_are_refused(make_pose, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(drawing, "MAX_FRAMES", 4)
    with pytest.raises(FormatError, match="At most 4 frames"):
        make_pose(5).save(tmp_path / "a.svg")
    assert not list(tmp_path.iterdir())
