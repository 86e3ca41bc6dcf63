from __future__ import annotations

import pytest

from signloom.data.corpora.fingerspelling import Fingerspelling


@pytest.fixture(scope="session")
def corpus() -> Fingerspelling:
    return Fingerspelling("ase")
