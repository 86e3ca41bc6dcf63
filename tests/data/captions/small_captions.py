"""Small pictures, each of another noise, for lists of captions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image


def write_picture(path: Path) -> Path:
    """Write noise that the name of the file decides, in the format of its suffix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(list(path.name.encode()))
    Image.fromarray(rng.integers(0, 256, (19, 23, 3), dtype=np.uint8)).save(path)
    return path
