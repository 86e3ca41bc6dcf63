"""Training of a production model: batches from a corpus, losses, what validation measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from PIL.Image import Image
from torch import Tensor, nn

from signloom.data.augment import decoder_noise
from signloom.data.collate import Batch, collate
from signloom.data.corpora.config import CorpusConfig
from signloom.data.corpora.corpus import Corpus
from signloom.data.corpora.drawing import step_rng
from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.corpora.statistics import velocity_std
from signloom.decoders.adapter import stepper_of
from signloom.errors import ConfigError, TextError
from signloom.losses.motion import bone_loss, edge_loss, velocity_loss
from signloom.losses.pose import length_loss, pose_loss
from signloom.poses.normalize import NUM_FEATURES, Standardiser, from_features
from signloom.poses.pose import Pose
from signloom.poses.render.sheet import stack_sheets
from signloom.poses.skeleton import LEFT_HAND, LEFT_WRIST, RIGHT_HAND, RIGHT_WRIST
from signloom.search.blocks import decode
from signloom.systems.produce.config import ProduceConfig
from signloom.systems.produce.model import ProduceModel, with_progress
from signloom.systems.produce.noise import ErrorNoise

TOY_PACE = 9.0
"""Frames a letter of `ProduceTaskConfig.texts`."""


@dataclass(frozen=True, kw_only=True)
class ProduceTaskConfig:
    """How a production model is trained, beside the optimiser."""

    batch_size: int = field(default=24, metadata={"least": 1, "most": 10000})
    """Utterances a step."""
    pool: int = field(default=4, metadata={"least": 1, "most": 1000})
    """Texts are drawn `pool` batches at a time and the batch is cut from them sorted by length."""
    texts: tuple[str, ...] = ()
    """Train on these texts alone, at one pace without jitter: for over-fitting tests."""
    smooth_noise: float = field(default=0.3, metadata={"least": 0})
    """Largest smooth noise on the decoder's inputs, in standard deviations of the data."""
    white_noise: float = field(default=0.05, metadata={"least": 0})
    """Largest white noise on the decoder's inputs."""
    gaussian_noise: float = field(default=0.0, metadata={"least": 0})
    """Noise on the decoder's inputs, in standard deviations of its own error; 5 is PT(GN)'s."""
    wrist_weight: float = field(default=4.0, metadata={"least": 0})
    """Weight of both wrists in the loss, against 1 for other joints."""
    idle_hand_weight: float = field(default=0.05, metadata={"least": 0})
    """Weight of the hand that does not spell."""
    counter_weight: float = field(default=1.0, metadata={"least": 0})
    """Weight of the progress that `model.counter` asks for, against 1 for a coordinate."""
    length_weight: float = field(default=0.1, metadata={"least": 0})
    """Weight of the length predictor's loss."""
    pose_weight: float = field(default=1.0, metadata={"least": 0})
    """Weight of the loss on frames; 0 trains the length predictor alone, without the decoder."""
    velocity_weight: float = field(default=0.0, metadata={"least": 0})
    """Weight of the loss on velocities."""
    edge_weight: float = field(default=0.0, metadata={"least": 0})
    """Weight of the loss on accelerations across the borders of blocks."""
    bone_weight: float = field(default=0.0, metadata={"least": 0})
    """Weight of the loss on bone ratios."""


class ProduceTask(nn.Module):
    """Batches, losses and measures around a `ProduceModel`.

    Args:
        config: Size and switches of the model.
        task: How it is trained.
        corpus: Where utterances come from.
        seed: Decides every batch: batch `step` is the same whenever it is asked for.
    """

    weights: Tensor
    feature_mean: Tensor
    feature_std: Tensor

    def __init__(
        self, config: ProduceConfig, task: ProduceTaskConfig, *, corpus: Corpus, seed: int
    ) -> None:
        super().__init__()
        self.task, self.corpus, self.seed = task, corpus, seed
        self.model = ProduceModel(
            config,
            len(corpus.vocabulary),
            velocity_std=torch.from_numpy(velocity_std(corpus, span=config.velocity_span)),
        )
        counted = torch.full((int(config.counter),), task.counter_weight)
        weights = torch.cat([joint_weights(task), counted])
        self.register_buffer("weights", weights, persistent=False)
        self.register_buffer("feature_mean", torch.from_numpy(corpus.standardiser.mean))
        self.register_buffer("feature_std", torch.from_numpy(corpus.standardiser.std))
        self.noise = (
            ErrorNoise(len(weights), factor=task.gaussian_noise) if task.gaussian_noise else None
        )

    @property
    def standardiser(self) -> Standardiser:
        """What frames are standardised by; it travels with the weights."""
        return Standardiser(self.feature_mean.numpy(force=True), self.feature_std.numpy(force=True))

    def batch(self, step: int, split: str) -> Batch:
        """Build batch number `step` of a split."""
        rng = step_rng(self.seed, split, step)
        size, pool = self.task.batch_size, self.task.pool
        if self.task.texts and isinstance(self.corpus, Fingerspelling):
            examples = [self.corpus.build(text, rng, pace=TOY_PACE) for text in self.task.texts]
        else:
            examples = self.corpus.draw(rng, split=split, size=size, pool=pool)
        return collate(examples, self.corpus.vocabulary, self.standardiser)

    def training_step(self, batch: Batch, step: int = 0) -> dict[str, Tensor]:
        """Give the losses: `loss` to minimise, and `each`, the loss of every row."""
        if not self.task.pose_weight:
            return self._length_losses(batch)
        noise = decoder_noise(
            batch.frames, smooth=self.task.smooth_noise, white=self.task.white_noise
        )
        inputs = self._targets(batch._replace(frames=batch.frames + noise))
        if self.noise is None:
            return self._losses(batch, *self.model(batch.tokens, inputs, batch.lengths))
        predicted, logits = self.model(batch.tokens, self.noise(inputs), batch.lengths)
        self.noise.watch(predicted, self._targets(batch), batch.lengths)
        return self._losses(batch, predicted, logits)

    def validation_step(self, batch: Batch) -> dict[str, Tensor]:
        """Give the losses without noise, and how far the lengths are off if they are predicted."""
        if not self.task.pose_weight:
            return self._length_losses(batch)
        predicted, logits = self.model(batch.tokens, self._targets(batch), batch.lengths)
        losses = self._losses(batch, predicted, logits)
        if self.model.config.counter:
            return losses
        own = self.model.read_lengths(logits)
        losses["length_error"] = ((own - batch.lengths).abs() / batch.lengths).mean()
        return losses

    def picture(self, batch: Batch) -> Image:
        """Draw the first row of a batch: the reference above, below it what is decoded of it.

        The decoder runs free, to the length that it predicts or counts itself.
        """
        tokens = batch.tokens[:1]
        with torch.no_grad():
            _, logits = self.model.encode(tokens)
        own = self.model.read_lengths(logits)
        decoded = decode(stepper_of(self.model), tokens.numpy(), own.numpy())
        rows = batch.frames[0, : batch.lengths[0]].numpy(), decoded[0, :, :NUM_FEATURES]
        frames = [from_features(self.standardiser.invert(row)) for row in rows]
        return stack_sheets([Pose.of(row, fps=self.corpus.fps) for row in frames])

    def _targets(self, batch: Batch) -> Tensor:
        """Give what the decoder shall predict: the frames, with their progress if it counts."""
        if not self.model.config.counter:
            return batch.frames
        return with_progress(batch.frames, batch.lengths)

    def _losses(self, batch: Batch, predicted: Tensor, logits: Tensor) -> dict[str, Tensor]:
        lengths = batch.lengths
        pose = pose_loss(predicted, self._targets(batch), lengths, weights=self.weights)
        length = length_loss(logits, lengths)
        parts = {"pose": pose, "length": length} | self._optional_losses(batch, predicted)
        weighted = [getattr(self.task, f"{name}_weight") * part for name, part in parts.items()]
        each = torch.stack(weighted).sum(0)
        means = {name: part.mean() for name, part in parts.items()}
        return {"loss": each.mean(), **means, "each": each}

    def _length_losses(self, batch: Batch) -> dict[str, Tensor]:
        """Give the loss of the length predictor alone, and how far the lengths are off."""
        _, logits = self.model.encode(batch.tokens)
        each = length_loss(logits, batch.lengths)
        own = self.model.read_lengths(logits)
        error = ((own - batch.lengths).abs() / batch.lengths).mean()
        return {"loss": each.mean(), "length_error": error, "each": each}

    def _optional_losses(self, batch: Batch, predicted: Tensor) -> dict[str, Tensor]:
        """Give those losses whose weight is above 0, on the coordinates alone."""
        task, made, true = self.task, predicted[..., :NUM_FEATURES], batch.frames
        weights, lengths = self.weights[:NUM_FEATURES], batch.lengths
        parts = {}
        if task.velocity_weight:
            parts["velocity"] = velocity_loss(made, true, lengths, weights=weights)
        if task.edge_weight:
            borders = self.model.decoder.schedule.borders(true.shape[1])
            parts["edge"] = edge_loss(
                made,
                true,
                lengths,
                borders=torch.tensor(borders, dtype=torch.int64, device=true.device),
                weights=weights,
            )
        if task.bone_weight:
            parts["bone"] = bone_loss(
                made, true, lengths, mean=self.feature_mean, std=self.feature_std
            )
        return parts


def joint_weights(task: ProduceTaskConfig) -> Tensor:
    """Weigh the coordinates: wrists more, the hand that does not spell less."""
    weights = torch.ones(NUM_FEATURES // 3)
    weights[[LEFT_WRIST, RIGHT_WRIST]] = task.wrist_weight
    weights[LEFT_HAND] = task.idle_hand_weight
    weights[RIGHT_HAND] = 1.0
    return weights.repeat_interleave(3)


SECTIONS = {"model": ProduceConfig, "task": ProduceTaskConfig, "corpus": CorpusConfig}


def build(sections: Mapping[str, Any], seed: int) -> ProduceTask:
    """Make the task of a recipe.

    Raises:
        ConfigError: What it shall learn does not fit it.
    """
    config, task, corpus = sections["model"], sections["task"], sections["corpus"].open()
    longest = check_texts(task.texts, corpus) if task.texts else corpus.max_frames
    if config.max_frames < longest:
        raise ConfigError(
            f"`model.max_frames` must be at least {longest}, the longest utterance, but is "
            f"{config.max_frames}."
        )
    if not task.texts:
        corpus.check_batch(task.batch_size)
    return ProduceTask(config, task, corpus=corpus, seed=seed)


def check_texts(texts: Sequence[str], corpus: Corpus) -> int:
    """Check the texts that a recipe trains on; give the frames of the longest.

    Raises:
        ConfigError: The corpus builds no texts, or one is empty, too long, or not in the alphabet.
    """
    if not isinstance(corpus, Fingerspelling):
        raise ConfigError(
            "`task.texts` must be empty for a corpus of recordings: only fingerspelling is built "
            "from texts."
        )
    rng = np.random.default_rng(0)
    try:
        return max(len(corpus.build(text, rng, pace=TOY_PACE).frames) for text in texts)
    except TextError as error:
        raise ConfigError(f"`task.texts` must be texts to spell, but: {error}") from error
