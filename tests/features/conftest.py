"""Files and numbers of features as others write them."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from signloom.features.sound import read_sound

Write = Callable[..., Path]
UTTERANCES = ("S0150W0001", "S0150W0200", "S0252W0200", "S0252W0400")


class KaldiOutput(NamedTuple):
    """A recording at 16 kHz and what Kaldi's own programs make of it."""

    samples: NDArray[np.float32]
    fbank: NDArray[np.float32]
    raw_pitch: NDArray[np.float32]
    pitch: NDArray[np.float32]


@pytest.fixture(scope="session", params=UTTERANCES)
def of_kaldi(request: pytest.FixtureRequest, data_dir: Path) -> KaldiOutput:
    """What Kaldi computed for a real utterance of AISHELL-1."""
    name = f"BAC009{request.param}"
    speech = data_dir / "speech"
    sound = read_sound(speech / f"aishell_sample/flac/{name}.flac", rate=16000)
    with np.load(speech / "golden_kaldi/golden.npz") as arrays:
        found = (arrays[f"{name}.{kind}"] for kind in ("fbank", "pitch2", "pitch3"))
        return KaldiOutput(sound.samples, *found)


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
