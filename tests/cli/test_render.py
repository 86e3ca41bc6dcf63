"""`signloom render` draws and converts poses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from signloom.poses.pose import Pose
from tests.cli.conftest import Run


def test_a_pose_is_drawn_into_every_output(run: Run) -> None:
    assert run("produce", "hi", "--model", "tiny", "-o", "in.pose").code == 0
    done = run("render", "in.pose", "a.gif", "b.png", "-o", "c.json")
    assert (done.code, done.stdout) == (0, "a.gif\nb.png\nc.json\n")
    assert all(Path(name).stat().st_size for name in ("a.gif", "b.png", "c.json"))
    np.testing.assert_allclose(Pose.load("c.json").frames, Pose.load("in.pose").frames, atol=1e-5)


def test_a_report_is_drawn_with_its_letters_as_produce_draws_them(run: Run) -> None:
    outputs = ("-o", "a.json", "-o", "a.gif", "-o", "a.pose")
    assert run("produce", "hi yo", "--model", "tiny", *outputs).code == 0
    assert run("render", "a.json", "b.gif").code == 0
    assert run("render", "a.pose", "c.gif").code == 0
    heights = []
    for name in ("a.gif", "b.gif", "c.gif"):
        with Image.open(name) as image:
            heights.append(image.height)
    assert heights == [448, 448, 400]
