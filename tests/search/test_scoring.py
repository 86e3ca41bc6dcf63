import numpy as np

from signloom.search.scoring import log_softmax, member_spread


def test_probabilities_add_up_whatever_the_size_of_the_logits() -> None:
    logits = np.random.default_rng(3).normal(size=(5, 11)).astype(np.float32)
    for scale in (1, 1e4, 1e30):
        log_probs = log_softmax(logits * np.float32(scale))
        np.testing.assert_allclose(np.exp(log_probs).sum(axis=1), 1, rtol=1e-12)
        assert (log_probs <= 0).all()


def test_the_spread_is_the_deviation_of_the_members_probabilities() -> None:
    members = np.random.default_rng(5).normal(size=(3, 5, 7)).astype(np.float32) * 4
    rows, tokens = np.array([4, 0, 4, 2]), np.array([6, 1, 0, 3])
    probabilities = np.exp([log_softmax(member) for member in members])
    np.testing.assert_allclose(
        member_spread(members, rows=rows, tokens=tokens),
        probabilities[:, rows, tokens].std(axis=0),
        atol=1e-6,
    )


def test_one_member_has_no_spread() -> None:
    logits = np.random.default_rng(5).normal(size=(1, 3, 7)).astype(np.float32)
    spread = member_spread(logits, rows=np.array([2, 2]), tokens=np.array([5, 0]))
    assert spread.tolist() == [0, 0]
