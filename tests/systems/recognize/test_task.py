"""Training of STAMF: what is refused, what batches hold, and that a toy corpus is learned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from signloom.data.clip_augment import AugmentConfig
from signloom.data.clip_lengths import frames_needed, refuse_too_short
from signloom.data.corpora.clip_config import ClipCorpusConfig
from signloom.data.corpora.clip_corpus import ClipCorpus
from signloom.data.example import Example, Span
from signloom.errors import ConfigError, FormatError
from signloom.losses.ctc import ctc_loss
from signloom.metrics.text import edit_counts
from signloom.systems.recognize import task as task_module
from signloom.systems.recognize.task import (
    RecognizeTask,
    RecognizeTaskConfig,
)
from signloom.systems.registry import system_module
from tests.data.small_corpus import write_folder
from tests.small_clips import PICTURE_PX, SENTENCES, SmallClips
from tests.systems.recognize.small_model import small_config

STILL = AugmentConfig(rescale=0.0, flip=0.0, resized_px=36)


def new_task(
    corpus: SmallClips | None = None,
    *,
    model: dict | None = None,
    variation: AugmentConfig = STILL,
    **task,
) -> RecognizeTask:
    torch.manual_seed(0)
    return RecognizeTask(
        small_config(**({"streams": "keypoints", "scale": "shoulders"} | (model or {}))),
        RecognizeTaskConfig(**({"batch_size": 5, "pool": 1} | task)),
        corpus=SmallClips() if corpus is None else corpus,
        variation=variation,
        seed=3,
    )


def train(task: RecognizeTask, steps: int) -> None:
    optimizer = torch.optim.Adam(task.parameters(), lr=0.01)
    for step in range(steps):
        optimizer.zero_grad()
        task.training_step(task.batch(step, "train"), step)["loss"].backward()
        optimizer.step()


class NeverLookedAt(SmallClips):
    """Films in which nobody has looked for joints."""

    def examples(self, split: str) -> list[Example]:
        return [
            replace(one, confidence=np.zeros((one.num_frames, 50), np.float32))
            for one in super().examples(split)
        ]


def test_keypoints_are_not_learned_of_films_in_which_nobody_has_looked_for_them() -> None:
    corpus = NeverLookedAt(filmed=True)
    with pytest.raises(ConfigError, match="must be pictures where no clip has poses, but is both"):
        new_task(corpus, model={"streams": "both"})
    assert new_task(corpus, model={"streams": "pictures"}).batch(0, "train").lengths.all()


def test_the_small_corpus_is_a_corpus_of_clips() -> None:
    assert isinstance(SmallClips(), ClipCorpus)


class TestShortClips:
    """CTC needs a step a token, and one more between equal ones."""

    @pytest.mark.parametrize(
        ("tokens", "stride", "frames"),
        [((), 4, 1), (("a",), 4, 1), (("a", "b"), 4, 5), (("a", "a"), 4, 9), (("a",) * 3, 2, 9)],
    )
    def test_frames_needed_are_the_fewest_with_a_path(self, tokens, stride, frames) -> None:
        assert frames_needed(tokens, stride=stride) == frames
        if len(tokens) > 1:
            targets = torch.tensor([[" ab".index(one) for one in tokens]])
            for count, finite in ((frames, True), (frames - 1, False)):
                steps = torch.tensor([-(-count // stride)])
                log_probs = torch.zeros(1, int(steps), 3).log_softmax(-1)
                assert bool(ctc_loss(log_probs, steps, targets).isfinite().all()) == finite

    def test_a_clip_too_short_for_its_tokens_is_named_when_the_task_is_built(self) -> None:
        corpus = SmallClips()
        row = corpus._rows[3]
        corpus._rows[3] = replace(row, frames=row.frames[:8], confidence=row.confidence[:8])
        message = "`clip 3` must last at least 9 frames for its 2 tokens at 4 .* but lasts 8"
        with pytest.raises(FormatError, match=message):
            new_task(corpus)
        new_task(corpus, model={"pools": (2, 1)})
        refuse_too_short(corpus.examples("train"), stride=2)


class TestBatches:
    """A batch follows from seed, split and step; training clips are varied."""

    def test_it_is_the_same_whenever_it_is_asked_for(self) -> None:
        variation = replace(STILL, rescale=0.2, flip=0.5, rough=True, hidden=0.3)
        options = {"batch_size": 2, "restitched": 0.4, "still_share": 0.3}
        first, again = (new_task(variation=variation, **options) for _ in range(2))
        again.batch(0, "train")
        one, other = first.batch(7, "train"), again.batch(7, "train")
        assert one.names == other.names
        for name, array in one.clips.items():
            torch.testing.assert_close(array, other.clips[name], rtol=0, atol=0)
        batches = [first.batch(step, "train") for step in range(4)]
        assert len({batch.lengths.sum().item() for batch in batches}) > 1

    def test_validation_reads_clips_as_they_are(self) -> None:
        corpus = SmallClips()
        variation = AugmentConfig(rescale=0.9, dropped=0.9, rough=True)
        batch = new_task(corpus, variation=variation).batch(0, "dev")
        rows = {one.name: one for one in corpus.examples("dev")}
        assert batch.lengths.tolist() == [rows[name].num_frames for name in batch.names]

    def test_pictures_are_cut_from_the_middle_unless_they_are_for_training(self) -> None:
        corpus = SmallClips(filmed=True)
        places = np.arange(PICTURE_PX)[None, :, None, None]
        film = np.broadcast_to(places, (17, PICTURE_PX, PICTURE_PX, 3)).astype(np.uint8)
        row = replace(corpus.examples("dev")[0], pictures=lambda: film)
        size = replace(STILL, resized_px=PICTURE_PX)
        task = new_task(corpus, model={"streams": "pictures"}, variation=size)
        assert task.collate([row]).clips["pictures"].shape == (1, 17, 32, 32, 3)
        assert task.collate([row]).clips["pictures"][0, 3, :, 0, 0].tolist() == [*range(2, 34)]
        tops = {
            int(task.collate([row], np.random.default_rng(n)).clips["pictures"].min())
            for n in range(30)
        }
        assert tops == {0, 1, 2, 3, 4, 5}

    def test_no_variation_leaves_a_clip_too_short_for_its_tokens(self) -> None:
        variation = replace(STILL, rescale=0.5, dropped=0.9)
        corpus = SmallClips(pause=1)
        for values in ({}, {"restitched": 1.0, "own_words": 0.5}):
            task = new_task(corpus, variation=variation, **values)
            for step in range(12):
                assert task.training_step(task.batch(step, "train"))["each"].isfinite().all()

    def test_stitched_sentences_too_short_for_their_tokens_are_not_learned(self) -> None:
        corpus = SmallClips()
        corpus._rows = [
            replace(row, spans=tuple(Span(one.start + 2, one.start + 2) for one in row.spans))
            for row in corpus._rows
        ]
        task = new_task(corpus, restitched=1.0, own_words=1.0)
        names: set[str] = set()
        for step in range(8):
            batch = task.batch(step, "train")
            names |= set(batch.names)
            assert task.training_step(batch)["each"].isfinite().all()
        assert {"restitched GO", "clip 3"} <= names

    def test_what_is_held_still_is_to_be_read_as_nothing(self) -> None:
        corpus = SmallClips()
        long = replace(corpus.examples("train")[2], tokens=("GO", "HI", "YOU", "<unk>", "<pad>"))
        task = new_task(corpus, still_share=1.0)
        [held] = [task._varied(long, np.random.default_rng(0))]
        assert (held.tokens, held.spans) == ((), ())
        assert np.ptp(held.frames, axis=0).max() < 1e-6
        short = task._varied(corpus.examples("train")[2], np.random.default_rng(0))
        assert short.tokens == SENTENCES[2]


class TestLosses:
    """CTC, and the losses beside it."""

    def test_the_loss_is_ctc_unless_a_recipe_says_otherwise(self) -> None:
        task = new_task()
        batch = task.batch(0, "dev")
        losses = task.validation_step(batch)
        labels = (batch.tokens != 0).sum(1)
        whole = (losses["each"] * labels).sum() / labels.sum()
        torch.testing.assert_close(losses["loss"], whole)
        torch.testing.assert_close(losses["ctc"], whole)

    def test_every_term_counts_with_its_weight(self) -> None:
        task = new_task(
            model={"auxiliary": True}, frame_weight=0.5, visual_weight=2.0, distillation_weight=3.0
        )
        losses = task.validation_step(task.batch(0, "dev"))
        expected = losses["ctc"] + 0.5 * losses["frames"] + 2 * losses["visual"]
        expected = expected + 3 * losses["distillation"]
        torch.testing.assert_close(losses["loss"], expected)
        assert all(losses[name] > 0 for name in ("frames", "visual", "distillation"))
        without = new_task(SmallClips(spans=False), frame_weight=0.5)
        assert without.validation_step(without.batch(0, "dev"))["frames"] == 0

    def test_the_visual_features_are_taught_and_the_whole_model_is_not(self) -> None:
        task = new_task(model={"auxiliary": True}, distillation_weight=1.0)
        losses = task.training_step(task.batch(0, "dev"))
        losses["distillation"].backward()
        assert all(one.grad is None for one in task.model.tokens.parameters())
        assert task.model.visual_tokens is not None
        assert all(one.grad is not None for one in task.model.visual_tokens.parameters())


@pytest.mark.compiled
class TestLearning:
    """A toy corpus is learned within seconds."""

    def test_poses_of_two_languages_with_every_loss(self) -> None:
        task = new_task(
            SmallClips("ase", "gsg"),
            model={"auxiliary": True, "pools": (2, 1), "spatial_attention": False}
            | {"embedding_dim": 16, "keypoint_dim": 24, "lstm_dim": 32},
            frame_weight=0.5,
            visual_weight=0.5,
            distillation_weight=0.1,
        )
        before = task.measure()["error"]
        train(task, 60)
        assert task.measure() == {"error": 0.0} != {"error": before}
        assert task.training
        examples = task.corpus.examples("dev")
        assert task.read(examples) == [*SENTENCES]
        alone = [task.read([one])[0] for one in examples]
        assert alone == [*SENTENCES]

    def test_the_error_is_edits_over_tokens(self) -> None:
        task = new_task()
        examples = task.corpus.examples("dev")
        counts = [
            edit_counts(read, one.tokens)
            for read, one in zip(task.read(examples), examples, strict=True)
        ]
        errors, length = sum(one.errors for one in counts), sum(one.length for one in counts)
        assert task.measure()["error"] == pytest.approx(errors / length)
        assert length == 10


def test_a_recipe_builds_it(tmp_path: Path) -> None:
    module = system_module("recognize")
    assert module is task_module
    sections = {name: kind() for name, kind in module.SECTIONS.items()}
    sections["model"] = small_config(streams="keypoints")
    path = str(write_folder(tmp_path))
    sections["corpus"] = ClipCorpusConfig(reader="folder", path=path, options=("language=ukl",))
    task = module.build(sections, seed=5)
    assert task.corpus.languages == ("ukl",)
    source = task.model.streams["keypoints"].source
    np.testing.assert_allclose(source.mean.numpy(), task.corpus.standardiser.mean)
    sections["corpus"] = ClipCorpusConfig(languages=())
    with pytest.raises(ConfigError, match="must name a sign language"):
        module.build(sections, seed=5)


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"must be one of .*recognize.*, but is `read`"):
        system_module("read")
