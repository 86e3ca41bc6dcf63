"""A judge that is small enough to be read: the first features of a frame are its scores.

Frame by frame, feature `i` is the score of token `i`, so a test can write what will be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx.parser
from numpy.typing import NDArray

from signloom.poses.normalize import from_features
from signloom.runtime.package import Package, write_package
from signloom.tokens.alphabet import Alphabet
from signloom.tokens.vocabulary import Vocabulary

VOCABULARY = Vocabulary.of(Alphabet.load("ase"))
RECOGNIZER = """
<ir_version: 10, opset_import: ["" : 20]>
recognizer (float[B, T, 150] poses, int64[B] lengths)
  => (float[B, T, 29] log_probs, int64[B] out_lengths)
<int64[1] first = {0}, int64[1] end = {29}, int64[1] axis = {2}>
{
  log_probs = Slice (poses, first, end, axis)
  out_lengths = Identity (lengths)
}
"""


def write_tiny_judge(folder: Path) -> Package:
    """Write the package."""
    graph = onnx.parser.parse_model(RECOGNIZER).SerializeToString()
    return write_package(
        folder,
        graphs={"recognizer": bytes(graph)},
        config={"name": folder.name, "system": "recognize"},
        vocabulary={"tokens": list(VOCABULARY.tokens)},
        card="# Tiny judge\n\nFor tests only.\n",
    )


def write_down(tokens: Sequence[str], *, frames_per_token: int = 2) -> NDArray[np.float32]:
    """Give frames [frames, 50, 3] that the tiny judge reads as `tokens`."""
    path = [one for id_ in VOCABULARY.encode(tokens) for one in (0, *[id_] * frames_per_token)]
    frames = np.zeros((len(path), 150), dtype=np.float32)
    frames[np.arange(len(path)), path] = 1.0
    return from_features(frames)
