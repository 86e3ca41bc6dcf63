"""Real training runs of the toy recipe: they over-fit, go on after a kill, and stop at NaN."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from signloom.decoders.adapter import TorchStepper
from signloom.errors import ConfigError, FormatError
from signloom.poses.normalize import to_features
from signloom.search.blocks import decode
from signloom.systems.produce.task import ProduceTask
from signloom.training.callbacks import CURVE, LAST, read_curve
from signloom.training.checkpoint import read_checkpoint
from signloom.training.module import NonFiniteLossError, TrainingConfig, learning_rate
from signloom.training.recipe import load_recipe
from signloom.training.restore import Trained, restore
from signloom.training.run import run, summary

pytestmark = pytest.mark.compiled

SHORT = ["training.steps=12", "training.interval=4", "task.smooth_noise=0.3", "model.dropout=0.1"]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toy")
    run(load_recipe("produce/toy"), folder, progress=False)
    return folder


@pytest.fixture(scope="module")
def trained(toy: Path) -> Trained:
    return restore(toy / LAST)


def test_the_toy_is_spelled_at_its_own_length(trained: Trained) -> None:
    batch = trained.task.batch(0, "dev")
    tokens = batch.tokens.numpy()
    decoded = decode(TorchStepper(trained.task.model), tokens, batch.lengths.numpy())
    for row, true, length in zip(decoded, batch.frames.numpy(), batch.lengths, strict=True):
        error = np.sqrt(((row - true)[:length] ** 2).mean())
        mean_pose = np.sqrt((true[:length] ** 2).mean())
        assert error < 0.2 * mean_pose
    with torch.no_grad():
        losses = trained.task.validation_step(batch)
    assert losses["length_error"] < 0.05


def test_a_run_leaves_a_recipe_a_curve_pictures_and_events(toy: Path) -> None:
    assert (toy / "recipe.yaml").is_file()
    steps = [row["step"] for row in read_curve(toy / CURVE) if "train/loss" in row]
    assert steps == list(range(load_recipe("produce/toy").training.steps))
    assert len(list((toy / "pictures").glob("*.png"))) == 3
    assert list((toy / "tensorboard").glob("events*"))
    assert summary(toy)["step"] == steps[-1]


def test_statistics_travel_with_the_weights(trained: Trained) -> None:
    corpus = trained.task.corpus
    frames = corpus.build("hi", np.random.default_rng(0), pace=9.0).frames
    np.testing.assert_array_equal(
        trained.task.standardiser.apply(to_features(frames)),
        corpus.standardiser.apply(to_features(frames)),
    )


def started(folder: Path, overrides: list[str]) -> subprocess.Popen[str]:
    """Start a run as another process, and wait for its first checkpoint."""
    command = [sys.executable, "-m", "signloom.cli.app", "train", "produce/toy"]
    command += [f"--out={folder}", *(f"--set={override}" for override in overrides)]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        # What runs the tests in the background may have told its children to ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not (folder / LAST).exists():
        assert process.poll() is None, "the run ended before its first checkpoint"
        time.sleep(0.01)
    return process


def test_a_run_keeps_others_from_its_folder_until_it_is_interrupted(tmp_path: Path) -> None:
    long = [*SHORT, "training.steps=100000"]
    process = started(tmp_path, long)
    try:
        with pytest.raises(FormatError, match="another one is writing it"):
            run(load_recipe("produce/toy", long), tmp_path, resume=True, progress=False)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 130, said
    assert "interrupted" in said
    assert "Traceback" not in said


def test_a_killed_run_goes_on_along_the_same_curve(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    recipe = load_recipe("produce/toy", SHORT)
    run(recipe, whole, progress=False)
    process = started(killed, SHORT)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = read_checkpoint(killed / LAST)["signloom"]["step"]
    run(recipe, killed, resume=True, progress=False)
    assert 0 < done <= 12
    assert read_curve(killed / CURVE) == read_curve(whole / CURVE)
    ours, theirs = (read_checkpoint(folder / LAST)["state_dict"] for folder in (killed, whole))
    for name, value in theirs.items():
        torch.testing.assert_close(ours[name], value, rtol=0, atol=0)


def test_a_folder_with_a_run_is_not_overwritten(toy: Path) -> None:
    with pytest.raises(ConfigError, match="--resume"):
        run(load_recipe("produce/toy"), toy, progress=False)
    with pytest.raises(ConfigError, match="another recipe"):
        run(load_recipe("produce/toy", ["model.dim=32"]), toy, resume=True, progress=False)


def test_a_loss_that_is_not_finite_stops_and_names_the_sample(tmp_path: Path) -> None:
    recipe = load_recipe("produce/toy", ["training.lr_max=1.0e+30", "training.lr_min=1.0e+30"])
    with pytest.raises(NonFiniteLossError, match=r"in the samples .*(hi|bee)"):
        run(recipe, tmp_path, progress=False)


def test_a_checkpoint_that_runs_code_is_refused(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path(tmp_path / "ran").write_text, ("x",)

    torch.save({"signloom": Evil()}, tmp_path / "evil.ckpt")
    with pytest.raises(FormatError, match=r"evil\.ckpt"):
        read_checkpoint(tmp_path / "evil.ckpt")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("content", [b"", b"no checkpoint"])
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.ckpt").write_bytes(content)
    with pytest.raises(FormatError, match=r"bad\.ckpt"):
        restore(tmp_path / "bad.ckpt")
    with pytest.raises(FormatError, match="nothing is there"):
        restore(tmp_path / "missing.ckpt")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"signloom": 3}, "`signloom`"),
        ({"signloom": {"name": "x", "recipe": [], "step": 1}}, "`recipe` in `signloom`"),
        ({"signloom": {"name": "x", "recipe": {}, "step": True}}, "`step` in `signloom`"),
        ({"signloom": {"name": "x", "recipe": {}, "step": 1}}, "must name its `system:`"),
        ({"state_dict": {"task.x": 3}}, "must hold tensors"),
        ({"state_dict": {}}, "must fit its recipe and its data"),
        ({"loops": None}, "`loops`"),
    ],
)
def test_a_checkpoint_of_wrong_kinds_is_refused(
    toy: Path, tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    torch.save(read_checkpoint(toy / LAST) | changes, tmp_path / "bad.ckpt")
    with pytest.raises(FormatError, match=r"bad\.ckpt") as caught:
        restore(tmp_path / "bad.ckpt")
    assert message in str(caught.value)


def test_a_recipe_that_cannot_be_trained_leaves_nothing_behind(tmp_path: Path) -> None:
    recipe = load_recipe("produce/fingerspelling_ase", ["task.batch_size=10000"])
    longest = load_recipe("produce/fingerspelling_ase", ["model.max_frames=299"])
    for each in (recipe, longest):
        with pytest.raises(ConfigError, match=r"task\.batch_size|model\.max_frames"):
            run(each, tmp_path / "run", progress=False)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_the_recipe_of_another_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "recipe.yaml").write_text("system: produce\n")
    with pytest.raises(ConfigError, match="another recipe"):
        run(load_recipe("produce/toy"), tmp_path, progress=False)


def test_the_rate_warms_up_and_follows_the_cosine() -> None:
    config = TrainingConfig(steps=110, warmup=10, lr_max=1.0, lr_min=0.1)
    assert learning_rate(4, config) == 0.5
    assert learning_rate(10, config) == 1.0
    assert learning_rate(60, config) == pytest.approx(0.55)
    assert learning_rate(110, config) == pytest.approx(0.1)


def test_the_same_step_gives_the_same_batch(trained: Trained) -> None:
    recipe = load_recipe("produce/fingerspelling_ase", ["task.batch_size=3"])
    sections, corpus = recipe.sections, trained.task.corpus
    first, second, other = (
        ProduceTask(sections["model"], sections["task"], corpus=corpus, seed=seed)
        for seed in (0, 0, 1)
    )
    first.batch(4, "train")
    ours, theirs = first.batch(5, "train"), second.batch(5, "train")
    assert ours.names == theirs.names
    assert torch.equal(ours.frames, theirs.frames)
    assert other.batch(5, "train").names != ours.names
