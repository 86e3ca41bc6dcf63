"""What a training step of each baseline learns from."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.systems.produce.config import ProduceConfig
from signloom.systems.produce.model import with_progress
from signloom.systems.produce.task import ProduceTask, ProduceTaskConfig

pytestmark = pytest.mark.compiled

COUNTER = {"levels": (1, 1), "counter": True, "source_relative": False}


@pytest.fixture(scope="module")
def corpus() -> Fingerspelling:
    return Fingerspelling()


def make(corpus: Fingerspelling, model: dict[str, Any] | None = None, **task: Any) -> ProduceTask:
    torch.manual_seed(0)
    sizes = {"dim": 16, "ffn_dim": 12, "num_heads": 2, "encoder_layers": 1, "levels": (8, 6)}
    # A span of 0 saves measuring velocities.
    config = ProduceConfig(**(sizes | {"velocity_span": 0} | (model or {})))
    config.check()
    toy = ProduceTaskConfig(texts=("hi", "bee"), **task)
    return ProduceTask(config, toy, corpus=corpus, seed=0).eval()


def test_optional_losses_are_off_by_default(corpus: Fingerspelling) -> None:
    task = make(corpus)
    losses = task.training_step(task.batch(0, "train"))
    assert set(losses) == {"loss", "each", "pose", "length"}


def test_the_loss_is_the_weighted_sum_of_its_parts(corpus: Fingerspelling) -> None:
    task = make(corpus, velocity_weight=3.0, edge_weight=5.0, bone_weight=7.0)
    losses = task.validation_step(task.batch(0, "dev"))
    parts = {"pose": 1.0, "length": 0.1, "velocity": 3.0, "edge": 5.0, "bone": 7.0}
    assert all(losses[name] > 0 for name in parts)
    total = sum(weight * losses[name] for name, weight in parts.items())
    torch.testing.assert_close(losses["loss"], total)
    torch.testing.assert_close(losses["each"].mean(), losses["loss"])


@pytest.mark.parametrize("rich", [False, True])
def test_a_model_that_counts_learns_frames_and_progress(corpus: Fingerspelling, rich: bool) -> None:
    task = make(
        corpus, COUNTER | {"rich_semantics": rich, "velocity_span": int(rich)}, counter_weight=3.0
    )
    batch = task.batch(0, "dev")
    losses = task.validation_step(batch)
    predicted, _ = task.model(
        batch.tokens, with_progress(batch.frames, batch.lengths), batch.lengths
    )
    inside = torch.arange(predicted.shape[1]) < batch.lengths[:, None]
    error = (predicted - with_progress(batch.frames, batch.lengths)) ** 2 * task.weights
    naive = error.sum(-1) / task.weights.sum()
    expected = torch.stack([row[keep].mean() for row, keep in zip(naive, inside, strict=True)])
    torch.testing.assert_close(losses["pose"], expected.mean())
    assert task.weights.shape == (151,)
    assert task.weights[-1] == 3
    assert "length_error" not in losses


def test_noise_grows_with_the_errors_of_training_and_not_of_validation(
    corpus: Fingerspelling,
) -> None:
    task = make(corpus, COUNTER, gaussian_noise=5.0, smooth_noise=0.0, white_noise=0.0)
    batch = task.batch(0, "train")
    task.validation_step(batch)
    assert task.noise is not None
    assert (task.noise.std == 0).all()
    task.training_step(batch)
    assert (task.noise.std > 0).all()


def test_a_task_without_gaussian_noise_has_nothing_more_to_store(corpus: Fingerspelling) -> None:
    assert not [name for name in make(corpus).state_dict() if name.startswith("noise")]


@pytest.mark.parametrize(
    "model",
    [COUNTER, {"levels": (4, 2), "schedule": "injected"}, {"levels": (3, 2)}],
)
def test_a_picture_is_drawn_of_what_is_decoded(corpus: Fingerspelling, model: Any) -> None:
    task = make(corpus, model | {"max_frames": 60})
    assert task.picture(task.batch(0, "dev")).width > 100
