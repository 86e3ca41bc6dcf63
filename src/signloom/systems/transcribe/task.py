"""Training of a transcriber: λ CTC + (1 − λ) decoder (NAT-UBD eq. 5), and its error rate.

The decoder's input is the true transcript, while in decoding it is what CTC heard: `input_noise`
replaces a share of it at random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor, nn

from signloom.core.subsampling import STRIDE
from signloom.data.collate import SpeechBatch, collate_speech
from signloom.data.corpora.drawing import step_rng
from signloom.data.speech.config import SpeechCorpusConfig
from signloom.data.speech.corpus import SpeechCorpus
from signloom.data.speech.listener import Listener
from signloom.data.speech.statistics import measure
from signloom.data.speech.utterance import Utterance
from signloom.data.speech.variation import VariationConfig
from signloom.decoders.autoregressive import AutoregressiveDecoder
from signloom.decoders.refinement_adapter import Heard, TorchRefiner
from signloom.features.acoustic import Acoustics
from signloom.losses.ctc import ctc_loss
from signloom.losses.tokens import token_loss
from signloom.metrics.text import error_rate
from signloom.search.ctc import greedy
from signloom.search.refine import Refinement, RefineOptions, refine
from signloom.search.translation import SearchOptions, translate_sources
from signloom.systems.transcribe.baseline import Baseline
from signloom.systems.transcribe.config import TranscribeConfig
from signloom.systems.transcribe.model import TranscribeModel
from signloom.tokens.targets import END, START, never_said, never_written


@dataclass(frozen=True, kw_only=True)
class TranscribeTaskConfig:
    """How a transcriber is trained, beside the optimiser and what speech is varied by."""

    batch_size: int = field(default=32, metadata={"least": 1, "most": 10000})
    """Utterances a step."""
    pool: int = field(default=4, metadata={"least": 1, "most": 1000})
    """Utterances are drawn `pool` batches at a time and the batch is cut from them by length."""
    kept: int = field(default=0, metadata={"least": 0, "most": 100})
    """Variants of each training utterance that are heard once and kept in memory, so that only what
    is hidden is drawn anew; 0 varies sound anew each time."""
    ctc_weight: float = field(default=0.3, metadata={"least": 0, "most": 1})
    """λ, the share of the CTC loss; the decoder has the rest."""
    smoothing: float = field(default=0.1, metadata={"least": 0, "most": 0.9})
    """Label smoothing of the decoder, 0 to 0.9."""
    input_noise: float = field(default=0.0, metadata={"least": 0, "most": 0.9})
    """Share of the refinement decoder's input tokens that are replaced at random in training."""
    iterations: int = field(default=1, metadata={"least": 0, "most": 100})
    """Passes of refinement when the validation split is measured."""


class TranscribeTask(nn.Module):
    """Batches, loss and measures around a `TranscribeModel`.

    Args:
        config: Size of the model.
        task: How it is trained.
        corpus: Where utterances come from.
        acoustics: What the model hears of them.
        variation: What training utterances are varied by.
        seed: Decides every batch: batch `step` is the same whenever it is asked for.
    """

    def __init__(
        self,
        config: TranscribeConfig,
        task: TranscribeTaskConfig,
        *,
        corpus: SpeechCorpus,
        acoustics: Acoustics,
        variation: VariationConfig,
        seed: int,
    ) -> None:
        super().__init__()
        self.task, self.corpus, self.seed = task, corpus, seed
        mean, std = measure(corpus, acoustics)
        self.listener = Listener(
            acoustics,
            variation,
            mean=mean,
            kept=task.kept,
            frames_a_token=2 * STRIDE,
            seed=seed,
        )
        vocabulary = corpus.vocabulary
        self.banned = never_said(vocabulary)
        self.start, self.end = vocabulary.encode([START, END])
        self.model = TranscribeModel(
            config, len(vocabulary), mean=torch.from_numpy(mean), std=torch.from_numpy(std)
        )

    def batch(self, step: int, split: str) -> SpeechBatch:
        """Build batch number `step` of a split; training speech is varied."""
        rng = step_rng(self.seed, split, step)
        size, pool = self.task.batch_size, self.task.pool
        utterances = self.corpus.draw(rng, split=split, size=size, pool=pool)
        return self.collate(utterances, rng if split == "train" else None)

    def collate(
        self, utterances: Sequence[Utterance], rng: np.random.Generator | None = None
    ) -> SpeechBatch:
        """Hear utterances of the corpus and pad them; `rng` varies them."""
        return collate_speech(
            [one.name for one in utterances],
            [
                self.listener.hear(one) if rng is None else self.listener.hear_varied(one, rng)
                for one in utterances
            ],
            [self.corpus.vocabulary.encode(one.tokens) for one in utterances],
        )

    def training_step(self, batch: SpeechBatch, step: int = 0) -> dict[str, Tensor]:
        """Give `loss` to minimise, its terms, and `each`, the loss of every utterance a token."""
        return self._losses(batch, smoothing=self.task.smoothing, noise=self.task.input_noise)

    def validation_step(self, batch: SpeechBatch) -> dict[str, Tensor]:
        """Give the same without smoothing and noise."""
        return self._losses(batch, smoothing=0.0, noise=0.0)

    def measure(self) -> dict[str, float]:
        """Transcribe the validation split: `error` a token, and `ctc_error`, that of CTC alone."""
        utterances = self.corpus.examples("dev")
        if isinstance(self.model.decoder, AutoregressiveDecoder):
            return {"error": self._rate(self.translate(utterances), utterances)}
        options = RefineOptions(iterations=self.task.iterations, banned=self.banned)
        found = self.transcribe(utterances, options)
        return {
            "error": self._rate([mended.ids for _, mended in found], utterances),
            "ctc_error": self._rate([first for first, _ in found], utterances),
        }

    @property
    def refiner(self) -> TorchRefiner:
        """What refines transcripts.

        Raises:
            TypeError: The decoder is autoregressive.
        """
        if isinstance(self.model.decoder, AutoregressiveDecoder):
            raise TypeError("An autoregressive decoder refines nothing: use `translate`.")
        return TorchRefiner(self.model.decoder)

    @torch.no_grad()
    def hear(self, batch: SpeechBatch) -> tuple[list[list[int]], Heard]:
        """Give what CTC hears of each row, and what the decoder remembers of it."""
        device = self.model.ctc.weight.device
        states, present = self.model.encode(batch.features.to(device), batch.lengths.to(device))
        log_probs, steps = self.model.read(states), present.sum(1)
        firsts = greedy(log_probs.cpu().numpy(), steps.cpu().numpy(), banned=self.banned)
        return firsts, Heard(self.model.decoder.remember(states), present)

    @torch.no_grad()
    def transcribe(
        self, utterances: Sequence[Utterance], options: RefineOptions
    ) -> list[tuple[list[int], Refinement]]:
        """Give what CTC hears of each utterance, and what refinement makes of it.

        Args:
            utterances: Of the corpus.
            options: How to refine.

        Raises:
            TypeError: The decoder is autoregressive.
        """
        was_training, refiner = self.training, self.refiner
        self.eval()
        found: dict[int, tuple[list[int], Refinement]] = {}
        for places in self._by_duration(utterances):
            firsts, heard = self.hear(self.collate([utterances[place] for place in places]))
            mended = refine(refiner, heard, firsts, options=options)
            found.update(zip(places, zip(firsts, mended, strict=True), strict=True))
        self.train(was_training)
        return [found[place] for place in range(len(utterances))]

    def translate(
        self, utterances: Sequence[Utterance], *, ctc_weight: float = 0.0, **search: Any
    ) -> list[tuple[int, ...]]:
        """Transcribe by the autoregressive decoder.

        Args:
            utterances: Of the corpus.
            ctc_weight: Share of CTC in the score; 0 is the decoder alone.
            search: Fields of `SearchOptions`, such as `beam`.
        """
        was_training = self.training
        self.eval()
        features = list(map(self.listener.hear, utterances))
        options = SearchOptions(
            end=self.end,
            banned=never_written(self.corpus.vocabulary, ()),
            # CTC could not say more either.
            most=max(self.model.positions(len(one)) for one in features) + 1,
            **search,
        )
        stepper = Baseline(self.model).stepper(ctc_weight=ctc_weight, end=self.end)
        starts = [self.start] * len(utterances)
        found = translate_sources(stepper, features, starts, options=options)
        self.train(was_training)
        return [best[0].ids for best in found]

    def _by_duration(self, utterances: Sequence[Utterance]) -> list[list[int]]:
        order = sorted(range(len(utterances)), key=lambda place: utterances[place].duration_s)
        size = self.task.batch_size
        return [order[first : first + size] for first in range(0, len(order), size)]

    def _rate(self, found: Sequence[Sequence[int]], utterances: Sequence[Utterance]) -> float:
        read = map(self.corpus.vocabulary.decode, found)
        return error_rate(zip(read, (one.tokens for one in utterances), strict=True))

    def _losses(self, batch: SpeechBatch, *, smoothing: float, noise: float) -> dict[str, Tensor]:
        model, weight = self.model, self.task.ctc_weight
        states, present = model.encode(batch.features, batch.lengths)
        rows = ctc_loss(model.read(states), present.sum(1), batch.tokens)
        fed, targets = self._fed(batch, noise=noise)
        counts = (targets != 0).sum(1)
        logits = model.decode(states, present, fed, counts)
        each = torch.stack([token_loss(one, targets, smoothing=smoothing) for one in logits])
        words = each.mean(0)
        ctc, decoder = rows.sum() / batch.counts.sum(), words.sum() / counts.sum()
        return {
            "loss": weight * ctc + (1 - weight) * decoder,
            "ctc": ctc,
            "decoder": decoder,
            "each": (weight * rows + (1 - weight) * words) / batch.counts,
        }

    def _fed(self, batch: SpeechBatch, *, noise: float) -> tuple[Tensor, Tensor]:
        """Give what the decoder is fed, and what it is to predict."""
        if not isinstance(self.model.decoder, AutoregressiveDecoder):
            return replace_tokens(
                batch.tokens,
                share=noise,
                first=max(self.banned) + 1,
                end=len(self.corpus.vocabulary),
            ), batch.tokens
        begun = torch.full_like(batch.tokens[:, :1], self.start)
        targets = torch.cat([batch.tokens, torch.zeros_like(begun)], dim=1)
        targets = targets.scatter(1, batch.counts[:, None], self.end)
        return torch.cat([begun, batch.tokens], dim=1), targets


def replace_tokens(
    tokens: Int[Tensor, "batch slots"], *, share: float, first: int, end: int
) -> Int[Tensor, "batch slots"]:
    """Replace a share of real tokens by others, drawn evenly from ids `first` to `end` - 1."""
    if not share:
        return tokens
    drawn = torch.randint(first, end, tokens.shape, device=tokens.device)
    chosen = (torch.rand(tokens.shape, device=tokens.device) < share) & (tokens != 0)
    return torch.where(chosen, drawn, tokens)


SECTIONS = {
    "model": TranscribeConfig,
    "task": TranscribeTaskConfig,
    "corpus": SpeechCorpusConfig,
    "variation": VariationConfig,
}


def build(sections: Mapping[str, Any], seed: int) -> TranscribeTask:
    """Make the task of a recipe.

    Raises:
        ConfigError: The corpus cannot be opened.
        FormatError: The data does not hold.
    """
    corpus = sections["corpus"].open()
    return TranscribeTask(
        sections["model"],
        sections["task"],
        corpus=corpus,
        acoustics=sections["corpus"].acoustics(corpus.rate),
        variation=sections["variation"],
        seed=seed,
    )
