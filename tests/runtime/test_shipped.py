"""The packages that are shipped: whole, small, and exact."""

from __future__ import annotations

import numpy as np
import pytest

from signloom.runtime.package import load_package
from signloom.runtime.registry import DEFAULT_PRODUCE_MODEL, known_packages
from signloom.runtime.sessions import ProduceSession
from signloom.search.blocks import decode, forced_pass


def test_the_default_is_shipped_and_small() -> None:
    folder = known_packages()[DEFAULT_PRODUCE_MODEL]
    size = sum(file.stat().st_size for file in folder.iterdir())
    assert size <= 12_000_000


@pytest.mark.parametrize("length", [1, 7, 8, 100, 113, 116, 300])
def test_decoding_equals_the_teacher_forced_pass(length: int) -> None:
    session = ProduceSession(load_package(DEFAULT_PRODUCE_MODEL))
    tokens, lengths = np.arange(3, 13)[None], np.array([length])
    decoded = decode(session, tokens, lengths)
    forced = forced_pass(session, tokens, lengths, frames=decoded)
    np.testing.assert_allclose(decoded, forced, atol=1e-5)
