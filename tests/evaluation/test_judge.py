import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from signloom.errors import PackageError
from signloom.evaluation.judge import Judge
from signloom.tokens.alphabet import Alphabet
from signloom.tokens.spelling import spell
from tests.evaluation.tiny_judge import write_down
from tests.tiny_package import write_tiny_package


def test_poses_are_read_in_the_order_they_were_given(judge: Judge) -> None:
    alphabet = Alphabet.load("ase")
    texts = ["hello", "a", "new york", *(chr(97 + index) * 1 + "b" for index in range(1, 20))]
    spelled = [spell(text, alphabet) for text in texts]
    assert judge.read([write_down(tokens) for tokens in spelled]) == spelled


def test_nothing_signed_reads_as_nothing(judge: Judge) -> None:
    assert judge.read([np.zeros((5, 50, 3), np.float32)]) == [()]
    assert judge.read([]) == []


def test_the_signature_carries_name_and_checksum(judge: Judge) -> None:
    content = judge.package.graph("recognizer") + json.dumps(judge.package.vocabulary).encode()
    assert judge.signature == f"ctc:tiny+sha:{hashlib.sha256(content).hexdigest()[:8]}"


def test_a_production_model_is_no_judge(tmp_path: Path) -> None:
    package = write_tiny_package(tmp_path / "model")
    with pytest.raises(PackageError, match="must be a package of the system `recognize`"):
        Judge(package)
