from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.errors import PackageError
from signloom.evaluation.judge import RecognizerJudge
from signloom.export.judge import check_parity, export_judge, recognizer_graph
from signloom.systems.judge.config import JudgeConfig
from signloom.systems.judge.model import JudgeModel
from signloom.systems.judge.task import JudgeTask, JudgeTaskConfig

pytestmark = pytest.mark.compiled
CONFIG = JudgeConfig(dim=11, num_blocks=2, kernel=3)


def new_model(seed: int) -> JudgeModel:
    torch.manual_seed(seed)
    return JudgeModel(CONFIG, 5, mean=torch.randn(150), std=torch.ones(150)).eval()


@pytest.fixture(scope="module")
def graph() -> bytes:
    return recognizer_graph(new_model(0))


def test_a_task_becomes_a_judge(tmp_path: Path) -> None:
    task = JudgeTask(CONFIG, JudgeTaskConfig(), corpus=Fingerspelling("ase"), seed=0)
    package = export_judge(task, tmp_path / "new", name="recognize-x-v0", card="# X\n")
    assert (package.name, package.system) == ("recognize-x-v0", "recognize")
    assert package.vocabulary == task.corpus.vocabulary.tokens
    assert package.config["reach_frames"] == CONFIG.reach
    poses = [np.zeros((frames, 50, 3), np.float32) for frames in (5, 1, 40)]
    assert len(RecognizerJudge(package).read(poses)) == 3


def test_the_graph_gives_what_the_model_gives(graph: bytes) -> None:
    session = onnxruntime.InferenceSession(graph)
    poses, lengths = torch.randn(3, 31, 150), torch.tensor([31, 1, 20])
    log_probs, steps = session.run(None, {"poses": poses.numpy(), "lengths": lengths.numpy()})
    expected, expected_steps = new_model(0)(poses, lengths)
    np.testing.assert_array_equal(steps, expected_steps.numpy())
    np.testing.assert_allclose(log_probs, expected.detach().numpy(), atol=1e-5, rtol=1e-5)


def test_padding_changes_nothing_in_the_graph(graph: bytes) -> None:
    session = onnxruntime.InferenceSession(graph)
    poses = np.random.default_rng(0).normal(size=(1, 13, 150)).astype(np.float32)
    padded = np.concatenate([poses, 100 * np.ones_like(poses)], axis=1)
    lengths = np.array([13])
    alone, steps = session.run(None, {"poses": poses, "lengths": lengths})
    among, _ = session.run(None, {"poses": padded, "lengths": lengths})
    np.testing.assert_allclose(among[:, : steps[0]], alone, atol=1e-5)


def test_another_models_graph_is_refused(graph: bytes) -> None:
    assert check_parity(new_model(0), graph) < 1e-5
    with pytest.raises(PackageError, match="must equal the model"):
        check_parity(new_model(1), graph)
