"""A translation package that is small enough to be read: its graphs are written out below.

It says what it is shown, one token a position: glosses by a word each, features by their middle
column, poses by the right wrist's x (at rest `<rep>`, which is no letter where none comes before).
How sure it is of that is its one weight, which has a posterior spread. The tag of its second
language makes it say the next token first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from signloom.poses.pose import Pose
from signloom.poses.rest import rest_pose
from signloom.poses.skeleton import RIGHT_ELBOW, RIGHT_HAND, RIGHT_WRIST
from signloom.runtime.package import Package, write_package
from signloom.runtime.translate_settings import TranslateSettings
from signloom.runtime.weights import write_weights
from tests.tiny_package import serialise

STRIDE = 8
"""Frames that say one token."""
MAX_SOURCE = 88
GLOSSES = ("<pad>", "<unk>", "REGEN", "SONNE", "NORD", "MORGEN", "ABEND")
WORDS = ("<pad>", "<unk>", "<s>", "</s>", "regen", "sonne", "nord", "morgen", "abend")
LETTERS = ("<pad>", "<unk>", "<s>", "</s>", "<ase>", "<gsg>", " ", "<rep>", "a", "b", "c", "d")
FIRST_LETTER = LETTERS.index("a")

READ_GLOSSES = """
<ir_version: 10, opset_import: ["" : 20]>
encoder (int64[B, N] tokens, int64[B] lengths) => (float[B, P, 1, 2, 1, 1] memory)
<int64[4] last = {2, 3, 4, 5}, int64[6] sizes = {1, 1, 1, 2, 1, 1}, int64 two = {2}>
{
  same = Add (tokens, two)
  said = Cast <to = 1> (same)
  narrow = Unsqueeze (said, last)
  memory = Expand (narrow, sizes)
}
"""
READ_FRAMES = """
<ir_version: 10, opset_import: ["" : 20]>
encoder (float[B, T, WIDTH] features, int64[B] lengths) => (float[B, P, 1, 2, 1, 1] memory)
<int64[3] last = {3, 4, 5}, int64[6] sizes = {1, 1, 1, 2, 1, 1}, int64[2] axes = {1, 2},
 int64[2] start = {0, COLUMN}, int64[2] end = {1000000, NEXT}, int64[2] steps = {STRIDE, 1},
 float first = {FIRST.0}>
{
  values = Slice (features, start, end, axes, steps)
  whole = Round (values)
  said = Add (whole, first)
  narrow = Unsqueeze (said, last)
  memory = Expand (narrow, sizes)
}
"""
STEP = """
<ir_version: 10, opset_import: ["" : 20]>
step (int64[R, S] tokens, float[t, R, 1, 2, 1, 1] past, float[R, P, 1, 2, 1, 1] memory,
      int64[R] lengths) => (float[R, S, SIZE] logits, float[S, R, 1, 2, 1, 1] new)
<int64[1] zero = {0}, int64[1] one = {1}, int64[1] all = {-1}, int64 single = {1}, int64 none = {0},
 int64[4] last = {2, 3, 4, 5}, int64[6] sizes = {1, 1, 1, 2, 1, 1}, int64[4] parts = {2, 3, 4, 5},
 int64 tag = {TAG}, int64 size = {SIZE}, float end = {3.0}>
{
  fed = Cast <to = 1> (tokens)
  turned = Transpose <perm = [1, 0]> (fed)
  narrow = Unsqueeze (turned, last)
  new = Expand (narrow, sizes)
  past_shape = Shape (past)
  position_row = Slice (past_shape, zero, one)
  memory_shape = Shape (memory)
  two = Add (one, one)
  count_row = Slice (memory_shape, one, two)
  final = Sub (count_row, one)
  place = Min (position_row, final)
  there = Gather <axis = 1> (memory, place)
  said = ReduceMean <keepdims = 0> (there, parts)
  is_tag = Equal (tokens, tag)
  shift = Cast <to = 1> (is_tag)
  shown = Add (said, shift)
  is_over = GreaterOrEqual (position_row, lengths)
  over = Unsqueeze (is_over, one)
  wanted = Where (over, end, shown)
  target = Unsqueeze (wanted, two)
  ids = Range (none, size, single)
  classes = Cast <to = 1> (ids)
  distance = Sub (classes, target)
  away = Abs (distance)
  logits = Mul (away, sureness)
}
"""
WEIGHTS = {
    "sureness": np.array([-4.0], np.float32),
    "sureness.spread": np.array([0.5], np.float32),
}


def write_tiny_translator(
    folder: Path,
    *,
    source: str = "glosses",
    weights: Any = None,
    words: Any = WORDS,
    **changes: Any,
) -> Package:
    """Write the package.

    Args:
        folder: Where it goes.
        source: `glosses`, or `features` of width 3, or `poses` of two fingerspelled languages.
        weights: In place of `WEIGHTS`.
        words: In place of `WORDS`.
        changes: Entries of its config to replace.
    """
    spelled, glosses = source == "poses", source == "glosses"
    width, column = (150, 3 * RIGHT_WRIST) if spelled else (3, 1)
    tokens = LETTERS if spelled else words
    frames = {"WIDTH": width, "COLUMN": column, "NEXT": column + 1, "STRIDE": STRIDE}
    frames["FIRST"] = FIRST_LETTER if spelled else WORDS.index("regen")
    step = {"SIZE": len(tokens), "TAG": LETTERS.index("<gsg>") if spelled else -1}
    settings = TranslateSettings(
        name=folder.name,
        kind="fingerspelling" if spelled else "signing",
        language="mul" if spelled else "gsg",
        languages=("ase", "gsg") if spelled else ("gsg",),
        spoken_language="en" if spelled else "de",
        unit="letters" if spelled else "words",
        source=source,  # type: ignore[arg-type]
        num_features=0 if glosses else width,
        max_source=5 if glosses else MAX_SOURCE,
        max_tokens=11,
        stride=1 if glosses else STRIDE,
        bayesian=True,
        num_layers=1,
        num_heads=1,
        head_dim=1,
    )
    read = READ_GLOSSES if glosses else _filled(READ_FRAMES, frames)
    return write_package(
        folder,
        graphs={"encoder": serialise(read), "step": serialise(_filled(STEP, step))},
        config=settings.to_dict() | changes,
        vocabulary={"tokens": list(tokens)} | ({"source": list(GLOSSES)} if glosses else {}),
        card="# Tiny\n\nFor tests only.\n",
        weights=write_weights(weights or WEIGHTS),
    )


def spelled(*utterances: str, rest: int = 7, fps: float = 25.0) -> Pose:
    """Give a pose that the package of poses reads as these letters, `a` to `d`.

    Args:
        utterances: What is spelled between two rests, 8 frames a letter; a space is a pause, for
            which the hand relaxes while the forearm stays up.
        rest: Frames of each rest.
        fps: Frames per second that the pose claims to have.
    """
    still = rest_pose()
    frames = [np.repeat(still[None], rest, axis=0)]
    for utterance in utterances:
        frames += [np.repeat(_letter(still, one)[None], STRIDE, axis=0) for one in utterance]
        frames.append(frames[0])
    return Pose.of(np.concatenate(frames), fps=fps)


def _letter(still: np.ndarray, letter: str) -> np.ndarray:
    frame = still.copy()
    hand = (still[RIGHT_HAND] - still[RIGHT_WRIST]) * (1, -1, 1)
    frame[RIGHT_WRIST] = frame[RIGHT_ELBOW] + (0, -0.6, 0)
    if letter != " ":
        hand[1:] *= 0.4 + 0.1 * np.arange(20)[:, None] % 0.3
        frame[RIGHT_WRIST, 0] = LETTERS.index(letter) - FIRST_LETTER
    frame[RIGHT_HAND] = hand + frame[RIGHT_WRIST]
    return frame


def _filled(text: str, values: dict[str, int]) -> str:
    for name, value in values.items():
        text = text.replace(name, str(value))
    return text
