from __future__ import annotations

import pytest

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.evaluation.judge import RecognizerJudge
from tests.evaluation.tiny_judge import write_tiny_judge


@pytest.fixture(scope="session")
def corpus() -> Fingerspelling:
    return Fingerspelling("ase")


@pytest.fixture(scope="session")
def judge(tmp_path_factory: pytest.TempPathFactory) -> RecognizerJudge:
    return RecognizerJudge(write_tiny_judge(tmp_path_factory.mktemp("judge") / "tiny"))
