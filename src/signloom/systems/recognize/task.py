"""Training of a recogniser: clips, CTC and the losses beside it, error rate.

    loss = CTC + f · frames + v · CTC(visual) + a · distillation(visual ← main)

in nats a token. Beside CTC all weights are 0 unless a recipe says otherwise; `losses.alignment`
has the last three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from signloom.core.backbone import load_backbone
from signloom.data.clip_augment import AugmentConfig, augment, cut_pictures
from signloom.data.clip_lengths import frames_needed, refuse_too_short
from signloom.data.collate import ClipBatch, collate_clips
from signloom.data.corpora.clip_config import ClipCorpusConfig
from signloom.data.corpora.clip_corpus import ClipCorpus
from signloom.data.corpora.drawing import step_rng
from signloom.data.corpora.restitched import Restitcher
from signloom.data.example import Example
from signloom.data.roughening import STILL_LETTERS, hold_still
from signloom.errors import ConfigError
from signloom.losses.alignment import distillation_loss, step_labels, step_loss
from signloom.losses.ctc import ctc_loss
from signloom.metrics.text import EditCounts, edit_counts
from signloom.search.ctc import greedy
from signloom.systems.recognize.config import RecognizeConfig
from signloom.systems.recognize.model import RecognizeModel


@dataclass(frozen=True, kw_only=True)
class RecognizeTaskConfig:
    """How a recogniser is trained, beside the optimiser and what clips are varied by."""

    batch_size: int = field(default=16, metadata={"least": 1, "most": 10000})
    """Clips a step."""
    pool: int = field(default=4, metadata={"least": 1, "most": 1000})
    """Clips are drawn `pool` batches at a time and the batch is cut from them sorted by length."""
    restitched: float = field(default=0.0, metadata={"least": 0, "most": 1})
    """Share of training clips built of signs cut out of others; needs spans."""
    own_words: float = field(default=0.5, metadata={"least": 0, "most": 1})
    """Share of these that keep the glosses of a recorded sentence."""
    still_share: float = field(default=0.0, metadata={"least": 0, "most": 1})
    """Share of training clips held still at their mean pose: nothing is to be read."""
    frame_weight: float = field(default=0.0, metadata={"least": 0, "most": 1000})
    """Weight of the loss of single steps, where it is known when tokens are signed."""
    visual_weight: float = field(default=0.0, metadata={"least": 0, "most": 1000})
    """Weight of CTC on the temporal features (visual enhancement); needs `model.auxiliary`."""
    distillation_weight: float = field(default=0.0, metadata={"least": 0, "most": 1000})
    """Weight of the alignment of these with the whole model (VAC has 25)."""
    picture_weights: str | None = None
    """File of published weights (torchvision, timm) that the ResNet over pictures begins with."""
    ngram_order: int = field(default=3, metadata={"least": 0, "most": 6})
    """Longest n-gram of the training sentences that the exported package keeps; 0 = none."""


class RecognizeTask(nn.Module):
    """Batches, loss and measures around a `RecognizeModel`.

    Args:
        config: Size of the model.
        task: How it is trained.
        corpus: Where clips come from.
        variation: What training clips are varied by.
        seed: Decides every batch: batch `step` is the same whenever it is asked for.

    Raises:
        ConfigError: Keypoints are read, and nobody has looked for any.
        FormatError: A clip is too short for its tokens.
    """

    def __init__(
        self,
        config: RecognizeConfig,
        task: RecognizeTaskConfig,
        *,
        corpus: ClipCorpus,
        variation: AugmentConfig,
        seed: int,
    ) -> None:
        super().__init__()
        self.task, self.corpus, self.seed, self.variation = task, corpus, seed, variation
        self.stride = config.stride
        for split in ("train", "dev"):
            refuse_too_short(corpus.examples(split), stride=self.stride)
        if config.streams != "pictures":
            _refuse_unseen(corpus.examples("train"), streams=config.streams)
        self.restitcher = Restitcher(
            corpus.examples("train") if task.restitched else (), own_words=task.own_words
        )
        self.model = RecognizeModel(
            config,
            len(corpus.vocabulary),
            mean=torch.from_numpy(corpus.standardiser.mean),
            std=torch.from_numpy(corpus.standardiser.std),
            num_languages=len(corpus.languages),
        )

    def begin(self) -> None:
        """Load published weights of the ResNet over pictures, where they are named.

        Raises:
            ConfigError: The model reads no pictures.
            FormatError: The file does not hold.
        """
        if self.task.picture_weights is None:
            return
        if "pictures" not in self.model.streams:
            raise ConfigError(
                "`task.picture_weights` must go with a model that reads pictures, but "
                f"`model.streams` is {self.model.config.streams}."
            )
        stream: Any = self.model.streams["pictures"]
        load_backbone(stream.source.network, Path(self.task.picture_weights))

    def batch(self, step: int, split: str) -> ClipBatch:
        """Build batch number `step` of a split; training clips are varied."""
        rng = step_rng(self.seed, split, step)
        size, pool = self.task.batch_size, self.task.pool
        examples = self.corpus.draw(rng, split=split, size=size, pool=pool)
        if split != "train":
            return self.collate(examples)
        return self.collate([self._varied(one, rng) for one in examples], rng)

    def collate(
        self, examples: Sequence[Example], rng: np.random.Generator | None = None
    ) -> ClipBatch:
        """Pad clips of the corpus; `rng` cuts their pictures anywhere, not from the middle."""
        resized_px, side_px = self.variation.resized_px, self.model.config.picture_px
        return collate_clips(
            [
                cut_pictures(one, resized_px=resized_px, side_px=side_px, rng=rng)
                for one in examples
            ],
            self.corpus.vocabulary,
            inputs=self.model.inputs,
            languages=self.corpus.languages,
        )

    def _varied(self, example: Example, rng: np.random.Generator) -> Example:
        """Vary a clip, or put one in its place."""
        if self.restitcher and rng.random() < self.task.restitched:
            built = self.restitcher.build(rng)
            # Takes can be so short that CTC has no path through them.
            if built.num_frames >= frames_needed(built.tokens, stride=self.stride):
                example = built
        if len(set(example.tokens)) >= STILL_LETTERS and rng.random() < self.task.still_share:
            example = replace(example, frames=hold_still(example.frames), tokens=(), spans=())
        least = frames_needed(example.tokens, stride=self.stride)
        return augment(example, rng, self.variation, least=least)

    def training_step(self, batch: ClipBatch, step: int = 0) -> dict[str, Tensor]:
        """Give `loss` to minimise, its terms, and `each`, the CTC loss of every clip a token."""
        return self._losses(batch)

    def validation_step(self, batch: ClipBatch) -> dict[str, Tensor]:
        """Give the same without variation."""
        return self._losses(batch)

    def measure(self) -> dict[str, float]:
        """Read the validation split greedily: `error`, letters or glosses wrong a token."""
        examples = self.corpus.examples("dev")
        counts = (
            edit_counts(read, one.tokens)
            for read, one in zip(self.read(examples), examples, strict=True)
        )
        total = sum(counts, EditCounts(0, 0, 0, 0))
        return {"error": total.rate} if examples else {}

    def read(self, examples: Sequence[Example]) -> list[tuple[str, ...]]:
        """Read clips greedily."""
        vocabulary = self.corpus.vocabulary
        return [
            tuple(vocabulary.decode(ids))
            for log_probs in self.log_probs(examples)
            for ids in greedy(log_probs[None], np.array([len(log_probs)]))
        ]

    @torch.no_grad()
    def log_probs(self, examples: Sequence[Example]) -> list[NDArray[np.float32]]:
        """Give the log-probabilities of each clip [steps, tokens]."""
        was_training = self.training
        self.eval()
        found: dict[int, NDArray[np.float32]] = {}
        order = sorted(range(len(examples)), key=lambda place: examples[place].num_frames)
        size = self.task.batch_size
        for first in range(0, len(order), size):
            places = order[first : first + size]
            batch = self.collate([examples[place] for place in places])
            scores, counts = self.model(batch.clips, batch.lengths)
            for place, row, count in zip(places, scores.numpy(), counts.tolist(), strict=True):
                found[place] = row[:count]
        self.train(was_training)
        return [found[place] for place in range(len(examples))]

    def _losses(self, batch: ClipBatch) -> dict[str, Tensor]:
        task, model = self.task, self.model
        steps, present = model.steps(batch.clips, batch.lengths)
        counts = present.sum(1)
        logits = model.read(steps, counts)
        log_probs = logits.log_softmax(-1)
        labels = (batch.tokens != 0).sum(1).clamp(min=1)
        rows = ctc_loss(log_probs, counts, batch.tokens)
        losses = {"ctc": rows.sum() / labels.sum()}
        total = losses["ctc"]
        if task.frame_weight:
            known = step_labels(batch.spoken, stride=self.stride)
            losses["frames"] = step_loss(log_probs, known)
            total = total + task.frame_weight * losses["frames"]
        if model.visual_tokens is not None:
            visual = model.visual_tokens(steps)
            read = ctc_loss(visual.log_softmax(-1), counts, batch.tokens)
            losses["visual"] = read.sum() / labels.sum()
            losses["distillation"] = distillation_loss(visual, logits, present)
            total = total + task.visual_weight * losses["visual"]
            total = total + task.distillation_weight * losses["distillation"]
        return losses | {"loss": total, "each": rows / labels}


def _refuse_unseen(examples: Sequence[Example], *, streams: str) -> None:
    """Refuse clips of which none has a joint: films come without poses where none are named."""
    # A corpus that is built on the fly lists no clips; every joint of it is seen.
    if examples and all(
        one.confidence is not None and not one.confidence.any() for one in examples
    ):
        raise ConfigError(
            "`model.streams` must be pictures where no clip has poses, but is "
            f"{streams}. Extract them and name their folder in `corpus.options`, poses=FOLDER."
        )


SECTIONS = {
    "model": RecognizeConfig,
    "task": RecognizeTaskConfig,
    "corpus": ClipCorpusConfig,
    "augment": AugmentConfig,
}


def build(sections: Mapping[str, Any], seed: int) -> RecognizeTask:
    """Make the task of a recipe.

    Raises:
        ConfigError: The corpus cannot be opened.
        FormatError: A clip is too short for its tokens.
    """
    return RecognizeTask(
        sections["model"],
        sections["task"],
        corpus=sections["corpus"].open(),
        variation=sections["augment"],
        seed=seed,
    )
