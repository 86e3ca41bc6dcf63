from __future__ import annotations

import pytest

from signloom.errors import ConfigError
from signloom.systems.recognize.config import RecognizeConfig


def test_the_defaults_are_the_papers() -> None:
    config = RecognizeConfig()
    config.check()
    assert (config.points, config.axes, config.scale, config.embedding) == (
        *("stamf", 2),
        *("clip", "cnn"),
    )
    assert (config.keypoint_depth, config.picture_depth) == (50, 50)
    assert (config.keypoint_dim, config.picture_dim, config.lstm_dim) == (512, 1024, 1024)
    assert (config.spatial_heads, config.temporal_heads, config.dropout) == (2, 4, 0.3)
    assert (config.kernel, config.pools, config.stride, config.lstm_layers) == (5, (2, 2), 4, 2)


@pytest.mark.parametrize(
    ("streams", "inputs"),
    [
        ("keypoints", ("poses", "confidence")),
        ("pictures", ("pictures",)),
        ("both", ("poses", "confidence", "pictures")),
    ],
)
def test_the_streams_say_what_is_read(streams: str, inputs: tuple[str, ...]) -> None:
    assert RecognizeConfig(streams=streams).inputs == inputs


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"pools": ()}, r"`model\.pools` must be 1 to 4 numbers"),
        ({"pools": (2, 5)}, r"from 1 to 4, but is \[2, 5\]"),
        ({"pools": (1, 1, 1, 1, 1)}, r"`model\.pools` must be"),
        ({"pools": (3,)}, "must have 2 stages or more"),
        ({"lstm_dim": 11}, r"`model\.lstm_dim` must be even, but is 11"),
        ({"keypoint_dim": 18}, r"`model\.keypoint_dim` .* 4 heads, but is 18"),
        ({"picture_dim": 22}, r"`model\.picture_dim` .* 4 heads, but is 22"),
        ({"embedding": "linear", "embedding_dim": 7}, r"`model\.embedding_dim` .* 2 heads"),
    ],
)
def test_sizes_that_do_not_go_together_are_refused(values: dict, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        RecognizeConfig(**values).check()


@pytest.mark.parametrize(
    "values",
    [
        {"pools": (3,), "early_attention": False},
        {"pools": (3,), "late_attention": False},
        {"keypoint_dim": 18, "streams": "pictures"},
        {"picture_dim": 22, "streams": "keypoints"},
        {"keypoint_dim": 18, "early_attention": False, "late_attention": False},
        {"embedding_dim": 7},
        {"embedding": "linear", "embedding_dim": 7, "spatial_attention": False},
    ],
)
def test_sizes_of_what_is_switched_off_do_not_matter(values: dict) -> None:
    RecognizeConfig(**values).check()
