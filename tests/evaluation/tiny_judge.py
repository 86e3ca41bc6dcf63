"""A judge that is small enough to be read: the first features of a frame are its scores.

Frame by frame, feature `i` is the score of token `i`, so a test can write what will be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

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
<int64[1] first = {0}, int64[1] end = {29}, int64[1] axis = {2}, float ten = {10.0}>
{
  scores = Slice (poses, first, end, axis)
  steep = Mul (scores, ten)
  log_probs = LogSoftmax (steep)
  out_lengths = Identity (lengths)
}
"""


def write_tiny_judge(folder: Path, *, ngrams: Any = None, **changes: Any) -> Package:
    """Write the package.

    Args:
        folder: Where it goes.
        ngrams: Counts for a language model.
        changes: Entries of its config to add or replace; None takes one out.
    """
    config = {
        "name": folder.name,
        "system": "recognize",
        "kind": "fingerspelling",
        "language": "ase",
        "spoken_language": "en",
        "stride": 1,
    }
    config = {name: value for name, value in (config | changes).items() if value is not None}
    graph = onnx.parser.parse_model(RECOGNIZER).SerializeToString()
    return write_package(
        folder,
        graphs={"recognizer": bytes(graph)},
        config=config,
        vocabulary={"tokens": list(VOCABULARY.tokens)} | ({"ngrams": ngrams} if ngrams else {}),
        card="# Tiny judge\n\nFor tests only.\n",
    )


def write_down(tokens: Sequence[str], *, frames_per_token: int = 2) -> NDArray[np.float32]:
    """Give frames [frames, 50, 3] that the tiny judge reads as `tokens`."""
    path = [one for id_ in VOCABULARY.encode(tokens) for one in (0, *[id_] * frames_per_token)]
    frames = np.zeros((len(path), 150), dtype=np.float32)
    frames[np.arange(len(path)), path] = 1.0
    return from_features(frames)
