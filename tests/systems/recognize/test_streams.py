"""The spatial module: which joints are read, how they are scaled, what missing ones are."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from signloom.features.wholebody import fit, to_keypoints
from signloom.poses.normalize import to_features
from signloom.systems.recognize.streams import (
    PICTURE_MEAN,
    PICTURE_STD,
    POINTS,
    KeypointSource,
    PictureSource,
)
from tests.systems.recognize.small_model import small_config

PUBLISHED = (
    *(0, 5, 6, 7, 8, 9, 10),
    *(91, 95, 96, 99, 100, 103, 104, 107, 108, 111),
    *(112, 116, 117, 120, 121, 124, 125, 128, 129, 132),
)
"""Ids of COCO-WholeBody that the paper's implementation reads, in its order."""


def test_the_27_points_are_the_published_ones_of_coco_whole_body() -> None:
    places = np.stack([np.arange(133) / 133, np.zeros(133)], axis=1).astype(np.float32)
    fitted = fit(np.zeros((133, 133, 3), np.uint8), height=133, width=133)
    points = to_keypoints(places, np.ones(133, np.float32), fitted).points
    found = points[list(POINTS["stamf"]), 0].round().astype(int)
    assert tuple(found.tolist()) == PUBLISHED
    assert len(set(POINTS["stamf"])) == 27


def source(**values) -> KeypointSource:
    torch.manual_seed(0)
    return KeypointSource(
        small_config(**values), mean=torch.randn(150), std=torch.rand(150) + 0.5
    ).eval()


def seen_by(network: KeypointSource, *arrays: Tensor) -> Tensor:
    """Give what reaches the embedding, [batch, frames, points, axes]."""
    caught: list[Tensor] = []
    network.layer[0].register_forward_pre_hook(lambda _, given: caught.append(given[0]))
    network(*arrays)
    return caught[0].unflatten(-1, (-1, network.axes))


def clip(frames: int = 5) -> tuple[np.ndarray, Tensor, Tensor, Tensor]:
    """Draw joints [2, frames, 50, 3]; the second clip is two frames shorter."""
    rng = np.random.default_rng(0)
    joints = (3 * rng.normal(size=(2, frames, 50, 3)) + (9, -4, 1)).astype(np.float32)
    confidence = torch.from_numpy((rng.random((2, frames, 50)) > 0.3).astype(np.float32))
    present = torch.ones(2, frames, dtype=torch.bool)
    present[1, -2:] = False
    return joints, torch.from_numpy(to_features(joints)), confidence, present


@pytest.mark.parametrize(("points", "axes"), [("stamf", 2), ("tracks", 2), ("all", 3)])
def test_positions_reach_from_minus_one_to_one_in_each_clip_and_axis(points, axes) -> None:
    joints, poses, confidence, present = clip()
    network = source(points=points, axes=axes)
    found = seen_by(network, poses, confidence, present).numpy()
    for row, frames in ((0, 5), (1, 3)):
        chosen = joints[row, :frames][:, list(POINTS[points]), :axes]
        seen = confidence[row, :frames][:, list(POINTS[points])].numpy() > 0
        least, most = chosen[seen].min(0), chosen[seen].max(0)
        expected = np.where(seen[..., None], 2 * (chosen - least) / (most - least) - 1, 0)
        np.testing.assert_allclose(found[row, :frames], expected, atol=1e-4)
        np.testing.assert_allclose(found[row, :frames][seen].min(0), -1, atol=1e-5)
        np.testing.assert_allclose(found[row, :frames][seen].max(0), 1, atol=1e-5)
    assert (found[1, 3:] == 0).all()


@pytest.mark.parametrize("scale", ["clip", "shoulders"])
@pytest.mark.parametrize("embedding", ["linear", "cnn"])
def test_what_a_missing_joint_or_padding_holds_does_not_matter(scale: str, embedding: str) -> None:
    _, poses, confidence, present = clip()
    network = source(scale=scale, embedding=embedding, axes=3)
    expected = network(poses, confidence, present)
    spoiled = poses.unflatten(-1, (50, 3)).clone()
    body = confidence == 0
    body[..., [4, 7]] = False  # The wrists carry the hands, whose joints may be seen.
    spoiled[body] = 1e3
    spoiled[1, -2:] = -1e3
    found = network(spoiled.flatten(2), confidence, present)
    torch.testing.assert_close(found[present], expected[present], atol=1e-5, rtol=1.3e-6)


def test_a_clip_in_which_nobody_is_seen_is_zeros_to_the_embedding() -> None:
    _, poses, confidence, present = clip()
    found = seen_by(source(), poses, torch.zeros_like(confidence), present)
    assert (found == 0).all()


def test_a_joint_that_stands_still_stays_finite() -> None:
    poses = torch.ones(1, 4, 150)
    present = torch.ones(1, 4, dtype=torch.bool)
    found = seen_by(source(points="tracks"), poses, torch.ones(1, 4, 50), present)
    assert found.isfinite().all()
    assert found.abs().max() <= 1


def test_shoulder_widths_are_standardised_features() -> None:
    _, poses, _, present = clip()
    network = source(scale="shoulders", points="all", axes=3)
    found = seen_by(network, poses, torch.ones(2, 5, 50), present)
    expected = ((poses - network.mean) / network.std).unflatten(-1, (50, 3))
    torch.testing.assert_close(found[present], expected[present])


def test_pictures_are_standardised_as_published_weights_want_them() -> None:
    network = PictureSource(small_config()).eval()
    pictures = torch.randint(256, (2, 3, 33, 35, 3)).to(torch.uint8)
    present = torch.ones(2, 3, dtype=torch.bool)
    channels = pictures.flatten(0, 1).movedim(-1, 1) / 255
    mean, std = (torch.tensor(one)[:, None, None] for one in (PICTURE_MEAN, PICTURE_STD))
    expected = network.network((channels - mean) / std).unflatten(0, (2, 3))
    torch.testing.assert_close(network(pictures, present), expected, atol=1e-5, rtol=1.3e-6)
    assert network.dim == 64


@pytest.mark.parametrize("kind", ["keypoints", "pictures"])
def test_statistics_are_taken_over_real_frames_alone(kind: str) -> None:
    _, poses, confidence, present = clip()
    pictures = torch.randint(256, (2, 5, 32, 32, 3)).to(torch.uint8)
    arrays = (poses, confidence) if kind == "keypoints" else (pictures,)
    longer = [nn.functional.pad(one, (0, 0) * (one.dim() - 2) + (0, 4)) for one in arrays]
    results = []
    for given, real in ((arrays, present), (longer, nn.functional.pad(present, (0, 4)))):
        torch.manual_seed(0)
        config = small_config(embedding="cnn")
        network: nn.Module = PictureSource(config)
        if kind == "keypoints":
            network = KeypointSource(config, mean=torch.zeros(150), std=torch.ones(150))
        found = network.train()(*given, real)
        assert (found[~real] == 0).all()
        results.append([found[real], *(value.clone() for value in network.buffers())])
    torch.testing.assert_close(*results, atol=1e-5, rtol=1.3e-6)
