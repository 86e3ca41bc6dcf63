from __future__ import annotations

import numpy as np

from signloom.data.corpora.rendered import with_rendered_pictures
from signloom.data.example import Example
from signloom.data.picture_cache import PictureCache
from signloom.poses.render.filmed import render_pictures


def example(frames: np.ndarray, **more) -> Example:
    return Example("e", "a", ("a",), frames, (), **more)


def test_pictures_are_those_of_the_poses_and_their_confidence(corpus) -> None:
    frames = corpus.build("hi", np.random.default_rng(0)).frames[:5]
    confidence = (np.random.default_rng(1).random((5, 50)) > 0.5).astype(np.float32)
    for seen in (None, confidence):
        filmed = with_rendered_pictures(example(frames, confidence=seen), 48)
        expected = render_pictures(frames, size=48, confidence=seen)
        np.testing.assert_array_equal(filmed.pictures(), expected)


def test_pictures_are_drawn_when_asked_for_and_then_remembered(corpus) -> None:
    cache = PictureCache()
    frames = corpus.build("no", np.random.default_rng(0)).frames[:3]
    filmed = with_rendered_pictures(example(frames), 48, cache=cache)
    assert cache.num_bytes == 0
    first = filmed.pictures()
    assert filmed.pictures() is first
    assert with_rendered_pictures(example(frames.copy()), 48, cache=cache).pictures() is first
    assert cache.num_bytes == first.nbytes


def test_other_frames_or_sizes_of_one_name_are_other_pictures(corpus) -> None:
    cache = PictureCache()
    frames = corpus.build("up", np.random.default_rng(0)).frames
    shapes = [
        with_rendered_pictures(example(part), size, cache=cache).pictures().shape
        for part, size in ((frames[:3], 48), (frames[3:7], 48), (frames[:3], 53))
    ]
    assert shapes == [(3, 48, 48, 3), (4, 48, 48, 3), (3, 53, 53, 3)]
