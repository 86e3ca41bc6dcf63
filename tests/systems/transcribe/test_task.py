"""What a step of a transcriber learns from, that it learns, and how it is then decoded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from signloom.data.speech.config import SpeechCorpusConfig
from signloom.data.speech.corpus import SpeechCorpus
from signloom.data.speech.statistics import measure
from signloom.data.speech.variation import VariationConfig
from signloom.features.acoustic import Acoustics
from signloom.losses.tokens import token_loss
from signloom.metrics.text import error_rate
from signloom.search.refine import RefineOptions
from signloom.systems.registry import system_module
from signloom.systems.transcribe.config import TranscribeConfig
from signloom.systems.transcribe.task import (
    TranscribeTask,
    TranscribeTaskConfig,
    replace_tokens,
)
from signloom.training.module import MeasuredTask
from tests.small_digits import write_digits
from tests.small_speech import Tones
from tests.systems.transcribe.small_model import small_config
from tests.tiny_transcriber import RATE

pytestmark = pytest.mark.compiled

STILL = VariationConfig(speeds=(1.0,), bands=0, stretches=0)
LEARNING = {"encoder": "conformer", "dim": 24, "ffn_dim": 32}


def new_task(
    model: dict[str, Any] | None = None, *, variation: VariationConfig = STILL, **task: Any
) -> TranscribeTask:
    torch.manual_seed(0)
    return TranscribeTask(
        small_config(**(model or {})),
        TranscribeTaskConfig(**({"batch_size": 5, "pool": 1} | task)),
        corpus=Tones(),
        acoustics=Acoustics(rate=RATE, num_mels=9, pitch=False),
        variation=variation,
        seed=3,
    )


def learn(task: TranscribeTask, steps: int) -> None:
    optimizer = torch.optim.Adam(task.parameters(), lr=0.01)
    for step in range(steps):
        torch.manual_seed(step)
        optimizer.zero_grad()
        task.train().training_step(task.batch(step, "train"), step)["loss"].backward()
        optimizer.step()
    task.eval()


@pytest.fixture(scope="module")
def task() -> TranscribeTask:
    return new_task()


@pytest.fixture(scope="module")
def learned() -> TranscribeTask:
    task = new_task(LEARNING, ctc_weight=0.5, input_noise=0.1)
    learn(task, 60)
    return task


@pytest.fixture(scope="module")
def baseline(learned: TranscribeTask) -> TranscribeTask:
    """A baseline that hears as `learned` does, but whose decoder has learned nothing."""
    task = new_task(LEARNING | {"decoder": "autoregressive"})
    hearing = {
        name: value for name, value in learned.state_dict().items() if ".decoder." not in name
    }
    missing, unexpected = task.load_state_dict(hearing, strict=False)
    assert not unexpected
    assert all(".decoder." in name for name in missing)
    return task


def test_a_batch_follows_from_seed_and_step_alone(task: TranscribeTask) -> None:
    assert isinstance(task, MeasuredTask)
    assert isinstance(task.corpus, SpeechCorpus)
    varied = new_task(variation=VariationConfig(gain_db=6.0, noise_share=0.5))
    first = varied.batch(7, "train")
    varied.batch(8, "train")
    again = varied.batch(7, "train")
    assert again.names == first.names
    for field in ("features", "lengths", "tokens", "counts"):
        assert torch.equal(getattr(again, field), getattr(first, field))
    assert {varied.batch(step, "train").names for step in (7, 8)} != {first.names}
    assert not torch.equal(task.batch(7, "train").features, first.features)
    assert torch.equal(task.batch(7, "dev").features, varied.batch(7, "dev").features)


def test_a_batch_holds_what_is_heard_of_each_and_what_is_said(task: TranscribeTask) -> None:
    batch = task.batch(0, "train")
    rows = task.corpus.draw(np.random.default_rng([3, 0, 0]), split="train", size=5, pool=1)
    assert batch.names == tuple(one.name for one in rows)
    for row, one in enumerate(rows):
        heard = task.listener.acoustics.compute(one.read())
        assert int(batch.lengths[row]) == len(heard)
        np.testing.assert_array_equal(batch.features[row, : len(heard)].numpy(), heard)
        ids = batch.tokens[row, : int(batch.counts[row])].tolist()
        assert task.corpus.vocabulary.decode(ids) == one.tokens


def test_the_loss_is_that_of_both_by_their_weight_and_smoothed_in_training_alone() -> None:
    task = new_task(ctc_weight=0.4, smoothing=0.2)
    batch = task.batch(0, "train")
    states, present = task.model.encode(batch.features, batch.lengths)
    logits = task.model.decode(states, present, batch.tokens, batch.counts)[0]
    for smoothing, losses in (
        (0.2, task.training_step(batch)),
        (0.0, task.validation_step(batch)),
    ):
        rows = token_loss(logits, batch.tokens, smoothing=smoothing)
        torch.testing.assert_close(losses["decoder"], rows.sum() / batch.counts.sum())
        torch.testing.assert_close(losses["loss"], 0.4 * losses["ctc"] + 0.6 * losses["decoder"])
        whole = (losses["each"] * batch.counts).sum() / batch.counts.sum()
        torch.testing.assert_close(whole, losses["loss"])


def test_decoders_of_both_sides_learn_alike() -> None:
    task = new_task({"decoder": "both"})
    losses = task.train().training_step(task.batch(0, "train"))
    losses["loss"].backward()
    for reader in task.model.decoder.decoders:
        assert reader.output.weight.grad.abs().max() > 0


def test_noise_replaces_about_its_share_by_words_and_never_padding() -> None:
    torch.manual_seed(0)
    tokens = torch.randint(4, 9, (40, 25))
    tokens[:, 20:] = 0
    found = replace_tokens(tokens, share=0.5, first=4, end=9)
    real = tokens != 0
    assert (found[~real] == 0).all()
    assert set(found[real].tolist()) == {4, 5, 6, 7, 8}
    # A fifth of the words that are drawn is the word that was there.
    assert (found != tokens)[real].float().mean() == pytest.approx(0.5 * 0.8, abs=0.05)
    assert torch.equal(replace_tokens(tokens, share=0.0, first=4, end=9), tokens)


def test_speech_that_became_too_fast_for_ctc_is_heard_as_it_was() -> None:
    task = new_task(variation=replace(STILL, speeds=(2.0,)))
    crowded = task.corpus.examples("train")[0]
    calm = replace(crowded, tokens=crowded.tokens[:1])
    rng = np.random.default_rng(0)
    assert len(task.listener.hear_varied(calm, rng)) < 0.6 * len(task.listener.hear(calm))
    np.testing.assert_array_equal(
        task.listener.hear_varied(crowded, rng), task.listener.hear(crowded)
    )


def test_it_learns_tones_within_seconds(learned: TranscribeTask) -> None:
    batch = learned.batch(0, "dev")
    fresh = new_task(LEARNING).eval().validation_step(batch)
    losses = learned.validation_step(batch)
    for name in ("loss", "ctc", "decoder"):
        assert losses[name] < 0.75 * fresh[name]
    measures = learned.measure()
    assert set(measures) == {"error", "ctc_error"}
    assert measures["ctc_error"] < 0.15


def test_a_batch_is_transcribed_as_each_utterance_alone(learned: TranscribeTask) -> None:
    utterances = learned.corpus.examples("test")
    options = RefineOptions(iterations=3, banned=learned.banned)
    together = learned.transcribe(utterances, options)
    for one, (first, mended) in zip(utterances, together, strict=True):
        [(alone, refined)] = learned.transcribe([one], options)
        assert (first, mended.ids) == (alone, refined.ids)
        assert mended.log_probs == pytest.approx(refined.log_probs, abs=1e-4)
    assert any(first for first, _ in together)
    assert not learned.training


def test_what_is_no_word_is_never_written() -> None:
    task = new_task()
    with torch.no_grad():
        task.model.ctc.bias[:4] += torch.tensor([-100, 100, 100, 100])
        task.model.decoder.decoders[0].output.bias[:4] += 100
    options = RefineOptions(iterations=1, banned=task.banned)
    found = task.transcribe(task.corpus.examples("dev"), options)
    assert any(mended.ids for _, mended in found)
    for first, mended in found:
        assert not {0, 1, 2, 3} & {*first, *mended.ids}
    assert task.training


@pytest.mark.parametrize("search", [{}, {"ctc_weight": 0.5}, {"ctc_weight": 0.5, "beam": 3}])
def test_the_baseline_writes_a_batch_as_each_utterance_alone(
    baseline: TranscribeTask, search: dict[str, Any]
) -> None:
    utterances = baseline.corpus.examples("test")[:4]
    together = baseline.translate(utterances, **search)
    # The longest says how many tokens a transcript has at most.
    longest = max(utterances, key=lambda one: len(one.tokens))
    assert together == [baseline.translate([one, longest], **search)[0] for one in utterances]
    assert any(together)


def test_ctc_helps_a_baseline_whose_decoder_knows_nothing(baseline: TranscribeTask) -> None:
    utterances = baseline.corpus.examples("dev")
    errors = [
        error_rate(
            (baseline.corpus.vocabulary.decode(ids), one.tokens)
            for ids, one in zip(found, utterances, strict=True)
        )
        for found in (
            baseline.translate(utterances),
            baseline.translate(utterances, ctc_weight=0.9, beam=4),
        )
    ]
    assert errors[0] == pytest.approx(baseline.measure()["error"])
    assert errors[1] < 0.5 * errors[0]


def test_the_baseline_refines_nothing(baseline: TranscribeTask) -> None:
    with pytest.raises(TypeError, match="use `translate`"):
        baseline.transcribe(baseline.corpus.examples("dev"), RefineOptions())


def test_a_recipe_builds_it(tmp_path: Path) -> None:
    module = system_module("transcribe")
    digits = write_digits(tmp_path / "digits", speakers=("ann",), takes=(1, 6, 20))
    sections = {name: kind() for name, kind in module.SECTIONS.items()}
    sections |= {
        "model": TranscribeConfig(**vars(small_config())),
        "corpus": SpeechCorpusConfig(
            path=str(digits), num_mels=11, pitch=False, num_train=30, num_test=2
        ),
    }
    task = module.build(sections, seed=5)
    acoustics = task.listener.acoustics
    assert (task.seed, acoustics.rate, acoustics.num_features) == (5, 8000, 11)
    assert len(task.corpus.examples("test")) == 2
    assert task.model.ctc.out_features == len(task.corpus.vocabulary)
    mean, _ = measure(task.corpus, acoustics)
    np.testing.assert_array_equal(task.model.normalise.mean.numpy(), mean)
