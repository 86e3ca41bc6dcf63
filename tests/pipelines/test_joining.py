"""Passages are joined without a jump, the same whole as in pieces of any size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.pipelines.joining import MAX_BRIDGE_STEP, Joiner, bridge
from signloom.poses.normalize import Standardiser, from_features
from signloom.poses.smooth import smooth
from signloom.runtime.settings import ProduceSettings
from tests.tiny_package import write_tiny_package


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> ProduceSettings:
    package = write_tiny_package(tmp_path_factory.mktemp("models") / "tiny")
    return ProduceSettings.read(package)


def passages(*lengths: int) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    return [
        rng.normal(size=150).astype(np.float32)
        + rng.normal(scale=0.03, size=(length, 150)).astype(np.float32)
        for length in lengths
    ]


def join(settings: ProduceSettings, features: list[np.ndarray], *, size: int) -> np.ndarray:
    joiner = Joiner(settings)
    pieces = []
    for passage in features:
        for start in range(0, len(passage), size):
            is_last = start + size >= len(passage)
            pieces.append(joiner.push(passage[start : start + size], is_last=is_last))
    frames = np.concatenate(pieces)
    assert joiner.num_frames == len(frames)
    return frames


def largest_step(frames: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(frames, axis=0), axis=-1).max())


@pytest.mark.parametrize("size", [1, 2, 3, 8, 11])
def test_pieces_of_any_size_give_the_same_frames(settings: ProduceSettings, size: int) -> None:
    features = passages(13, 1, 2, 29)
    assert np.array_equal(join(settings, features, size=size), join(settings, features, size=99))


def test_a_single_passage_is_filtered_and_nothing_else(settings: ProduceSettings) -> None:
    [features] = passages(17)
    standardiser = Standardiser.from_dict(dict(settings.features))
    expected = from_features(standardiser.invert(smooth(features)))
    assert np.array_equal(join(settings, [features], size=5), expected)


def test_no_step_between_passages_is_a_jump(settings: ProduceSettings) -> None:
    features = passages(13, 11, 7)
    within = max(largest_step(join(settings, [passage], size=8)) for passage in features)
    apart = [join(settings, [passage], size=8) for passage in features]
    assert largest_step(np.concatenate([apart[0][-1:], apart[1][:1]])) > 5 * MAX_BRIDGE_STEP
    assert largest_step(join(settings, features, size=8)) <= max(within, MAX_BRIDGE_STEP)


def test_starts_are_where_the_passages_are(settings: ProduceSettings) -> None:
    features = passages(13, 11, 7)
    joiner = Joiner(settings)
    frames = np.concatenate([joiner.push(passage, is_last=True) for passage in features])
    for start, passage in zip(joiner.starts, features, strict=True):
        alone = join(settings, [passage], size=8)
        assert np.array_equal(frames[start : start + len(alone)], alone)


@pytest.mark.parametrize("distance", [0.0, 0.01, 0.5, 2.0])
def test_a_bridge_is_slow_smooth_and_between(distance: float) -> None:
    before = np.zeros((50, 3), dtype=np.float32)
    after = before + np.float32(distance / 3**0.5)
    frames = bridge(before, after)
    whole = np.concatenate([before[None], frames, after[None]])
    assert largest_step(whole) <= MAX_BRIDGE_STEP
    assert 3 <= len(frames) <= 50
    assert (np.diff(whole[:, 0, 0]) >= 0).all()


def test_a_bridge_has_an_end_even_over_an_absurd_distance() -> None:
    before = np.zeros((50, 3), dtype=np.float32)
    assert len(bridge(before, before + 1e6)) == 50


def test_without_a_filter_frames_pass_at_once(settings: ProduceSettings, tmp_path: Path) -> None:
    package = write_tiny_package(tmp_path / "raw", output_filter=False)
    joiner = Joiner(ProduceSettings.read(package))
    assert len(joiner.push(passages(5)[0][:1], is_last=False)) == 1
