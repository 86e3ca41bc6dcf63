"""A model package that is small enough to be read: its two graphs are written out below.

It decodes nothing sensible, but by the same protocol as a trained model: what it gives depends on
the tokens, on the window, on the whole cache and on the length, and on no padding.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx.parser

from signloom.runtime.package import Package, write_package
from signloom.runtime.settings import ProduceSettings
from signloom.tokens.alphabet import Alphabet
from signloom.tokens.vocabulary import Vocabulary

MAX_FRAMES = 60
FRAMES_PER_TOKEN = 7

ENCODER = """
<ir_version: 10, opset_import: ["" : 20]>
encoder (int64[B, N] tokens) => (float[B, N, 1, 2, 1, 150] memory, float[B, 60] length_logits)
<float hundredth = {0.01}, float seven = {7.0}, int64[1] rows = {1},
 int64[4] last = {2, 3, 4, 5}, int64[6] sizes = {1, 1, 1, 2, 1, 150},
 float first = {1.0}, float end = {61.0}, float step = {1.0}, float steep = {-40.0}>
{
  ids = Cast <to = 1> (tokens)
  small = Mul (ids, hundredth)
  narrow = Unsqueeze (small, last)
  memory = Expand (narrow, sizes)
  signs = Sign (ids)
  count = ReduceSum (signs, rows)
  wanted = Mul (count, seven)
  classes = Range (first, end, step)
  distance = Sub (classes, wanted)
  away = Abs (distance)
  length_logits = Mul (away, steep)
}
"""
STEP = """
<ir_version: 10, opset_import: ["" : 20]>
step (int64[B, N] tokens, float[B, N, 1, 2, 1, 150] memory, float[B, W, 150] window,
      int64 position, int64[B] lengths, float[P, B, 1, 2, 1, 150] past)
  => (float[B, S, 150] frames, float[S, B, 1, 2, 1, 150] new)
<int64[3] cross = {1, 3, 4}, int64[3] seen = {0, 3, 4}, int64[3] axes = {2, 3, 4},
 int64[6] sizes = {1, 1, 1, 2, 1, 150}, int64[1] zero = {0}, int64[1] one = {1},
 float half = {0.5}, float two = {2.0}>
{
  turned = Transpose <perm = [1, 0, 2]> (window)
  narrow = Unsqueeze (turned, axes)
  new = Expand (narrow, sizes)
  newest = Slice (new, zero, one, zero)
  all = Concat <axis = 0> (past, newest)
  history = ReduceMean <keepdims = 0> (all, seen)
  layer = Squeeze (history, one)
  mixed = Mul (layer, half)
  summed = ReduceSum <keepdims = 0> (memory, cross)
  doubled = Squeeze (summed, one)
  kinds = Sign (tokens)
  counted = ReduceSum (kinds, one)
  count = Cast <to = 1> (counted)
  twice = Mul (count, two)
  flat = Div (doubled, twice)
  start = Cast <to = 1> (position)
  total = Cast <to = 1> (lengths)
  share = Div (start, total)
  wide = Unsqueeze (share, one)
  known = Add (mixed, flat)
  moved = Add (known, wide)
  each = Unsqueeze (moved, one)
  fed = Mul (window, half)
  frames = Add (each, fed)
}
"""


def naive_step(tokens: Any, window: Any, cache: Any, *, position: int, lengths: Any) -> Any:
    """Give what the step graph gives, in numpy; `cache` holds every row fed so far [P, B, 150]."""
    source = (tokens.sum(axis=1) / (tokens > 0).sum(axis=1) * 0.01)[:, None]
    history = np.concatenate([cache, window[None, :, 0]]).mean(axis=0)
    each = 0.5 * history + source + (position / lengths)[:, None]
    return each[:, None] + 0.5 * window


def write_tiny_package(
    folder: Path, *, overwrite: bool = False, vocabulary: Any = None, **changes: Any
) -> Package:
    """Write the package; `changes` replace entries of its config."""
    letters = Vocabulary.of(Alphabet.load("ase"))
    settings = ProduceSettings(
        name=folder.name,
        kind="fingerspelling",
        language="ase",
        spoken_language="en",
        max_frames=MAX_FRAMES,
        max_tokens=8,
        edge_frames=3,
        levels=(4,),
        shift=4,
        block=4,
        velocity_span=0,
        num_layers=1,
        num_heads=1,
        head_dim=150,
        features={"mean": [0.0] * 150, "std": [0.5] * 150},
    )
    return write_package(
        folder,
        graphs={"encoder": serialise(ENCODER), "step": serialise(STEP)},
        config=settings.to_dict() | changes,
        vocabulary=vocabulary or {"tokens": list(letters.tokens)},
        card="# Tiny\n\nFingerspells for tests only: no face, no mouth, no grammar.\n",
        overwrite=overwrite,
    )


def serialise(text: str) -> bytes:
    """Give a graph that is written out as the bytes of its file."""
    return bytes(onnx.parser.parse_model(text).SerializeToString())
