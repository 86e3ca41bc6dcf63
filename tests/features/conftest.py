"""Files of features as others write them."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Write = Callable[..., Path]


@pytest.fixture
def write_pickle(tmp_path: Path) -> Write:
    """Pickle anything into a file, packed by gzip unless told otherwise."""

    def write(content: Any, *, protocol: int = 4, packed: bool = True, name: str = "x.dev") -> Path:
        data = content if isinstance(content, bytes) else pickle.dumps(content, protocol)
        path = tmp_path / name
        path.write_bytes(gzip.compress(data, 1) if packed else data)
        return path

    return write


@pytest.fixture
def entry() -> Callable[..., dict[str, Any]]:
    """Make one dictionary of such a file."""

    def make(sign: Any = None, **more: Any) -> dict[str, Any]:
        rows = np.arange(15, dtype=np.float32).reshape(5, 3) if sign is None else sign
        texts = {"name": "dev/one", "signer": "Signer04", "gloss": "MORGEN REGEN"}
        return {**texts, "text": "morgen regnet es .", "sign": rows, **more}

    return make
