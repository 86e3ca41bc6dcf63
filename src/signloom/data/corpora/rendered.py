"""Synthetic pictures for utterances that have poses alone: the signer drawn as on film.

They stand in for a camera where no film may be had. A recogniser that is trained or measured on
them has seen a drawn figure, never a person; cards and reports must say so: `SYNTHETIC_PICTURES`.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from signloom.data.example import Example
from signloom.data.picture_cache import PictureCache
from signloom.poses.render.filmed import render_pictures

SYNTHETIC_PICTURES = "synthetic pictures: a figure drawn from the poses, never filmed"
"""What cards and reports call them."""

_CACHE = PictureCache()


def with_rendered_pictures(example: Example, size: int, *, cache: PictureCache = _CACHE) -> Example:
    """Give an utterance synthetic pictures, drawn when they are first asked for.

    Args:
        example: An utterance with poses.
        size: Width and height in pixels, 16 to 512.
        cache: Remembers them; by default one of 2 GiB that all utterances share.

    Returns:
        The utterance; its `pictures` raises what `render_pictures` does.
    """
    draw = partial(_remembered, cache, example.frames, example.confidence, size)
    return replace(example, pictures=draw)


def _remembered(
    cache: PictureCache,
    frames: NDArray[np.float32],
    confidence: NDArray[np.float32] | None,
    size: int,
) -> NDArray[np.uint8]:
    # By what is drawn, not by name: utterances that are built on the fly share their names.
    digest = hashlib.blake2b(frames.tobytes(), digest_size=16, salt=size.to_bytes(8, "big"))
    digest.update(b"" if confidence is None else confidence.tobytes())
    return cache.get(
        digest.digest(), partial(render_pictures, frames, size=size, confidence=confidence)
    )
