from __future__ import annotations

import sys

import pytest

from signloom.errors import ConfigError, FormatError
from signloom.features.camera import Camera, device_name, open_camera, open_device


@pytest.mark.parametrize("seconds", [0.0, -1.0, 3601.0, float("nan")])
def test_a_camera_is_looked_through_for_a_while_and_no_longer_than_an_hour(seconds) -> None:
    with pytest.raises(ConfigError, match="`seconds` must be above 0 and at most 3600"):
        Camera(0, seconds)


def test_a_live_source_is_taken_for_the_seconds_asked_for() -> None:
    source = "testsrc=size=64x48:rate=10"
    for fps, count in ((None, 7), (25.0, 18)):
        film = open_device(source, interface="lavfi", camera=Camera(source, 0.7), fps=fps)
        pictures = list(film.pictures)
        assert len(pictures) == film.num_frames == count
        assert pictures[0].shape == (48, 64, 3)
        assert film.warnings == []


@pytest.mark.skipif(sys.platform != "linux", reason="names of Linux")
@pytest.mark.parametrize("device", [99, "97", "/dev/null/video", "/etc/hostname", "no camera"])
def test_a_camera_that_is_not_there_is_named_in_one_line(device) -> None:
    with pytest.raises(FormatError, match=f"Camera {device} must be there, but ") as caught:
        open_camera(Camera(device, 1.0))
    assert "\n" not in str(caught.value)


def test_a_device_that_is_no_camera_is_refused() -> None:
    with pytest.raises(FormatError, match="Camera /dev/zero must be there, but"):
        open_device("/dev/zero", interface="v4l2", camera=Camera("/dev/zero", 1.0))


def test_cameras_are_named_as_each_system_names_them() -> None:
    assert device_name(3, interface="avfoundation") == "3:none"
    with pytest.raises(ConfigError, match="must be given by its name, but 3 is a number"):
        device_name(3, interface="dshow")
