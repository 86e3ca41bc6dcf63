"""Searches on untrained models: by cache, in batches and by samples they find the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

from signloom.core.bayesian import bayesian_layers, sample_weights
from signloom.core.lwta import relaxed_winners
from signloom.decoders.token_adapter import (
    FIRST_POSITIONS,
    TokenModel,
    TorchTokenStepper,
    sampled_stepper,
)
from signloom.search.beam import beam_search
from signloom.search.draws import Draw, Sources
from signloom.search.greedy import greedy_search
from signloom.search.tokens import Bounds, Hypothesis, Scores, TokenStepper
from signloom.search.translation import SearchOptions, pad, translate_sources
from signloom.systems.translate.config import TranslateConfig
from signloom.systems.translate.model import TranslateModel

END, BANNED, STARTS = 3, (0, 1, 2), (2, 4, 2)
MOST = 9
SAMPLES = 2
KINDS: dict[str, dict[str, Any]] = {
    "glosses": {},
    "features": {"stack": 5, "stride": 3},
}


pytestmark = pytest.mark.compiled


@pytest.fixture(params=[*KINDS])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def make(kind: str, **changes: Any) -> TranslateModel:
    """Make a model whose untrained choices differ from step to step."""
    torch.manual_seed(0)
    config = TranslateConfig(
        dim=12,
        ffn_dim=20,
        num_heads=3,
        encoder_layers=1,
        decoder_layers=1,
        initial_spread=0.2,
        **(KINDS[kind] | changes),
    )
    config.check()
    features = kind == "features"
    model = TranslateModel(
        config,
        11,
        num_source=0 if features else 9,
        mean=torch.randn(5) if features else None,
        std=torch.rand(5) + 0.5 if features else None,
    ).eval()
    with torch.no_grad():
        model.decoder.output.weight *= 6
        model.decoder.output.bias[END] -= 1  # long sentences
    return model


def sources(kind: str) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    if kind == "features":
        return [rng.normal(size=(n, 5)).astype(np.float32) for n in (13, 1, 8)]
    return [rng.integers(1, 9, size=n) for n in (7, 1, 3)]


def bounds(rows: Sequence[int] = range(3), *, most: int = MOST) -> Bounds:
    starts = np.array([STARTS[row] for row in rows])
    return Bounds(starts=starts, end=END, banned=BANNED, most=np.full(len(starts), most))


def search(
    stepper: TokenStepper[Any], given: list[np.ndarray], *, first: int = 0, **search: Any
) -> list[Hypothesis]:
    options = SearchOptions(end=END, banned=BANNED, most=MOST, **search)
    starts = STARTS[first : first + len(given)]
    return [best[0] for best in translate_sources(stepper, given, starts, options=options)]


def assert_same(ours: Sequence[Hypothesis], theirs: Sequence[Hypothesis]) -> None:
    for one, other in zip(ours, theirs, strict=True):
        assert one.ids == other.ids
        np.testing.assert_allclose(one.log_probs, other.log_probs, atol=1e-5, rtol=1.3e-6)
        np.testing.assert_allclose(one.spreads, other.spreads, atol=1e-5)


def steppers(model: TranslateModel) -> list[TokenStepper[Any]]:
    return [TorchTokenStepper(model), sampled_stepper(model, samples=SAMPLES, seed=5)]


@dataclass
class Prefixed:
    """What the uncached stepper keeps: all tokens fed so far [rows, slots]."""

    source: Sources
    tokens: np.ndarray


class Uncached:
    """Recomputes encoder and prefix at every step, in one pass over all slots."""

    def __init__(self, model: TranslateModel, draw: Draw | None = None) -> None:
        self.model, self.draw = model, draw
        self.num_tokens = model.decoder.num_tokens

    def begin(self, source: Sources) -> Prefixed:
        return Prefixed(source, np.zeros((len(source.lengths), 0), dtype=np.int64))

    @torch.no_grad()
    def step(self, tokens: np.ndarray, state: Prefixed) -> tuple[Scores, Prefixed]:
        model, source = self.model, state.source
        fed = np.concatenate([state.tokens, tokens[:, None]], axis=1)
        encoder = decoder = None
        if self.draw and model.noisy_units:
            keys, positions = source.keys(), model.positions(source.values.shape[1])
            encoder = torch.from_numpy(
                self.draw.for_encoder(keys, positions, units=model.noisy_units)
            )
            units = model.decoder.noisy_units
            steps = [self.draw.for_step(keys, slot, units=units) for slot in range(fed.shape[1])]
            decoder = torch.from_numpy(np.concatenate(steps, axis=1))
        memory, present = model.remember(
            torch.from_numpy(source.values), torch.from_numpy(source.lengths), encoder
        )
        nothing = memory.new_zeros(0, len(fed), *memory.shape[2:])
        logits, _ = model.decoder(
            torch.from_numpy(fed), nothing, memory, present=present, noise=decoder
        )
        last = logits[:, -1].numpy()
        return Scores(last, last[None]), Prefixed(source, fed)

    def reorder(self, state: Prefixed, rows: np.ndarray) -> Prefixed:
        source = Sources(state.source.values[rows], state.source.lengths[rows])
        return Prefixed(source, state.tokens[rows])


def test_the_models_say_something_worth_comparing(kind: str) -> None:
    model = make(kind)
    assert isinstance(model, TokenModel)
    for stepper in steppers(model):
        assert isinstance(stepper, TokenStepper)
        found = search(stepper, sources(kind))
        assert len({one.ids for one in found}) > 1
        assert max(len(one.ids) for one in found) > 1


def test_a_beam_of_one_is_greedy(kind: str) -> None:
    batch = pad(sources(kind))
    for stepper in steppers(make(kind)):
        greedy = greedy_search(stepper, batch, bounds=bounds())
        beam = beam_search(stepper, batch, bounds=bounds(), beam=1, length_penalty=0.0)
        assert_same([best[0] for best in beam], greedy)


@pytest.mark.parametrize("beam", [1, 4])
def test_a_batch_of_unequal_sources_equals_each_alone(kind: str, beam: int) -> None:
    given = sources(kind)
    for stepper in steppers(make(kind)):
        together = search(stepper, given, beam=beam, length_penalty=0.7)
        for row, one in enumerate(given):
            options = SearchOptions(
                end=END, banned=BANNED, most=MOST, beam=beam, length_penalty=0.7
            )
            [[alone]] = translate_sources(stepper, [one], [STARTS[row]], options=options)
            assert_same([together[row]], [alone])


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("draw", [None, Draw(5, 1)])
def test_cached_equals_uncached(kind: str, beam: int, draw: Draw | None) -> None:
    model = make(kind)
    if draw:
        model = sample_weights(model, seed=draw.seed, sample=draw.sample)
    given = sources(kind)
    cached, uncached = TorchTokenStepper(model, draw), Uncached(model, draw)
    assert_same(search(cached, given, beam=beam), search(uncached, given, beam=beam))


def test_a_sentence_may_outgrow_the_cache_that_it_began_with() -> None:
    model = make("glosses")
    with torch.no_grad():
        model.decoder.output.bias[END] = -1e4
    batch = pad(sources("glosses"))
    long = bounds(most=FIRST_POSITIONS + 3)
    ours, theirs = (
        greedy_search(stepper, batch, bounds=long)
        for stepper in (TorchTokenStepper(model), Uncached(model))
    )
    assert {len(one.ids) for one in ours} == {FIRST_POSITIONS + 3}
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one.log_probs, other.log_probs, atol=1e-5)


def test_the_same_seed_finds_the_same_and_another_seed_other_scores() -> None:
    model, given = make("glosses"), sources("glosses")
    first, again, other = (
        search(sampled_stepper(model, samples=SAMPLES, seed=seed), given, beam=3)
        for seed in (5, 5, 6)
    )
    assert first == again
    for one, another in zip(first, other, strict=True):
        assert one.log_probs != another.log_probs


def test_samples_are_members_and_the_mean_of_their_logits_counts() -> None:
    model, batch = make("glosses"), pad(sources("glosses"))
    stepper = sampled_stepper(model, samples=SAMPLES, seed=5)
    tokens = np.array(STARTS)
    scores, _ = stepper.step(tokens, stepper.begin(batch))
    assert scores.members.shape == (SAMPLES, 3, 11)
    for sample in range(SAMPLES):
        drawn = sample_weights(model, seed=5, sample=sample)
        alone = TorchTokenStepper(drawn, Draw(5, sample))
        own, _ = alone.step(tokens, alone.begin(batch))
        np.testing.assert_array_equal(scores.members[sample], own.logits)
    np.testing.assert_allclose(scores.logits, scores.members.mean(0), atol=1e-6)
    assert (scores.members.std(0) > 0.01).mean() > 0.9


def test_samples_of_the_same_sentence_agree_between_beams() -> None:
    """Two rows of one sentence that are fed the same token score the next one alike."""
    model, batch = make("glosses"), pad(sources("glosses"))
    stepper = sampled_stepper(model, samples=SAMPLES, seed=5)
    state = stepper.reorder(stepper.begin(batch), np.array([2, 0, 2]))
    for _ in range(3):
        scores, state = stepper.step(np.array([4, 5, 4]), state)
        np.testing.assert_allclose(scores.members[:, 0], scores.members[:, 2], atol=1e-6)
    assert not np.allclose(scores.members[:, 0], scores.members[:, 1], atol=0.01)


def test_a_spread_of_nothing_and_no_competition_leave_nothing_to_chance() -> None:
    model = make("glosses", units="relu", weights="point")
    given = sources("glosses")
    sampled = search(sampled_stepper(model, samples=SAMPLES, seed=5), given)
    assert_same(sampled, search(TorchTokenStepper(model), given))
    assert all(one.spread == 0 for one in sampled)


@torch.no_grad()
def test_hard_winners_are_the_limit_of_a_falling_temperature(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The whole model, with relaxed winners on the same noise, comes to the same logits."""
    model, batch, draw = make("glosses"), pad(sources("glosses")), Draw(5, 1)
    tokens = np.array(STARTS)

    def logits() -> np.ndarray:
        stepper = TorchTokenStepper(model, draw)
        return stepper.step(tokens, stepper.begin(batch))[0].logits

    hard, off = logits(), []
    for temperature in (1.0, 0.01, 1e-6):
        monkeypatch.setattr(
            "signloom.core.lwta.hard_winners",
            lambda scores, t=temperature: relaxed_winners(scores, torch.zeros_like(scores), t),
        )
        off.append(float(np.abs(logits() - hard).max()))
    assert off[0] > 0.05
    assert off[1] < off[0]
    assert off[2] < 1e-5


def test_every_bayesian_weight_is_drawn() -> None:
    model = make("features")
    drawn = sample_weights(model, seed=5, sample=1)
    for name, layer in bayesian_layers(model).items():
        assert not torch.equal(layer.weight, bayesian_layers(drawn)[name].weight), name
