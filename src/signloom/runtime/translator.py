"""ONNX Runtime sessions of a translation package, as a stepper for the searches of tokens.

    encoder   tokens int64 [B, N] or features float32 [B, T, F], lengths int64 [B],
              noise float32 [B, P, U]                 → memory [B, P, L, 2, H, Dh]
    step      see `runtime.token_session`

`noise` is there where units compete; zeros let the likeliest win. Weights lie beside the graphs; a
posterior sample is a session whose weights are drawn, once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from signloom.errors import ConfigError, PackageError
from signloom.runtime.grafting import drawn
from signloom.runtime.graphs import open_graph
from signloom.runtime.package import Package
from signloom.runtime.token_session import TokenSession, TokenState
from signloom.runtime.translate_settings import MAX_SAMPLES, TranslateSettings
from signloom.runtime.weights import read_weights
from signloom.search.draws import Draw, Sources
from signloom.search.members import Members
from signloom.search.slots import Ids
from signloom.search.tokens import Scores, TokenStepper


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
        self._tokens = TokenSession(
            package,
            cache=self._cache,
            units=settings.decoder_units,
            threads=threads,
            weights=weights,
        )
        self._source = source
        self._check_shapes()

    @property
    def num_tokens(self) -> int:
        """Size of the target vocabulary."""
        return len(self.package.vocabulary)

    def begin(self, source: Sources) -> TokenState:
        """Encode the sources and allocate the cache.

        Raises:
            PackageError: The graph fails.
        """
        settings, count = self.settings, len(source.lengths)
        keys = source.keys() if self._draw else ()
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
        return self._tokens.begin(memory, -(-source.lengths // settings.stride), keys)

    def step(self, tokens: Ids, state: TokenState) -> tuple[Scores, TokenState]:
        """Score the next tokens and append the keys and values of those fed.

        Raises:
            PackageError: The graph fails, or gives what is no score.
        """
        units, noise = self.settings.decoder_units, None
        if units and self._draw:
            noise = self._draw.for_step(state.keys, state.position, units=units)
        elif units:
            noise = np.zeros((len(tokens), 1, units), dtype=np.float32)
        scores = self._tokens.step(tokens[:, None], state, noise)[:, 0]
        return Scores(scores, scores[None]), state

    def reorder(self, state: TokenState, rows: Ids) -> TokenState:
        """Take rows over, with their memory and cache."""
        return self._tokens.reorder(state, rows)

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
