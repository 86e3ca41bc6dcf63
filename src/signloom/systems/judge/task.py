"""Training of a recogniser: batches from a built corpus, CTC loss, letter error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from signloom.data.collate import Batch, collate
from signloom.data.corpora.config import CorpusConfig
from signloom.data.corpora.corpus import Corpus
from signloom.data.corpora.drawing import step_rng
from signloom.data.roughening import roughen_some
from signloom.errors import FormatError
from signloom.losses.ctc import ctc_loss, steps_needed
from signloom.metrics.text import EditCounts, edit_counts
from signloom.poses.normalize import NUM_FEATURES, Standardiser
from signloom.search.ctc import greedy
from signloom.systems.judge.config import JudgeConfig
from signloom.systems.judge.model import JudgeModel

PLAIN = Standardiser(
    np.zeros(NUM_FEATURES, dtype=np.float32), np.ones(NUM_FEATURES, dtype=np.float32)
)


@dataclass(frozen=True, kw_only=True)
class JudgeTaskConfig:
    """How a recogniser is trained, beside the optimiser."""

    batch_size: int = field(default=16, metadata={"least": 1, "most": 10000})
    """Utterances a step."""
    pool: int = field(default=4, metadata={"least": 1, "most": 1000})
    """Texts are drawn `pool` batches at a time and the batch is cut from them sorted by length."""
    still_share: float = field(default=0.05, metadata={"least": 0, "most": 1})
    """Share of training utterances held still at their mean pose: nothing is to be read."""


class JudgeTask(nn.Module):
    """Batches, loss and measures around a `JudgeModel`, which standardises for itself.

    Args:
        config: Size of the model.
        task: How it is trained.
        corpus: Where utterances come from.
        seed: Decides every batch: batch `step` is the same whenever it is asked for.
    """

    def __init__(
        self,
        config: JudgeConfig,
        task: JudgeTaskConfig,
        *,
        corpus: Corpus,
        seed: int,
    ) -> None:
        super().__init__()
        self.task, self.corpus, self.seed = task, corpus, seed
        self.model = JudgeModel(
            config,
            len(corpus.vocabulary),
            mean=torch.from_numpy(corpus.standardiser.mean),
            std=torch.from_numpy(corpus.standardiser.std),
        )

    def batch(self, step: int, split: str) -> Batch:
        """Build batch number `step` of a split; training is jittered and roughened or held still.

        Raises:
            FormatError: An utterance is too short for its letters.
        """
        rng = step_rng(self.seed, split, step)
        size, pool = self.task.batch_size, self.task.pool
        examples = self.corpus.draw(rng, split=split, size=size, pool=pool)
        still = [False] * len(examples)
        if split == "train":
            examples, still = roughen_some(examples, rng, still_share=self.task.still_share)
        batch = collate(examples, self.corpus.vocabulary, PLAIN)
        batch = batch._replace(tokens=batch.tokens * ~torch.tensor(still)[:, None])
        refuse_too_short(batch)
        return batch

    def training_step(self, batch: Batch, step: int = 0) -> dict[str, Tensor]:
        """Give `loss` to minimise, in nats a letter, and `each`, the loss of every row."""
        log_probs, steps = self.model(batch.frames, batch.lengths)
        return self._losses(batch, log_probs, steps)

    def validation_step(self, batch: Batch) -> dict[str, Tensor]:
        """Give the loss, and the `letter_error` of greedy search (0 = none)."""
        log_probs, steps = self.model(batch.frames, batch.lengths)
        read = greedy(log_probs.detach().cpu().numpy(), steps.cpu().numpy())
        total = EditCounts(0, 0, 0, 0)
        for ids, target in zip(read, batch.tokens.tolist(), strict=True):
            vocabulary = self.corpus.vocabulary
            total += edit_counts(vocabulary.decode(ids), vocabulary.decode(target))
        losses = self._losses(batch, log_probs, steps)
        return losses | {"letter_error": torch.tensor(total.rate)}

    def _losses(self, batch: Batch, log_probs: Tensor, steps: Tensor) -> dict[str, Tensor]:
        rows = ctc_loss(log_probs, steps, batch.tokens)
        counts = (batch.tokens != 0).sum(1).clamp(min=1)
        return {"loss": rows.sum() / counts.sum(), "each": rows / counts}


def refuse_too_short(batch: Batch) -> None:
    """Refuse utterances that CTC has no path for: their loss would be infinite."""
    needed = 2 * steps_needed(batch.tokens) - 1
    for name, frames, least in zip(batch.names, batch.lengths, needed, strict=True):
        if frames < least:
            raise FormatError(
                f"`{name}` must last at least {least} frames for its letters, but lasts {frames}. "
                "Leave it out."
            )


SECTIONS = {"model": JudgeConfig, "task": JudgeTaskConfig, "corpus": CorpusConfig}


def build(sections: Mapping[str, Any], seed: int) -> JudgeTask:
    """Make the task of a recipe.

    Raises:
        ConfigError: A batch is larger than the validation words.
    """
    corpus = sections["corpus"].open()
    corpus.check_batch(sections["task"].batch_size)
    return JudgeTask(sections["model"], sections["task"], corpus=corpus, seed=seed)
