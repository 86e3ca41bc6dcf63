"""Captions of COCO that pycocoevalcap has measured, with the tokens it took them for."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, NamedTuple


class Golden(NamedTuple):
    """Captions by ascending number of their picture.

    Attributes:
        names: Numbers of the pictures.
        found: A model's caption of each, in tokens.
        wanted: What people say of each, in tokens.
        values: What pycocoevalcap says.
    """

    names: list[str]
    found: list[list[str]]
    wanted: list[list[list[str]]]
    values: dict[str, Any]


def read_golden(data_dir: Path) -> Golden:
    """Read them; tokens are parted by one space and may hold others."""
    folder = data_dir / "caption/golden_metrics"
    tokens = json.loads(gzip.decompress((folder / "val2017_ptb_tokens.json.gz").read_bytes()))
    names = sorted(tokens["cand"], key=int)
    found = [tokens["cand"][name][0].split(" ") for name in names]
    wanted = [[one.split(" ") for one in tokens["refs"][name]] for name in names]
    return Golden(names, found, wanted, json.loads((folder / "golden.json").read_text()))
