"""A captioner that is small enough to be read: it says which of three colours a picture has.

It looks at the mean colour of four stripes; the strongest channel is the colour, and the sentence
is always `a COLOUR picture`, two words a step.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from signloom.runtime.caption_settings import CaptionSettings
from signloom.runtime.package import Package, write_package
from tests.small_pictures import NUM_FEATURES, POSITIONS, colour_network
from tests.tiny_package import serialise

TOKENS = ("<pad>", "<unk>", "<s>", "</s>", "a", "red", "green", "blue", "picture")
GROUP = 2
ENCODER = """
<ir_version: 10, opset_import: ["" : 20]>
encoder (float[B, P, 3] features, int64[B] lengths) => (float[B, P, 1, 2, 1, 1] memory)
<int64[4] last = {2, 3, 4, 5}, int64[6] sizes = {1, 1, 1, 2, 1, 1}>
{
  strongest = ArgMax <axis = 2, keepdims = 0> (features)
  colours = Cast <to = 1> (strongest)
  deep = Unsqueeze (colours, last)
  memory = Expand (deep, sizes)
}
"""
STEP = """
<ir_version: 10, opset_import: ["" : 20]>
step (int64[R, S] tokens, float[t, R, 1, 2, 1, 1] past, float[R, P, 1, 2, 1, 1] memory,
      int64[R] lengths) => (float[R, S, 9] logits, float[S, R, 1, 2, 1, 1] new)
<int64 none = {0}, int64 one = {1}, int64 three = {3}, int64[1] second = {1}, int64 size = {9},
 float[4] words = {4.0, 5.0, 8.0, 3.0}, float[2] values = {0.0, 5.0},
 int64[5] parts = {1, 2, 3, 4, 5}, int64[4] last = {2, 3, 4, 5},
 int64[6] sizes = {1, 1, 1, 2, 1, 1}>
{
  known = Shape <end = 1> (past)
  shape = Shape (tokens)
  slots = Gather (shape, one)
  places = Range (none, slots, one)
  positions = Add (places, known)
  capped = Min (positions, three)
  said = Gather (words, capped)
  is_colour = Equal (positions, one)
  there = Cast <to = 1> (is_colour)
  colour = ReduceMean <keepdims = 0> (memory, parts)
  column = Unsqueeze (colour, second)
  added = Mul (column, there)
  numbers = Add (added, said)
  ids = Cast <to = 7> (numbers)
  logits = OneHot <axis = -1> (ids, size, values)
  fed = Cast <to = 1> (tokens)
  turned = Transpose <perm = [1, 0]> (fed)
  narrow = Unsqueeze (turned, last)
  new = Expand (narrow, sizes)
}
"""


def write_tiny_captioner(folder: Path, *, step: str = STEP, **changes: Any) -> Package:
    """Write the captioner; `changes` are fields of its settings."""
    settings = CaptionSettings(
        name=folder.name,
        spoken_language="en",
        group=GROUP,
        num_features=NUM_FEATURES,
        positions=POSITIONS,
        max_tokens=7,
        num_layers=1,
        num_heads=1,
        head_dim=1,
    )
    config = settings.to_dict() | changes
    graphs = {"encoder": serialise(ENCODER), "step": serialise(step)}
    if config["has_image_network"]:
        graphs["image"] = colour_network()
    return write_package(
        folder,
        graphs=graphs,
        config=config,
        vocabulary={"tokens": list(TOKENS)},
        card="# Colours\n",
    )
