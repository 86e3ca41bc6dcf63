"""A transcriber that is small enough to be read: words are tones, each in a band of its own.

Its encoder looks at every fourth frame, and the band that is loudest there, above a threshold, is
the word. Its decoder reads word by word: `three` it always mends to `two`, and `four` and `five` it
takes for each other, so that they never come to rest.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from signloom.runtime.package import Package, write_package
from signloom.runtime.transcribe_settings import TranscribeSettings
from tests.tiny_package import serialise

RATE = 8000
WORDS = ("one", "two", "three", "four", "five")
TOKENS = ("<pad>", "<unk>", "<s>", "</s>", *WORDS)
HERTZ = {"one": 284, "two": 645, "three": 1138, "four": 1813, "five": 2735}
"""The middles of the bands."""
BANDS = len(WORDS)
TABLE = np.full((9, 9), -4.0, np.float32)
"""Logits of the decoder by the token that it reads."""
for reads, writes, sure in ((4, 4, 4), (5, 5, 4), (6, 5, 4), (7, 8, 3), (8, 7, 2), (1, 1, 9)):
    TABLE[reads, writes] = sure
ENCODER = """
<ir_version: 10, opset_import: ["" : 20]>
encoder (float[B, F, 5] features, int64[B] lengths)
  => (float[B, S, 1, 2, 1, 1] memory, float[B, S, 9] log_probs, int64[B] out_lengths)
<int64[1] zero = {0}, int64[1] one = {1}, int64[1] four = {4}, int64[1] far = {99999},
 int64[1] column = {2}, int64[3] rest = {3, 4, 5}, int64[6] sizes = {1, 1, 1, 2, 1, 1},
 int64 three = {3}, int64 stride = {4}, float nothing = {0.0},
 float[4] threshold = {12.0, -99.0, -99.0, -99.0}>
{
  steps = Slice (features, zero, far, one, four)
  first = Slice (steps, zero, one, column)
  deep = Unsqueeze (first, rest)
  memory = Expand (deep, sizes)
  still = Mul (first, nothing)
  special = Add (still, threshold)
  scores = Concat <axis = 2> (special, steps)
  log_probs = LogSoftmax (scores)
  more = Add (lengths, three)
  out_lengths = Div (more, stride)
}
"""
DECODER = """
<ir_version: 10, opset_import: ["" : 20]>
decoder (int64[B, T] tokens, int64[B] lengths, float[B, S, 1, 2, 1, 1] memory, int64[B] steps)
  => (float[1, B, T, 9] logits)
<float[9, 9] table = {TABLE}, int64[5] all = {1, 2, 3, 4, 5}, int64[2] last = {1, 2},
 int64[1] zero = {0}, float two = {2.0}>
{
  read = Gather <axis = 0> (table, tokens)
  summed = ReduceSum <keepdims = 0> (memory, all)
  count = Cast <to = 1> (steps)
  twice = Mul (count, two)
  mean = Div (summed, twice)
  wide = Unsqueeze (mean, last)
  moved = Add (read, wide)
  logits = Unsqueeze (moved, zero)
}
"""


def write_tiny_transcriber(
    folder: Path,
    *,
    encoder: str = ENCODER,
    decoder: str = DECODER,
    tokens: tuple[str, ...] = TOKENS,
    **changes: Any,
) -> Package:
    """Write the package.

    Args:
        folder: Where it goes.
        encoder: Its graph, written out.
        decoder: Likewise.
        tokens: Its vocabulary.
        changes: Entries of its config to replace.
    """
    settings = TranscribeSettings(
        name=folder.name,
        spoken_language="en",
        unit="words",
        rate=RATE,
        num_mels=BANDS,
        pitch=False,
        num_layers=1,
        num_heads=1,
        head_dim=1,
        max_s=5.0,
    )
    table = ", ".join(f"{value:g}" for value in TABLE.ravel())
    graphs = {"encoder": encoder, "decoder": decoder.replace("{TABLE}", f"{{{table}}}")}
    return write_package(
        folder,
        graphs={name: serialise(graph) for name, graph in graphs.items()},
        config=settings.to_dict() | changes,
        vocabulary={"tokens": list(tokens)},
        card="# Tiny\n\nFor tests only.\n",
    )


def spoken(*words: str, tone_s: float = 0.2, gap_s: float = 0.1, rate: int = RATE) -> np.ndarray:
    """Give the sound of words [samples], with a gap before, after and between them."""
    gap = np.zeros(round(gap_s * rate), np.float32)
    times = np.arange(round(tone_s * rate)) / rate
    pieces = [gap]
    for word in words:
        tone = 0.3 * np.sin(2 * np.pi * HERTZ[word] * times)
        pieces += [tone.astype(np.float32), gap]
    return np.concatenate(pieces)
