"""The same key gives the same numbers, any other key others; and they are what they claim to be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from signloom.search.chance import DECODER, ENCODER, sentence_key, weight_noise, winner_noise

WEIGHTS: dict[str, Any] = {"name": "head.weight", "shape": (5, 7), "seed": 3, "sample": 1}
WINNERS: dict[str, Any] = {
    "first": 2,
    "count": 5,
    "units": 11,
    "side": DECODER,
    "sentence": 2**63 + 7,
    "seed": 3,
    "sample": 1,
}


def test_the_same_key_gives_the_same_numbers() -> None:
    np.testing.assert_array_equal(weight_noise(**WEIGHTS), weight_noise(**WEIGHTS))
    np.testing.assert_array_equal(winner_noise(**WINNERS), winner_noise(**WINNERS))


def test_these_numbers_stay_the_same_from_release_to_release() -> None:
    weights, winners = weight_noise(**WEIGHTS)[0], winner_noise(**WINNERS)[0]
    np.testing.assert_allclose(weights[:3], [0.10343186, 1.43256712, 0.5811829], rtol=1e-5)
    np.testing.assert_allclose(winners[:3], [0.37712635, 0.70294315, 0.33977982], rtol=1e-5)


@pytest.mark.parametrize("changed", [{"name": "head.bias"}, {"seed": 4}, {"sample": 0}])
def test_every_part_of_a_weights_key_counts(changed: dict[str, Any]) -> None:
    assert not np.isin(weight_noise(**WEIGHTS | changed), weight_noise(**WEIGHTS)).any()


@pytest.mark.parametrize(
    "changed",
    [{"side": ENCODER}, {"sentence": 7}, {"seed": 4}, {"sample": 0}, {"first": 7}],
)
def test_every_part_of_a_winners_key_counts(changed: dict[str, Any]) -> None:
    assert not np.isin(winner_noise(**WINNERS | changed), winner_noise(**WINNERS)).any()


@pytest.mark.parametrize("units", [1, 7, 8, 11, 64])
def test_a_position_draws_the_same_alone_as_among_others(units: int) -> None:
    whole = winner_noise(**WINNERS | {"units": units, "first": 0, "count": 13})
    assert whole.shape == (13, units)
    assert len(np.unique(whole)) == whole.size
    for first, count in [(0, 1), (4, 1), (3, 7), (12, 1), (13, 0)]:
        part = winner_noise(**WINNERS | {"units": units, "first": first, "count": count})
        np.testing.assert_array_equal(part, whole[first : first + count])


def test_weight_noise_is_standard_normal() -> None:
    noise = weight_noise("wide", (300, 401), seed=0, sample=0)
    assert noise.dtype == np.float32
    count = noise.size
    assert abs(noise.mean()) < 4 / count**0.5
    assert abs(noise.var() - 1) < 4 * (2 / count) ** 0.5
    assert abs((np.abs(noise) < 1).mean() - 0.6827) < 4 * (0.6827 * 0.3173 / count) ** 0.5


def test_the_largest_of_logits_and_noise_is_a_draw_from_their_softmax() -> None:
    logits = np.array([-1.3, 0.4, 2.1, 0.0])
    noise = winner_noise(0, 3001, units=28, side=ENCODER, sentence=5, seed=0, sample=0)
    winners = (logits + noise.reshape(-1, 7, 4)).argmax(axis=-1)
    expected = np.exp(logits) / np.exp(logits).sum()
    deviation = (expected * (1 - expected) / winners.size) ** 0.5
    shares = np.bincount(winners.ravel(), minlength=4) / winners.size
    assert (np.abs(shares - expected) < 4 * deviation).all()
    # The blocks of a position draw apart: two of them agree as often as chance has it.
    agree = (winners[:, 0] == winners[:, 1]).mean()
    same = (expected**2).sum()
    assert abs(agree - same) < 4 * (same * (1 - same) / len(winners)) ** 0.5


def test_gumbel_noise_is_finite_and_has_its_mean_and_variance() -> None:
    noise = winner_noise(0, 1001, units=401, side=ENCODER, sentence=5, seed=0, sample=0)
    assert noise.dtype == np.float32
    assert np.isfinite(noise).all()
    assert abs(noise.mean() - np.euler_gamma) < 4 * (np.pi**2 / 6 / noise.size) ** 0.5
    # The fourth central moment of a Gumbel variable is 5.4 squared variances.
    assert abs(noise.var() / (np.pi**2 / 6) - 1) < 4 * (4.4 / noise.size) ** 0.5


def test_a_sentence_has_a_key_of_64_bits_of_its_own() -> None:
    keys = {sentence_key(bytes([one, other])) for one in range(31) for other in range(17)}
    assert len(keys) == 31 * 17
    assert max(keys).bit_length() == 64
