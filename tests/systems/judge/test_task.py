import numpy as np
import pytest
import torch

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.errors import FormatError
from signloom.systems.judge import task as task_module
from signloom.systems.judge.config import JudgeConfig
from signloom.systems.judge.task import JudgeTask, JudgeTaskConfig, build

CONFIG = JudgeConfig(dim=24, num_blocks=1, dropout=0.0)


@pytest.fixture(scope="module")
def corpus() -> Fingerspelling:
    return Fingerspelling("ase")


def new_task(corpus: Fingerspelling, *, batch_size: int = 3, still_share: float = 0.0) -> JudgeTask:
    torch.manual_seed(0)
    config = JudgeTaskConfig(batch_size=batch_size, pool=2, still_share=still_share)
    return JudgeTask(CONFIG, config, corpus=corpus, seed=5)


def test_a_batch_follows_from_seed_and_step_alone(corpus: Fingerspelling) -> None:
    task = new_task(corpus)
    first, again = task.batch(7, "train"), new_task(corpus).batch(7, "train")
    assert first.names == again.names
    torch.testing.assert_close(first.frames, again.frames, rtol=0, atol=0)
    assert task.batch(8, "train").names != first.names


def test_validation_reads_held_out_words_as_they_are_built(corpus: Fingerspelling) -> None:
    batch = new_task(corpus).batch(0, "dev")
    assert set(batch.names) <= set(corpus.words("dev"))
    still = batch.frames[:, :1, 24:27]
    torch.testing.assert_close(still, torch.zeros_like(still))


def test_the_loss_of_the_batch_is_that_of_its_letters(corpus: Fingerspelling) -> None:
    task = new_task(corpus)
    batch = task.batch(0, "dev")
    losses = task.validation_step(batch)
    letters = (batch.tokens != 0).sum(1)
    whole = (losses["each"] * letters).sum() / letters.sum()
    torch.testing.assert_close(losses["loss"], whole)
    assert losses["letter_error"] > 0


def test_what_is_held_still_is_to_be_read_as_nothing(corpus: Fingerspelling) -> None:
    task = new_task(corpus, batch_size=7, still_share=1.0)
    batches = (task.batch(step, "train") for step in range(5))
    batch = max(batches, key=lambda one: int(one.lengths.max()))
    nothing = (batch.tokens == 0).all(1)
    assert nothing.any()
    wander = [
        row[:length].diff(dim=0).abs().max().item()
        for row, length in zip(batch.frames, batch.lengths.tolist(), strict=True)
    ]
    assert max(move for move, still in zip(wander, nothing, strict=True) if still) < 0.1
    assert torch.isfinite(task.training_step(batch)["each"]).all()


def test_it_learns_to_read_a_batch_within_seconds(corpus: Fingerspelling) -> None:
    task = new_task(corpus)
    batch = task.batch(0, "dev")
    optimizer = torch.optim.Adam(task.parameters(), lr=1e-2)
    for _ in range(160):
        optimizer.zero_grad()
        task.training_step(batch)["loss"].backward()
        optimizer.step()
    assert task.eval().validation_step(batch)["letter_error"] == 0


def test_an_utterance_too_short_for_its_letters_is_named(corpus: Fingerspelling) -> None:
    batch = new_task(corpus).batch(0, "dev")
    short = batch._replace(lengths=torch.tensor([300, 3, 300]))
    with pytest.raises(FormatError, match=f"`{batch.names[1]}` must last at least"):
        task_module.refuse_too_short(short)


def test_a_recipe_builds_it() -> None:
    sections = {name: kind() for name, kind in task_module.SECTIONS.items()}
    task = build(sections, seed=3)
    assert task.corpus.alphabet.language == "ase"
    assert len(task.model.mean) == 150
    np.testing.assert_allclose(task.model.std.numpy(), task.corpus.standardiser.std)
