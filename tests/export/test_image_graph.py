"""The image network sees in its graph what it sees in torch, of real pictures too."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from signloom.errors import PackageError
from signloom.export.image_graph import image_graph, image_network
from signloom.features.pictures import read_picture
from signloom.runtime.image_session import ImageSession, as_square
from tests.small_pictures import colour_network

pytestmark = pytest.mark.compiled


def test_it_sees_what_torch_sees_of_real_pictures(data_dir) -> None:
    folder = data_dir / "caption/flickr8k/images"
    if not folder.is_dir():
        pytest.skip("SIGNLOOM_DATA has no caption/flickr8k")
    paths = sorted(folder.iterdir())[:3]
    squares = np.stack([as_square(read_picture(path).pixels) for path in paths])
    # These lie there at the size that the network looks at, and come through unchanged.
    np.testing.assert_array_equal(squares[0], read_picture(paths[0]).pixels)
    session = ImageSession(image_graph())
    assert (session.positions, session.num_features) == (49, 1280)
    features = session.look(squares)
    with torch.no_grad():
        expected = image_network()(torch.from_numpy(squares)).numpy()
    np.testing.assert_allclose(features, expected, atol=1e-3)
    assert 0 <= features.min() < features.max() <= 6
    for row, square in enumerate(squares):
        np.testing.assert_allclose(session.look(square[None])[0], features[row], atol=1e-4)


def test_a_graph_of_something_else_is_refused() -> None:
    with pytest.raises(PackageError, match="the image network cannot be run"):
        ImageSession(b"no graph")
    session = ImageSession(colour_network())
    assert (session.positions, session.num_features) == (4, 3)
