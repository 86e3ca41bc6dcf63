from __future__ import annotations

import sys

import numpy as np
import pytest

from signloom.errors import ConfigError, FormatError
from signloom.features.microphone import Microphone, listen, microphone_name, open_microphone
from tests.small_sounds import tone


@pytest.mark.parametrize(("seconds", "lengths"), [(0.3, [2400]), (2.5, [8000, 8000, 4000])])
def test_a_live_source_is_heard_for_the_seconds_asked_for(seconds, lengths) -> None:
    source = "sine=frequency=440:sample_rate=44100"
    sound = listen(source, interface="lavfi", microphone=Microphone(source, seconds), rate=8000)
    blocks = list(sound)
    assert [len(block) for block in blocks] == lengths
    assert (sound.recorded_rate, sound.expected_s, sound.warnings) == (44100, seconds, [])
    found = np.concatenate(blocks)[50:2000]
    np.testing.assert_allclose(found, tone(1, 8000, loudness=0.125)[50:2000], atol=1e-3)


def test_a_live_source_of_pictures_is_no_microphone() -> None:
    with pytest.raises(FormatError, match="Microphone x must have a stream of sound, but has vide"):
        listen("testsrc", interface="lavfi", microphone=Microphone("x", 1.0), rate=8000)


@pytest.mark.skipif(sys.platform != "linux", reason="names of Linux")
@pytest.mark.parametrize("device", [99, "no microphone"])
def test_a_microphone_that_is_not_there_is_named_in_one_line(device) -> None:
    with pytest.raises(FormatError, match=f"Microphone {device} must be there, but ") as caught:
        open_microphone(Microphone(device, 1.0), rate=16000)
    assert "\n" not in str(caught.value)


def test_microphones_are_named_as_each_system_names_them() -> None:
    assert microphone_name(3, interface="avfoundation") == "none:3"
    assert microphone_name("Headset", interface="dshow") == "audio=Headset"
    with pytest.raises(ConfigError, match="a microphone must be given by its name, but 3 is a num"):
        microphone_name(3, interface="dshow")


def test_a_microphone_is_heard_for_no_longer_than_an_hour() -> None:
    with pytest.raises(
        ConfigError, match="`seconds` must be above 0 and at most 3600, but is 3601"
    ):
        Microphone("default", 3601.0)
