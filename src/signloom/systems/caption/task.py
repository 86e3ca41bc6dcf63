"""Training of a captioner: cross-entropy, then self-critical training, and its CIDEr-D.

    cross-entropy   mean over words of −log p(y_j | G_{<g}, I)
    self-critical   mean over words of −(r(y) − b) log p(y_j | …),  y ~ p,  r CIDEr-D,
                    b the mean reward of the other samples of the same picture

(SATIC § 3.4; Rennie et al. 2017.) What is behind the end of a caption has no part in either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from torch import Tensor, nn

from signloom.data.captions.captioned import Captioned
from signloom.data.captions.config import CaptionCorpusConfig
from signloom.data.captions.corpus import CaptionCorpus
from signloom.data.corpora.drawing import step_rng
from signloom.decoders.token_adapter import TorchGroupStepper
from signloom.errors import ConfigError
from signloom.losses.tokens import token_loss
from signloom.metrics.captions import measure_captions
from signloom.pipelines.search_options import options_of
from signloom.search.groups import Grouped
from signloom.search.tokens import Hypothesis
from signloom.search.translation import SearchOptions, translate_sources
from signloom.systems.caption.batch import CaptionBatch, collate_captions
from signloom.systems.caption.config import CaptionConfig
from signloom.systems.caption.model import CaptionModel
from signloom.systems.caption.self_critical import SelfCritical
from signloom.tokens.targets import START


@dataclass(frozen=True, kw_only=True)
class CaptionTaskConfig:
    """How a captioner is trained, beside the optimiser."""

    objective: Literal["cross_entropy", "self_critical"] = "cross_entropy"
    """What is minimised; self-critical training begins with the weights of the other."""
    batch_size: int = field(default=16, metadata={"least": 1, "most": 10000})
    """Pictures a step, each with `captions` captions, or with as many samples."""
    captions: int = field(default=5, metadata={"least": 1, "most": 100})
    """Captions of each picture that a step sees; self-critical, samples, at least 2."""
    smoothing: float = field(default=0.1, metadata={"least": 0, "most": 0.9})
    """Label smoothing of the cross-entropy, 0 to 0.9."""

    def check(self) -> None:
        """Check what a field cannot say alone.

        Raises:
            ConfigError: Two values do not go together.
        """
        if self.objective == "self_critical" and self.captions < 2:
            raise ConfigError(
                "`task.captions` must be at least 2 in self-critical training, where each caption "
                f"is compared with the others, but is {self.captions}."
            )


class CaptionTask(nn.Module):
    """Batches, loss and measures around a `CaptionModel`.

    Args:
        config: Size of the model.
        task: How it is trained.
        corpus: Where captioned pictures come from.
        seed: Decides every batch: batch `step` is the same whenever it is asked for.
    """

    def __init__(
        self, config: CaptionConfig, task: CaptionTaskConfig, *, corpus: CaptionCorpus, seed: int
    ) -> None:
        super().__init__()
        self.task, self.corpus, self.seed = task, corpus, seed
        vocabulary = corpus.vocabulary
        [self.start] = vocabulary.encode([START])
        num_features = corpus.features.num_features
        self.model = CaptionModel(config, len(vocabulary), num_features=num_features)
        self._critic: SelfCritical | None = None

    @property
    def group(self) -> int:
        """Words that come at once, K."""
        return self.model.config.group

    def batch(self, step: int, split: str) -> CaptionBatch:
        """Build batch number `step` of a split; training pictures may be mirrored."""
        rng = step_rng(self.seed, split, step)
        pictures = self.corpus.draw(rng, split=split, size=self.task.batch_size)
        return self.collate(pictures, rng if split == "train" else None)

    def collate(
        self, pictures: Sequence[Captioned], rng: np.random.Generator | None = None
    ) -> CaptionBatch:
        """Pad pictures of the corpus; `rng` draws their captions, and which are mirrored."""
        return collate_captions(
            pictures,
            self.corpus.features,
            vocabulary=self.corpus.vocabulary,
            group=self.group,
            captions=self.task.captions,
            rng=rng,
        )

    def training_step(self, batch: CaptionBatch, step: int = 0) -> dict[str, Tensor]:
        """Give `loss` to minimise, `each`, that of every picture, and what there is to know."""
        if self.task.objective == "cross_entropy":
            return self._cross_entropy(batch, smoothing=self.task.smoothing)
        if self._critic is None:
            self._critic = SelfCritical(self.corpus, samples=self.task.captions)
        rng = step_rng(self.seed, "train", step)
        return self._critic.losses(self.model, batch, rng=rng, options=self.options())

    def refuse_source(self, source: Any, path: Path) -> None:
        """Refuse weights of other groups for self-critical training, which goes on with a model.

        Raises:
            ConfigError: They are.
        """
        if self.task.objective == "self_critical" and source.group != self.group:
            raise ConfigError(
                "`model.group` must be that of the model that self-critical training begins with, "
                f"{source.group} in {path}, but is {self.group}."
            )

    def validation_step(self, batch: CaptionBatch) -> dict[str, Tensor]:
        """Give the cross-entropy without smoothing."""
        return self._cross_entropy(batch, smoothing=0.0)

    def measure(self) -> dict[str, float]:
        """Caption the validation split greedily: CIDEr-D and BLEU-4, both in percent."""
        pictures = self.corpus.examples("dev")
        found = [self.words(best[0]) for best in self.caption(pictures)]
        measures = measure_captions(found, [one.tokens for one in pictures])
        return {"cider_d": 100 * measures["cider_d"], "bleu4": 100 * measures["bleu4"]}

    def options(self, **search: Any) -> SearchOptions:
        """Say how captions are looked for; `search` holds fields such as `beam`."""
        vocabulary, most = self.corpus.vocabulary, self.corpus.max_tokens
        return replace(options_of(vocabulary, languages=(), max_tokens=most), **search)

    def caption(
        self, pictures: Sequence[Captioned], *, suppress: bool = True, view: int = 0, **search: Any
    ) -> list[list[Hypothesis]]:
        """Caption pictures of the corpus.

        Args:
            pictures: Of any split.
            suppress: Whether repeats are suppressed, see `search.groups`.
            view: Which view of them is looked at.
            search: Fields of `SearchOptions`, such as `beam`.
        """
        was_training = self.training
        self.eval()
        stepper = Grouped(TorchGroupStepper(self.model), suppress=suppress)
        found = translate_sources(
            stepper,
            [self.corpus.features.get(one.name, view).astype(np.float32) for one in pictures],
            [self.start] * len(pictures),
            options=self.options(**search),
        )
        self.train(was_training)
        return found

    def words(self, found: Hypothesis) -> tuple[str, ...]:
        """Give the words of a caption that was found."""
        return tuple(self.corpus.vocabulary.decode(found.ids))

    def _cross_entropy(self, batch: CaptionBatch, *, smoothing: float) -> dict[str, Tensor]:
        logits = self.model(batch.features, batch.lengths, batch.fed, batch.pictures)
        rows = token_loss(logits, batch.targets, smoothing=smoothing)
        counts = (batch.targets != 0).sum(1)
        each = rows.new_zeros(len(batch.names)).index_add(0, batch.pictures, rows)
        return {"loss": rows.sum() / counts.sum(), "each": each}


SECTIONS = {"model": CaptionConfig, "task": CaptionTaskConfig, "corpus": CaptionCorpusConfig}


def build(sections: Mapping[str, Any], seed: int) -> CaptionTask:
    """Make the task of a recipe.

    Raises:
        ConfigError: The corpus cannot be opened.
        FormatError: The data does not hold.
    """
    corpus = sections["corpus"].open()
    return CaptionTask(sections["model"], sections["task"], corpus=corpus, seed=seed)
