import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from signloom.data.pair import Pair
from signloom.errors import ConfigError, PackageError
from signloom.evaluation.judge import RecognizerJudge, open_judge
from signloom.evaluation.translators import TranslatorRow
from signloom.poses.normalize import to_features
from signloom.tokens.alphabet import Alphabet
from signloom.tokens.spelling import spell
from tests.evaluation.tiny_judge import write_down
from tests.tiny_package import write_tiny_package
from tests.tiny_translator import spelled, write_tiny_translator


def test_poses_are_read_in_the_order_they_were_given(judge: RecognizerJudge) -> None:
    alphabet = Alphabet.load("ase")
    texts = ["hello", "a", "new york", *(chr(97 + index) * 1 + "b" for index in range(1, 20))]
    tokens = [spell(text, alphabet) for text in texts]
    assert judge.read([write_down(one) for one in tokens]) == tokens


def test_nothing_signed_reads_as_nothing(judge: RecognizerJudge) -> None:
    assert judge.read([np.zeros((5, 50, 3), np.float32)]) == [()]
    assert judge.read([]) == []


def test_the_signature_carries_name_and_checksum(judge: RecognizerJudge) -> None:
    content = judge.package.graph("recognizer") + json.dumps(judge.package.vocabulary).encode()
    assert judge.signature == f"ctc:tiny+sha:{hashlib.sha256(content).hexdigest()[:8]}"


def test_a_production_model_is_no_judge(tmp_path: Path) -> None:
    package = write_tiny_package(tmp_path / "model")
    with pytest.raises(PackageError, match="must be a package of the system `reco"):
        RecognizerJudge(package)


def test_a_translator_of_poses_is_a_judge(tmp_path: Path) -> None:
    package = write_tiny_translator(tmp_path / "reader", source="poses")
    judge = open_judge(package.path, language="gsg")
    poses = [spelled("abd").frames, spelled("cc").frames]
    row = TranslatorRow(packages=(package,))
    pairs = [Pair("p", to_features(one), (), "", start="<gsg>") for one in poses]
    assert judge.read(poses) == list(row.translate(pairs).tokens)
    assert len(set(judge.read(poses))) == 2
    assert judge.read([]) == []
    assert package.id[:8] in judge.signature


def test_a_judge_must_read_poses_and_the_language(tmp_path: Path) -> None:
    reader = write_tiny_translator(tmp_path / "reader", source="poses")
    with pytest.raises(ConfigError, match="must read the language `xyz`, but reader reads ase, g"):
        open_judge(reader.path, language="xyz")
    glosses = write_tiny_translator(tmp_path / "glosses")
    with pytest.raises(PackageError, match="must read poses, but glosses reads glosses"):
        open_judge(glosses.path, language="gsg")
