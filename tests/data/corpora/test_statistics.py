from __future__ import annotations

import numpy as np

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.corpora.statistics import fit_standardiser, velocity_std
from signloom.poses.normalize import to_features


def test_standardised_utterances_have_mean_0_and_spread_1(corpus: Fingerspelling) -> None:
    standardiser = fit_standardiser(corpus, seed=3, samples=30)
    rng = np.random.default_rng(3)
    texts = [corpus.random_text(rng) for _ in range(20)]
    features = np.concatenate([to_features(corpus.build(text, rng).frames) for text in texts])
    standardised = standardiser.apply(features)
    moving = standardiser.std > 0.031
    assert moving.sum() > 50
    np.testing.assert_allclose(standardised.mean(axis=0), 0, atol=0.5)
    np.testing.assert_allclose(standardised.std(axis=0)[moving], 1, atol=0.5)


def test_statistics_follow_the_seed(corpus: Fingerspelling) -> None:
    one, two = (fit_standardiser(corpus, seed=3, samples=5) for _ in range(2))
    np.testing.assert_array_equal(one.mean, two.mean)


def test_velocity_spreads_less_over_a_longer_span_and_has_a_floor(corpus: Fingerspelling) -> None:
    short, long = (velocity_std(corpus, span=span, samples=30) for span in (1, 3))
    assert short.dtype == np.float32
    assert short.shape == (150,)
    assert (long <= short + 1e-6).all()
    assert short.min() == np.float32(0.02)


def test_no_velocity_is_scaled_by_one(corpus: Fingerspelling) -> None:
    np.testing.assert_array_equal(velocity_std(corpus, span=0), np.ones(150))
