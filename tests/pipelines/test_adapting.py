"""A production can be had faster, slower, or by the other hand."""

from __future__ import annotations

import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.pipelines.adapting import adapt
from signloom.pipelines.produce import Producer
from signloom.pipelines.production import Production
from signloom.poses.mirror import mirror
from tests.tiny_package import write_tiny_package


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Production:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    return Producer(write_tiny_package(folder).path).produce("ab cd")


@pytest.mark.parametrize("speed", [0.25, 0.8, 2.0, 4.0])
def test_speed_divides_the_time_of_the_pose_and_of_the_letters(
    production: Production, speed: float
) -> None:
    adapted = adapt(production, speed=speed)
    assert adapted.pose.num_frames == round(production.pose.num_frames / speed)
    assert adapted.pose.fps == production.pose.fps
    assert adapted.to_dict()["speed"] == speed
    for span, before in zip(adapted.spans, production.spans, strict=True):
        assert span.letter == before.letter
        assert span.start_s == pytest.approx(before.start_s / speed, abs=1e-3)
        assert span.end_frame == round(before.end_frame / speed)
    assert adapted.spans[-1].end_frame <= adapted.pose.num_frames


def test_mirrored_is_the_mirror_image(production: Production) -> None:
    adapted = adapt(production, mirrored=True)
    assert np.array_equal(adapted.pose.frames, mirror(production.pose.frames))
    assert adapted.to_dict()["mirrored"] is True
    assert adapted.spans == production.spans


@pytest.mark.parametrize("speed", [0.0, 0.2, 4.1, -1.0, float("nan"), float("inf")])
def test_a_speed_that_nobody_could_read_is_refused(production: Production, speed: float) -> None:
    with pytest.raises(ConfigError, match=r"`speed` must be from 0\.25 to 4"):
        adapt(production, speed=speed)


def test_cues_are_the_words_with_their_times(production: Production) -> None:
    cues = production.cues
    assert [text for _, _, text in cues] == ["ab", "cd"]
    assert cues[0][0] == production.spans[0].start_s
    assert cues[1][1] == production.spans[-1].end_s
