"""Self-critical sequence training (Rennie et al. 2017) with the mean of the others as baseline.

Of each picture several captions are drawn, without gradients, by the very steps of decoding; their
CIDEr-D against what people say of it is their reward, and what is better than the other draws is
made likelier by one teacher-forced pass. Document frequencies are those of the training split.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from signloom.data.captions.corpus import CaptionCorpus
from signloom.decoders.token_adapter import TorchGroupStepper
from signloom.losses.tokens import token_loss
from signloom.metrics.cider import Cider
from signloom.search.draws import Sources
from signloom.search.groups import Grouped
from signloom.search.sampling import sample
from signloom.search.tokens import Bounds
from signloom.search.translation import SearchOptions
from signloom.systems.caption.batch import CaptionBatch, shift_captions
from signloom.systems.caption.model import CaptionModel
from signloom.tokens.targets import START


class SelfCritical:
    """Draws captions, rewards them and gives the loss.

    Args:
        corpus: Its training captions are the references.
        samples: Captions drawn of each picture, at least 2.
    """

    def __init__(self, corpus: CaptionCorpus, *, samples: int) -> None:
        self._vocabulary, self._samples = corpus.vocabulary, samples
        [self._start] = corpus.vocabulary.encode([START])
        references = {one.name: corpus.references(one) for one in corpus.examples("train")}
        self._cider = Cider(list(references.values()))
        self._cooked = {name: self._cider.cook(each) for name, each in references.items()}

    def losses(
        self,
        model: CaptionModel,
        batch: CaptionBatch,
        *,
        rng: np.random.Generator,
        options: SearchOptions,
    ) -> dict[str, Tensor]:
        """Give `loss`, `each`, that of every picture, and the mean `reward`."""
        device = batch.features.device
        drawn = self._draw(model, batch, rng=rng, options=options)
        rewards = self._rewards(batch.names, drawn, end=options.end)
        others = (rewards.sum(1, keepdims=True) - rewards) / (self._samples - 1)
        advantage = torch.from_numpy(rewards - others).float().flatten().to(device)
        captions = [one for each in drawn for one in each]
        fed, targets = shift_captions(captions, start=self._start, group=model.config.group)
        fed, targets = fed.to(device), targets.to(device)
        pictures = torch.arange(len(drawn), device=device).repeat_interleave(self._samples)
        logits = model(batch.features, batch.lengths, fed, pictures)
        rows = advantage * token_loss(logits, targets)
        count = (targets != 0).sum()
        each = rows.reshape(len(drawn), -1).sum(1) / count
        return {"loss": each.sum(), "each": each, "reward": torch.tensor(rewards.mean())}

    def _draw(
        self,
        model: CaptionModel,
        batch: CaptionBatch,
        *,
        rng: np.random.Generator,
        options: SearchOptions,
    ) -> list[list[tuple[int, ...]]]:
        count = len(batch.names)
        bounds = Bounds(
            starts=np.full(count, self._start),
            end=options.end,
            banned=options.banned,
            most=np.full(count, options.most),
        )
        was_training = model.training
        model.eval()
        drawn = sample(
            Grouped(TorchGroupStepper(model), suppress=False),
            Sources(batch.features.cpu().numpy(), batch.lengths.cpu().numpy()),
            bounds=bounds,
            samples=self._samples,
            rng=rng,
        )
        model.train(was_training)
        return drawn

    def _rewards(
        self, names: tuple[str, ...], drawn: list[list[tuple[int, ...]]], *, end: int
    ) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        """Give the CIDEr-D of each draw [pictures, samples]; the end token is no word."""
        rewards = [
            [
                self._cider.reward(self._vocabulary.decode([one for one in ids if one != end]), own)
                for ids in each
            ]
            for each, own in zip(drawn, (self._cooked[name] for name in names), strict=True)
        ]
        return np.array(rewards)
