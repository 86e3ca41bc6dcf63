import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.search.greedy import greedy_search
from signloom.search.members import Members
from signloom.search.tokens import TokenStepper
from tests.search.token_steppers import Recurrent, Table, bounds, row_of, sources

TOKENS = np.array([1, 4, 6])


def test_logits_are_averaged_and_the_members_members_listed() -> None:
    first, second, third = (Recurrent(7, seed=seed) for seed in (1, 2, 3))
    single = [model.step(TOKENS, sources(3))[0].logits for model in (first, second, third)]
    pair = Members([first, second])
    whole = Members([pair, third])
    assert isinstance(whole, TokenStepper)
    scores, _ = whole.step(TOKENS, whole.begin(sources(3)))
    np.testing.assert_array_equal(scores.members, single)
    # The pair is one model of the two, and weighs no more than the third.
    expected = (single[0] + single[1]) / 4 + single[2] / 2
    np.testing.assert_allclose(scores.logits, expected, atol=1e-5, rtol=1.3e-6)
    assert scores.logits.dtype == np.float32


def test_every_member_follows_the_rows() -> None:
    models = [Recurrent(7, seed=seed) for seed in (1, 2)]
    members = Members(models)
    _, state = members.step(TOKENS, members.begin(sources(3)))
    rows = np.array([2, 0, 2, 1])
    scores, _ = members.step(np.array([3, 5, 6, 0]), members.reorder(state, rows))
    for model, given in zip(models, scores.members, strict=True):
        _, alone = model.step(TOKENS[rows], sources(3)[rows])
        np.testing.assert_array_equal(given, model.step(np.array([3, 5, 6, 0]), alone)[0].logits)


def test_members_that_disagree_show_it_in_the_spread() -> None:
    one, other = [[0.0, 0.2, 0.8]] * 3, [[0.0, 0.4, 0.6]] * 3
    (found,) = greedy_search(
        Members([Table(one), Table(other)]), 1, bounds=bounds([5], start=0, banned=(0,))
    )
    assert found.ids == ()
    assert found.spread == pytest.approx(0.1)
    # The mean of logits is the geometric mean of probabilities, scaled to a sum of 1.
    kept, ended = (0.2 * 0.4) ** 0.5, (0.8 * 0.6) ** 0.5
    assert found.confidence == pytest.approx(ended / (kept + ended))


def test_a_batch_equals_each_alone() -> None:
    members = Members([Recurrent(11, seed=seed) for seed in (1, 2, 3)])
    batch, source = bounds([9, 3, 13, 5, 11]), sources(5)
    for row, one in enumerate(greedy_search(members, source, bounds=batch)):
        alone = greedy_search(members, source[row : row + 1], bounds=row_of(batch, row))
        assert [one] == alone


def test_no_members_or_ones_of_different_vocabularies_are_refused() -> None:
    with pytest.raises(ConfigError, match="at least 1 member, but has none"):
        Members([])
    with pytest.raises(ConfigError, match="they have 7 and 11 tokens"):
        Members([Recurrent(11), Recurrent(7), Recurrent(11)])
