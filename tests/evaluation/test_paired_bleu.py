"""The paired bootstrap is sacreBLEU's, only faster."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from signloom.errors import ConfigError, MissingExtraError
from signloom.evaluation.paired_bleu import bleu, compare_bleu

WORDS = ["am", "tag", "regnet", "es", "im", "süden", "morgen", "wird", "sonnig", "warm", "."]


def spoil(sentences: list[str], share: float, seed: int) -> list[str]:
    """Put other words into a share of the places."""
    rng = np.random.default_rng(seed)
    return [
        " ".join(
            str(rng.choice(WORDS)) if rng.random() < share else word for word in sentence.split()
        )
        for sentence in sentences
    ]


@pytest.fixture(scope="module")
def references() -> list[str]:
    rng = np.random.default_rng(5)
    return [" ".join(rng.choice(WORDS, int(rng.integers(1, 15)))) for _ in range(67)]


def test_it_finds_what_sacrebleu_finds(references, monkeypatch) -> None:
    pytest.importorskip("sacrebleu")
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    first, second = spoil(references, 0.4, 1), spoil(references, 0.35, 2)
    monkeypatch.setenv("SACREBLEU_SEED", "11")
    test = PairedTest(
        [("first", first), ("second", second)],
        {"BLEU": BLEU(tokenize="none", force=True)},
        [references],
        test_type="bs",
        n_samples=99,
    )
    results = test()[1]["BLEU"]
    found = compare_bleu(first, second, references, resamples=99, seed=11)
    assert found.first.value == pytest.approx(results[0].score)
    assert found.second.value == pytest.approx(results[1].score)
    assert found.p_value == pytest.approx(results[1].p_value)


@pytest.mark.parametrize("words", [0, 1, 2, 3, 4, 9])
def test_bleu_of_counts_is_that_of_sacrebleu_however_few_match(words: int) -> None:
    pytest.importorskip("sacrebleu")
    from sacrebleu.metrics import BLEU

    metric = BLEU(tokenize="none", force=True)
    wanted = "a b c d e f g"
    for made in (" ".join(wanted.split()[:words]), "x y z w v u t s r"[: 2 * words], "a x c"):
        score = metric.corpus_score([made], [[wanted]])
        counts = np.array([score.sys_len, score.ref_len, *score.counts, *score.totals])
        assert float(bleu(counts)) == pytest.approx(score.score)


def test_a_better_system_is_told_from_an_equal_one(references) -> None:
    good, bad = spoil(references, 0.1, 1), spoil(references, 0.5, 2)
    better = compare_bleu(bad, good, references, seed=3)
    assert better.p_value < 0.01
    assert 0 < better.difference.low < better.difference.value < better.difference.high
    other = compare_bleu(good, spoil(references, 0.1, 7), references, seed=3)
    assert other.p_value > 0.05
    assert other.difference.low < 0 < other.difference.high


def test_a_system_is_not_better_than_itself_and_the_seed_fixes_all(references) -> None:
    system = spoil(references, 0.3, 1)
    same = compare_bleu(system, system, references)
    assert (same.difference.low, same.difference.value, same.difference.high) == (0, 0, 0)
    other = spoil(references, 0.3, 2)
    assert compare_bleu(system, other, references, seed=4) == compare_bleu(
        system, other, references, seed=4
    )
    assert compare_bleu(system, other, references, seed=4) != compare_bleu(
        system, other, references, seed=5
    )


def test_sides_of_different_size_are_refused_and_a_missing_extra_named(monkeypatch) -> None:
    with pytest.raises(ConfigError, match="equally many"):
        compare_bleu(["a"], ["a", "b"], ["a"])
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(MissingExtraError, match="`eval`"):
        compare_bleu(["a"], ["b"], ["a"])
