"""What a step of a translator learns from, and that it learns."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from signloom.core.bayesian import bayesian_layers, weight_divergence
from signloom.core.lwta import competitions, last_divergence
from signloom.data.corpora.pair_corpus import PairCorpus
from signloom.data.corpora.parallel_text import ParallelText
from signloom.decoders.token_adapter import TorchTokenStepper, sampled_stepper
from signloom.errors import ConfigError
from signloom.losses.tokens import token_loss
from signloom.systems.translate.task import SECTIONS, TranslateTask, build
from signloom.training.module import MeasuredTask
from tests.small_translator import Letters, tiny_task, toy_corpus, write_text

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> ParallelText:
    return toy_corpus(tmp_path_factory.mktemp("text"))


def learn(task: TranslateTask, steps: int, *, lr: float) -> None:
    optimizer = torch.optim.Adam(task.parameters(), lr=lr)
    for step in range(steps):
        torch.manual_seed(step)
        optimizer.zero_grad()
        task.train().training_step(task.batch(step, "train"), step)["loss"].backward()
        optimizer.step()
    task.eval()


def test_a_batch_follows_from_seed_and_step_alone(text: ParallelText) -> None:
    task = tiny_task(text)
    assert isinstance(task, MeasuredTask)
    first, again = task.batch(7, "train"), tiny_task(text).batch(7, "train")
    assert first.names == again.names
    assert torch.equal(first.source, again.source)
    assert len({task.batch(step, "train").names for step in range(5)}) > 1


def test_weights_and_blocks_are_counted(text: ParallelText) -> None:
    task = tiny_task(text, {"decoder_layers": 2})
    layers = bayesian_layers(task.model).values()
    assert task.num_weights == sum(layer.raw_spread.numel() for layer in layers)
    by_hand = 12 * 36 + 12 * 12 + 2 * 12 * 20  # projections and feed-forward of an encoder layer
    by_hand += 2 * (2 * (12 * 36 + 12 * 12) + 2 * 12 * 20) + 12 * len(text.vocabulary)
    assert task.num_weights == by_hand
    assert task.num_blocks == (20 + 2 * 20) // 4
    features = tiny_task(Letters(), {"block": 2})
    assert features.num_blocks == (12 + 20 + 20) // 2
    plain = tiny_task(text, {"units": "relu", "weights": "point"})
    assert (plain.num_weights, plain.num_blocks) == (1, 1)


@pytest.mark.parametrize("step", [0, 30, 100, 1000])
def test_the_loss_is_the_bound_with_each_term_at_its_scale(text: ParallelText, step: int) -> None:
    task = tiny_task(text, weight_divergence=3.0, winner_divergence=0.5, annealing=100)
    batch = task.batch(0, "train")
    torch.manual_seed(1)
    losses = task.train().training_step(batch, step)
    assert set(losses) == {"loss", "each", "ce", "kl_weights", "kl_winners"}
    share = min(1.0, step / 100)
    expected = losses["ce"] + share * (
        3.0 * losses["kl_weights"] / task.num_weights + 0.5 * losses["kl_winners"] / task.num_blocks
    )
    torch.testing.assert_close(losses["loss"], expected)
    torch.testing.assert_close(losses["kl_weights"], weight_divergence(task.model))


def test_without_annealing_both_divergences_count_from_the_first_step(text: ParallelText) -> None:
    task = tiny_task(text, annealing=0)
    losses = task.train().training_step(task.batch(0, "train"), 0)
    assert losses["loss"] > losses["ce"] + 0.5 * losses["kl_weights"] / task.num_weights


def test_the_cross_entropy_is_a_token_s_mean_and_smoothed_in_training_alone(
    text: ParallelText,
) -> None:
    task = tiny_task(text, {"units": "relu", "weights": "point"}, smoothing=0.3)
    batch = task.batch(0, "train")
    logits, _, _ = task.model(batch.source, batch.lengths, batch.fed)
    counts = (batch.targets != 0).sum(1)
    for smoothing, losses in (
        (0.3, task.training_step(batch, 0)),
        (0.0, task.validation_step(batch)),
    ):
        rows = token_loss(logits, batch.targets, smoothing=smoothing)
        torch.testing.assert_close(losses["ce"], rows.sum() / counts.sum())
        torch.testing.assert_close(losses["each"], rows / counts)
    assert losses["loss"] == losses["ce"]


def test_winners_diverge_at_the_real_positions_of_both_sides(text: ParallelText) -> None:
    task = tiny_task(text)
    batch = task.batch(0, "train")
    torch.manual_seed(1)
    losses = task.train().training_step(batch, 0)
    total = 0.0
    places = torch.arange(batch.source.shape[1]) < batch.lengths[:, None]
    for side, real in ((task.model.encoder, places), (task.model.decoder, batch.targets != 0)):
        assert not real.all()
        total += float(last_divergence(side)[real].mean())
    assert float(losses["kl_winners"]) == pytest.approx(total, rel=1e-5)


def test_conventional_transformers_have_nothing_to_diverge(text: ParallelText) -> None:
    task = tiny_task(text, {"units": "relu", "weights": "point"}, annealing=0)
    losses = task.train().training_step(task.batch(0, "train"), 5)
    assert losses["kl_weights"] == losses["kl_winners"] == 0
    assert losses["loss"] == losses["ce"]
    assert competitions(task.model) == []


def test_validation_takes_means_and_likeliest_winners(text: ParallelText) -> None:
    task = tiny_task(text).eval()
    batch = task.batch(0, "dev")
    assert torch.equal(task.validation_step(batch)["loss"], task.validation_step(batch)["loss"])


def test_it_learns_a_parallel_text_within_seconds(text: ParallelText) -> None:
    task = tiny_task(
        text, {"dim": 24, "ffn_dim": 32, "initial_spread": 0.01}, batch_size=7, smoothing=0.0
    )
    before = task.eval().measure()
    learn(task, 120, lr=1e-2)
    assert set(before) == {"bleu"}
    assert before["bleu"] < 20
    assert task.measure()["bleu"] > 95
    pairs = text.pairs("test")
    for stepper in (TorchTokenStepper(task.model), sampled_stepper(task.model, samples=2)):
        found = task.translate(stepper, pairs, beam=3)
        right = [
            text.vocabulary.decode(best[0].ids) == pair.tokens
            for best, pair in zip(found, pairs, strict=True)
        ]
        assert sum(right) >= 6


def test_letters_are_read_with_the_help_of_a_head_for_glosses() -> None:
    corpus = Letters()
    assert isinstance(corpus, PairCorpus)
    task = tiny_task(
        corpus,
        {"dim": 24, "ffn_dim": 32, "stack": 3, "stride": 2, "initial_spread": 0.01},
        gloss_weight=0.5,
        smoothing=0.0,
        annealing=10_000,
    )
    losses = task.train().training_step(task.batch(0, "train"), 0)
    torch.testing.assert_close(losses["loss"], losses["ce"] + 0.5 * losses["ctc"])
    learn(task, 60, lr=1e-2)
    assert task.measure()["letter_error"] < 0.05
    assert set(task.measure()) == {"letter_error"}
    assert task.validation_step(task.batch(0, "dev"))["ctc"] < 0.5 * losses["ctc"]


def test_the_tag_of_the_language_begins_each_translation_and_is_never_written() -> None:
    corpus = Letters()
    task = tiny_task(corpus).eval()
    with torch.no_grad():
        task.model.decoder.output.bias[4:6] += 100
    for best in task.translate(TorchTokenStepper(task.model), corpus.pairs("dev")):
        assert not {0, 1, 2, 4, 5} & set(best[0].ids)


def test_a_batch_of_which_nothing_is_to_be_read_has_a_loss() -> None:
    corpus = Letters()
    task = tiny_task(corpus, gloss_weight=1.0)
    still = [
        type(pair)(pair.name, pair.source, (), "", start=pair.start)
        for pair in corpus.pairs("train")
    ]
    losses = task.train().training_step(task.collate(still), 0)
    assert torch.isfinite(losses["loss"])
    losses["loss"].backward()


def test_a_recipe_builds_it(tmp_path: Path) -> None:
    source, target = write_text(tmp_path)
    sections = {name: kind() for name, kind in SECTIONS.items()}
    corpus = SECTIONS["corpus"](source=source, target=target, languages=("gsg",))
    sections |= {"corpus": corpus, "model": SECTIONS["model"](dim=16, ffn_dim=16)}
    task = build(sections, seed=5)
    assert task.seed == 5
    assert task.model.decoder.num_tokens == len(task.corpus.vocabulary)


def test_glosses_that_nobody_knows_cannot_be_recognised(text: ParallelText) -> None:
    with pytest.raises(ConfigError, match=r"`task\.gloss_weight` must be 0"):
        tiny_task(text, gloss_weight=1.0)
