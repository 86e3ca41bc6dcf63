"""Recognisers that are small enough to be read: one reads poses, one looks at pictures.

The reader says which letter the right wrist's x shows, as `tiny_translator.spelled` makes it; the
watcher which gloss the brightness: black is nothing, each further 50 of 255 the next gloss.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from signloom.poses.rest import rest_pose
from signloom.poses.skeleton import RIGHT_WRIST
from signloom.runtime.package import Package, write_package
from signloom.runtime.recognize_settings import RecognizeSettings
from tests.tiny_package import serialise

SIDE_PX = 8
LETTERS = ("<pad>", "a", "b", "c", "d")
GLOSSES = ("<pad>", "RAIN", "SUN", "NORTH", "<unk>")
SHADE = 50
READER = """
<ir_version: 10, opset_import: ["" : 20]>
recognizer (float[B, T, 150] poses, int64[B] lengths)
  => (float[B, T, 5] log_probs, int64[B] out_lengths)
<int64[1] first = {COLUMN}, int64[1] end = {NEXT}, int64[1] axis = {2}, float steep = {-9.0},
 float[5] places = {REST, 0.0, 1.0, 2.0, 3.0}>
{
  wide = Slice (poses, first, end, axis)
  apart = Sub (wide, places)
  away = Abs (apart)
  scores = Mul (away, steep)
  log_probs = LogSoftmax (scores)
  out_lengths = Identity (lengths)
}
"""
WATCHER = """
<ir_version: 10, opset_import: ["" : 20]>
recognizer (uint8[B, T, 8, 8, 3] pictures, int64[B] lengths)
  => (float[B, T, 5] log_probs, int64[B] out_lengths)
<int64[3] inside = {2, 3, 4}, int64[1] last = {2}, float shade = {50.0}, float steep = {-9.0},
 float[5] places = {0.0, 1.0, 2.0, 3.0, 4.0}>
{
  values = Cast <to = 1> (pictures)
  mean = ReduceMean <keepdims = 0> (values, inside)
  bright = Div (mean, shade)
  wide = Unsqueeze (bright, last)
  apart = Sub (wide, places)
  away = Abs (apart)
  scores = Mul (away, steep)
  log_probs = LogSoftmax (scores)
  out_lengths = Identity (lengths)
}
"""


def write_tiny_reader(folder: Path, **changes: Any) -> Package:
    """Write the package that reads poses.

    Args:
        folder: Where it goes.
        changes: Entries of its config to replace.
    """
    column, rest = 3 * RIGHT_WRIST, float(rest_pose()[RIGHT_WRIST, 0])
    graph = READER.replace("COLUMN", str(column)).replace("NEXT", str(column + 1))
    graph = graph.replace("REST", f"{rest:.6f}")
    settings = RecognizeSettings(
        name=folder.name,
        kind="fingerspelling",
        languages=("ase",),
        spoken_language="en",
        stride=1,
    )
    return _write(folder, graph, settings.to_dict() | changes, tokens=LETTERS)


def write_tiny_watcher(folder: Path, **changes: Any) -> Package:
    """Write the package that looks at pictures.

    Args:
        folder: Where it goes.
        changes: Entries of its config to replace.
    """
    settings = RecognizeSettings(
        name=folder.name,
        kind="signing",
        languages=("gsg",),
        spoken_language="de",
        unit="glosses",
        inputs=("pictures",),
        picture_px=SIDE_PX,
        stride=1,
        max_frames=77,
    )
    return _write(folder, WATCHER, settings.to_dict() | changes, tokens=GLOSSES)


def film_of(*glosses: int, frames: int = 4, height: int = 20, width: int = 32) -> np.ndarray:
    """Give pictures [frames, height, width, 3] of these glosses, by id, each for some frames."""
    shades = np.repeat(np.array(glosses, np.uint8) * SHADE, frames)
    return np.broadcast_to(shades[:, None, None, None], (len(shades), height, width, 3)).copy()


def write_pictures(folder: Path, film: np.ndarray) -> Path:
    """Write a film as a folder of pictures."""
    folder.mkdir(parents=True)
    for number, picture in enumerate(film):
        Image.fromarray(picture).save(folder / f"{number}.png")
    return folder


def _write(folder: Path, graph: str, config: dict[str, Any], *, tokens: tuple[str, ...]) -> Package:
    return write_package(
        folder,
        graphs={"recognizer": serialise(graph)},
        config=config,
        vocabulary={"tokens": list(tokens)},
        card="# Tiny\n\nFor tests only.\n",
    )
