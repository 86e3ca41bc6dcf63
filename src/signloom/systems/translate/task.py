"""Training of a translator: the evidence lower bound, and the score of greedy translations.

    loss = mean CE + c · CTC + a(step) · (s_ξ · KL_ξ + s_w · KL_w)          (LWTA eq. 7)

CE and KL_ξ are means over target tokens and positions. KL_w belongs to the data set: the textbook
scale, 1 / N sentences, drowns the data (`docs/explain/lwta.md` shows it), so the defaults are
s_w = weight_divergence / number of Bayesian weights, s_ξ = winner_divergence / number of blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from signloom.core.bayesian import bayesian_layers, weight_divergence
from signloom.core.lwta import competitions, last_divergence
from signloom.data.collate import PairBatch, collate_pairs
from signloom.data.corpora.drawing import step_rng
from signloom.data.corpora.pair_config import PairCorpusConfig
from signloom.data.corpora.pair_corpus import PairCorpus
from signloom.data.pair import Pair
from signloom.decoders.token_adapter import TorchTokenStepper
from signloom.errors import ConfigError
from signloom.losses.ctc import ctc_loss
from signloom.losses.tokens import token_loss
from signloom.metrics.bleu import corpus_bleu
from signloom.metrics.text import error_rate
from signloom.pipelines.search_options import options_of
from signloom.search.tokens import Hypothesis, TokenStepper
from signloom.search.translation import translate_sources
from signloom.systems.translate.config import TranslateConfig
from signloom.systems.translate.model import TranslateModel
from signloom.tokens.sentences import join_tokens


@dataclass(frozen=True, kw_only=True)
class TranslateTaskConfig:
    """How a translator is trained, beside the optimiser."""

    batch_size: int = field(default=32, metadata={"least": 1, "most": 10000})
    """Sentences a step."""
    pool: int = field(default=4, metadata={"least": 1, "most": 1000})
    """Sentences are drawn `pool` batches at a time and the batch is cut from them by length."""
    smoothing: float = field(default=0.1, metadata={"least": 0, "most": 0.9})
    """Label smoothing, 0 to 0.9."""
    gloss_weight: float = field(default=0.0, metadata={"least": 0, "most": 1000})
    """Weight of the CTC loss of a gloss head on the encoder; 0 = no head."""
    weight_divergence: float = field(default=1.0, metadata={"least": 0})
    """s_w, the weight of KL_w, in units of 1 / number of Bayesian weights."""
    winner_divergence: float = field(default=1.0, metadata={"least": 0})
    """s_ξ, the weight of KL_ξ, in units of 1 / number of competing blocks."""
    annealing: int = field(default=1000, metadata={"least": 0})
    """Steps over which both divergences are weighed in, linearly."""


class TranslateTask(nn.Module):
    """Batches, loss and measures around a `TranslateModel`.

    Args:
        config: Size of the model.
        task: How it is trained.
        corpus: Where pairs come from.
        seed: Decides every batch: batch `step` is the same whenever it is asked for.

    Raises:
        ConfigError: Glosses are to be recognised that the corpus does not have.
    """

    def __init__(
        self,
        config: TranslateConfig,
        task: TranslateTaskConfig,
        *,
        corpus: PairCorpus,
        seed: int,
    ) -> None:
        super().__init__()
        self.task, self.corpus, self.seed = task, corpus, seed
        if task.gloss_weight and corpus.gloss_vocabulary is None:
            raise ConfigError(
                f"`task.gloss_weight` must be 0 where the corpus has no glosses to recognise, but "
                f"is {task.gloss_weight}."
            )
        self.glosses = corpus.gloss_vocabulary if task.gloss_weight else None
        features = corpus.source_vocabulary is None
        self.model = TranslateModel(
            config,
            len(corpus.vocabulary),
            num_glosses=len(self.glosses) if self.glosses else 0,
            num_source=len(corpus.source_vocabulary or ()),
            mean=torch.from_numpy(corpus.mean) if features else None,
            std=torch.from_numpy(corpus.std) if features else None,
        )
        weights = sum(layer.weight.numel() for layer in bayesian_layers(self.model).values())
        self.num_weights = max(1, weights)
        self.num_blocks = max(1, _blocks(self.model))

    def batch(self, step: int, split: str) -> PairBatch:
        """Build batch number `step` of a split."""
        rng = step_rng(self.seed, split, step)
        size, pool = self.task.batch_size, self.task.pool
        pairs = self.corpus.draw(rng, split=split, size=size, pool=pool)
        return self.collate(pairs)

    def collate(self, pairs: Sequence[Any]) -> PairBatch:
        """Pad pairs of the corpus."""
        return collate_pairs(
            pairs,
            source=self.corpus.source_vocabulary,
            target=self.corpus.vocabulary,
            glosses=self.glosses,
        )

    def training_step(self, batch: PairBatch, step: int = 0) -> dict[str, Tensor]:
        """Give `loss`, its terms, and `each`, the cross-entropy of every row, a token."""
        losses, present = self._cross_entropy(batch, smoothing=self.task.smoothing)
        share = min(1.0, step / self.task.annealing) if self.task.annealing else 1.0
        weights = weight_divergence(self.model)
        loss = losses["loss"] + share * self.task.weight_divergence / self.num_weights * weights
        winners = self._winners(present, batch.targets != 0)
        loss = loss + share * self.task.winner_divergence / self.num_blocks * winners
        return losses | {"loss": loss, "kl_weights": weights, "kl_winners": winners}

    def validation_step(self, batch: PairBatch) -> dict[str, Tensor]:
        """Give the cross-entropy of the mean weights and likeliest winners, without smoothing."""
        return self._cross_entropy(batch, smoothing=0.0)[0]

    def measure(self) -> dict[str, float]:
        """Translate the validation split greedily, by mean weights: `bleu`, or `letter_error`."""
        pairs = self.corpus.pairs("dev")
        found = self.translate(TorchTokenStepper(self.model), pairs)
        texts = [self.corpus.vocabulary.decode(best[0].ids) for best in found]
        if self.corpus.unit == "letters":
            spelled = zip(texts, (pair.tokens for pair in pairs), strict=True)
            return {"letter_error": error_rate(spelled)}
        written = [join_tokens(text, self.corpus.unit) for text in texts]
        return {"bleu": corpus_bleu(written, [pair.text for pair in pairs])}

    def translate(
        self, stepper: TokenStepper[Any], pairs: Sequence[Pair], **search: Any
    ) -> list[list[Hypothesis]]:
        """Translate pairs of the corpus.

        Args:
            stepper: Runs the model, a sample of it or several.
            pairs: Their sources are read, not their targets.
            search: Fields of `SearchOptions`, such as `beam` and `length_penalty`.
        """
        target, corpus = self.corpus.vocabulary, self.corpus
        options = options_of(target, languages=corpus.languages, max_tokens=corpus.max_tokens)
        sources = [self._numbers(pair) for pair in pairs]
        starts = target.encode([pair.start for pair in pairs])
        options = replace(options, **search)
        return translate_sources(stepper, sources, starts, options=options)

    def _numbers(self, pair: Pair) -> Any:
        if self.corpus.source_vocabulary is None:
            return pair.source
        tokens = tuple(map(str, pair.source))
        return np.array(self.corpus.source_vocabulary.encode(tokens), dtype=np.int64)

    def _cross_entropy(
        self, batch: PairBatch, *, smoothing: float
    ) -> tuple[dict[str, Tensor], Tensor]:
        logits, glosses, present = self.model(batch.source, batch.lengths, batch.fed)
        counts = (batch.targets != 0).sum(1)
        rows = token_loss(logits, batch.targets, smoothing=smoothing)
        words = rows.sum() / counts.sum()
        losses = {"loss": words, "ce": words, "each": rows / counts}
        if glosses is not None:
            read = ctc_loss(glosses, present.sum(1), batch.glosses)
            labels = (batch.glosses != 0).sum().clamp(min=1)  # of what is held still, none
            losses["ctc"] = read.sum() / labels
            losses["loss"] = words + self.task.gloss_weight * losses["ctc"]
        return losses, present

    def _winners(self, present: Tensor, slots: Tensor) -> Tensor:
        """Give KL_ξ of a position, the mean over the real ones of encoder and decoder each."""
        total = present.new_zeros((), dtype=torch.float32)
        sides = (
            (self.model.source, present),
            (self.model.encoder, present),
            (self.model.decoder, slots),
        )
        for side, real in sides:
            divergence = last_divergence(side)
            if divergence is not None:
                total = total + (divergence * real).sum() / real.sum()
        return total


def _blocks(model: TranslateModel) -> int:
    """Count the competing blocks of one position of encoder and decoder."""
    if not competitions(model):
        return 0
    return (model.noisy_units + model.decoder.noisy_units) // model.config.block


SECTIONS = {"model": TranslateConfig, "task": TranslateTaskConfig, "corpus": PairCorpusConfig}


def build(sections: Mapping[str, Any], seed: int) -> TranslateTask:
    """Make the task of a recipe.

    Raises:
        ConfigError: The corpus cannot be opened, or lacks the glosses to recognise.
    """
    corpus = sections["corpus"].open()
    return TranslateTask(sections["model"], sections["task"], corpus=corpus, seed=seed)
