"""ONNX Runtime sessions of a translation package, as a stepper for the searches of tokens.

    encoder   tokens int64 [B, N] or features float32 [B, T, F], lengths int64 [B],
              noise float32 [B, P, U]                 → memory [B, P, L, 2, H, Dh]
    step      tokens int64 [R, S], past [t, R, L, 2, H, Dh], memory, lengths int64 [R] (positions),
              noise float32 [R, S, U']                → logits [R, S, V], new [S, R, L, 2, H, Dh]

`noise` is there where units compete; zeros let the likeliest win. Weights lie beside the graphs; a
posterior sample is a session whose weights are drawn, once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from signloom.errors import ConfigError, PackageError
from signloom.runtime.grafting import drawn
from signloom.runtime.graphs import open_graph
from signloom.runtime.package import Package
from signloom.runtime.translate_settings import MAX_SAMPLES, TranslateSettings
from signloom.runtime.weights import read_weights
from signloom.search.draws import Draw, Sources
from signloom.search.members import Members
from signloom.search.slots import Floats, Ids
from signloom.search.tokens import Scores, TokenStepper

FIRST_POSITIONS = 32
MAX_LOGIT = 1e30
"""Members are summed: beyond it their sum might no longer be finite."""


@dataclass
class TranslatorState:
    """What a step needs of the steps before it; one row a hypothesis."""

    memory: Floats
    lengths: Ids
    keys: tuple[int, ...]
    cache: Floats
    position: int = 0


class TranslatorSession:
    """One member of a translator: mean weights, or one posterior sample.

    Args:
        package: The package to run.
        draw: The sample to draw; by default the means, and the likeliest units win.
        threads: Threads inside one operator.

    Raises:
        PackageError: The package is of another system, or its graphs do not fit.
    """

    def __init__(self, package: Package, draw: Draw | None = None, *, threads: int = 1) -> None:
        self.package, self._draw = package, draw
        self.settings = settings = TranslateSettings.read(package)
        if package.weights is None:
            raise PackageError(f"The model package {package.path} must hold `weights.bin`.")
        weights = drawn(
            read_weights(package.weights),
            seed=draw.seed if draw else 0,
            sample=draw.sample if draw else None,
        )
        source = "tokens" if settings.source == "glosses" else "features"
        inputs = {source, "lengths"} | ({"noise"} if settings.encoder_units else set())
        self._encoder = open_graph(
            package, "encoder", names=(inputs, {"memory"}), threads=threads, weights=weights
        )
        inputs = {"tokens", "past", "memory", "lengths"}
        inputs |= {"noise"} if settings.decoder_units else set()
        self._step = open_graph(
            package, "step", names=(inputs, {"logits", "new"}), threads=threads, weights=weights
        )
        self._source = source
        self._check_shapes()

    @property
    def num_tokens(self) -> int:
        """Size of the target vocabulary."""
        return len(self.package.vocabulary)

    def begin(self, source: Sources) -> TranslatorState:
        """Encode the sources and allocate the cache.

        Raises:
            PackageError: The graph fails.
        """
        settings, keys = self.settings, source.keys()
        count = len(source.lengths)
        positions = -(-source.values.shape[1] // settings.stride)
        feed = {self._source: source.values, "lengths": source.lengths}
        if settings.encoder_units:
            shape = (count, positions, settings.encoder_units)
            feed["noise"] = (
                self._draw.for_encoder(keys, positions, units=settings.encoder_units)
                if self._draw
                else np.zeros(shape, dtype=np.float32)
            )
        [memory] = self._encoder.run(["memory"], feed, shapes=[(count, positions, *self._cache)])
        lengths = -(-source.lengths // settings.stride)
        cache = np.empty((FIRST_POSITIONS, count, *self._cache), dtype=np.float32)
        return TranslatorState(memory, lengths, keys, cache)

    def step(self, tokens: Ids, state: TranslatorState) -> tuple[Scores, TranslatorState]:
        """Score the next tokens and append the keys and values of those fed.

        Raises:
            PackageError: The graph fails, or gives what is no score.
        """
        rows = len(tokens)
        feed: dict[str, Any] = {
            "tokens": tokens[:, None],
            "past": state.cache[: state.position],
            "memory": state.memory,
            "lengths": state.lengths,
        }
        units = self.settings.decoder_units
        if units:
            feed["noise"] = (
                self._draw.for_step(state.keys, state.position, units=units)
                if self._draw
                else np.zeros((rows, 1, units), dtype=np.float32)
            )
        shapes = [(rows, 1, self.num_tokens), (1, rows, *self._cache)]
        logits, new = self._step.run(["logits", "new"], feed, shapes=shapes)
        if not (np.abs(logits) <= MAX_LOGIT).all():
            raise self._step.fault(f"`logits` must be finite, at most {MAX_LOGIT:g}, but are not")
        if state.position == len(state.cache):
            state.cache = np.concatenate([state.cache, np.empty_like(state.cache)])
        state.cache[state.position] = new[0]
        state.position += 1
        scores = logits[:, 0]
        return Scores(scores, scores[None]), state

    def reorder(self, state: TranslatorState, rows: Ids) -> TranslatorState:
        """Take rows over, with their memory and cache."""
        cache = np.empty((len(state.cache), len(rows), *self._cache), dtype=np.float32)
        cache[: state.position] = state.cache[: state.position, rows]
        return replace(
            state,
            memory=state.memory[rows],
            lengths=state.lengths[rows],
            keys=tuple(state.keys[int(row)] for row in rows),
            cache=cache,
        )

    @property
    def _cache(self) -> tuple[int, int, int, int]:
        """Shape of keys and values of one position, all layers."""
        settings = self.settings
        return settings.num_layers, 2, settings.num_heads, settings.head_dim

    def _check_shapes(self) -> None:
        settings = self.settings
        memory = (None, None, *self._cache)
        shapes: dict[str, tuple[int | None, ...]] = {"lengths": (None,), "memory": memory}
        features = () if self._source == "tokens" else (settings.num_features,)
        source: dict[str, tuple[int | None, ...]] = {self._source: (None, None, *features)}
        self._encoder.check_shapes(shapes | source | _noise_shape(settings.encoder_units))
        step: dict[str, tuple[int | None, ...]] = {
            "tokens": (None, None),
            "past": memory,
            "logits": (None, None, self.num_tokens),
            "new": memory,
        }
        self._step.check_shapes(shapes | step | _noise_shape(settings.decoder_units))


def _noise_shape(units: int) -> dict[str, tuple[int | None, ...]]:
    return {"noise": (None, None, units)} if units else {}


def open_translator(
    package: Package, *, samples: int = 0, seed: int = 0, threads: int = 1
) -> TokenStepper[Any]:
    """Open a translator by its mean, or by samples whose logits are averaged.

    Args:
        package: The package to run.
        samples: Joint samples of weights and winners, S; 0 takes means and likeliest winners.
        seed: Decides all samples.
        threads: Threads inside one operator.

    Raises:
        PackageError: The package is of another system, or its graphs do not fit.
        ConfigError: `samples` is out of range, or there is nothing to draw.
    """
    if not 0 <= samples <= MAX_SAMPLES:
        raise ConfigError(f"`samples` must be 0 to {MAX_SAMPLES}, but is {samples}.")
    if not samples:
        return TranslatorSession(package, threads=threads)
    if not TranslateSettings.read(package).is_stochastic:
        raise ConfigError(
            f"`samples` needs Gaussian weights or competing units, but {package.name} has "
            "neither. Leave it out."
        )
    draws = [Draw(seed, sample) for sample in range(samples)]
    return Members([TranslatorSession(package, draw, threads=threads) for draw in draws])
