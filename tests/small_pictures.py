"""Small pictures of one colour, what is said of them, and a network that sees colours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from signloom.data.captions.looking import Looker
from tests.tiny_package import serialise

COLOURS = {"red": (200, 30, 20), "green": (10, 180, 40), "blue": (20, 60, 210)}
SPLITS = {"train": 4, "dev": 2, "test": 2}
"""Pictures of each colour."""
POSITIONS, NUM_FEATURES = 4, 3
SEES_COLOURS = """
<ir_version: 10, opset_import: ["" : 20]>
image (uint8[B, 224, 224, 3] pixels) => (float[B, P, 3] features)
<int64[4] parts = {0, 4, -1, 3}, int64[1] second = {2},
 float scale = {255.0}>
{
  values = Cast <to = 1> (pixels)
  rows = Reshape (values, parts)
  sums = ReduceMean <keepdims = 0> (rows, second)
  features = Div (sums, scale)
}
"""
"""Four stripes of a picture, the mean red, green and blue of each."""


def colour_network() -> bytes:
    """Give the network, serialised."""
    return serialise(SEES_COLOURS)


def write_pictures(folder: Path) -> Path:
    """Write pictures and a table for the reader `captions`."""
    (folder / "images").mkdir(parents=True)
    rng = np.random.default_rng(3)
    rows = ["image,caption,split"]
    for split, count in SPLITS.items():
        for colour, value in COLOURS.items():
            for number in range(count):
                name = f"images/{split}_{colour}_{number}.png"
                noise = rng.integers(-9, 10, (29, 37, 3))
                pixels = np.clip(np.array(value) + noise, 0, 255).astype(np.uint8)
                Image.fromarray(pixels).save(folder / name)
                rows += [f"{name},A {colour} picture.,{split}"]
                rows += [f'{name},"It is {colour}, all of it",{split}']
    (folder / "captions.csv").write_text("\n".join(rows) + "\n")
    return folder


def write_features(pictures: Path, folder: Path) -> Path:
    """Write what the network sees of pictures that `write_pictures` wrote."""
    looker = Looker(colour_network(), network="colours", folder=folder, mirrored=True)
    paths = sorted((pictures / "images").glob("*.png"))
    looker.look({f"images/{path.stem}": path for path in paths})
    return folder
