"""CIDEr-D is that of pycocoevalcap, also on the quick path of rewards."""

from __future__ import annotations

import time

import pytest

from signloom.metrics.cider import Cider
from tests.metrics.golden_captions import read_golden

CORPUS = [
    [one.split() for one in each]
    for each in (
        ["a cat sleeps on a mat", "the cat is asleep"],
        ["two dogs run on grass", "dogs are running"],
        ["a man rides a bike"],
    )
]


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("a cat sleeps on a mat", 5.30815261),
        ("a cat cat sleeps on on a mat", 2.52207164),
        ("a dog runs in the grass", 0.33919003),
        ("", 0.0),
    ],
)
def test_a_caption_scores_as_by_pycocoevalcap(caption, expected) -> None:
    # Those of pycocoevalcap 1.2: the first score of Cider().compute_score over CORPUS as a dict of
    # joined captions by number, and {0: [caption], 1: ["two dogs"], 2: ["a man"]}.
    assert Cider(CORPUS).score(caption.split(), CORPUS[0]) == pytest.approx(expected, abs=1e-8)


def test_a_caption_that_repeats_a_reference_gains_by_cider_but_not_by_cider_d() -> None:
    cider, stuffed = Cider(CORPUS), ["the", "cat", "is", "asleep", "asleep", "asleep", "asleep"]
    plain, clipped = cider.both(stuffed, CORPUS[0])
    assert clipped < cider.score(stuffed, CORPUS[0], is_d=False) == plain
    assert clipped == cider.score(stuffed, CORPUS[0])


def test_a_picture_without_references_scores_nothing() -> None:
    assert Cider(CORPUS).score(["a", "cat"], []) == 0


def test_each_of_two_hundred_captions_of_coco_scores_as_by_pycocoevalcap(data_dir) -> None:
    names, found, wanted, values = read_golden(data_dir)
    cider = Cider(wanted[:200])
    expected = values["first200_per_image_cider"]
    assert {
        name: cider.score(*pair) for name, *pair in zip(names[:200], found, wanted, strict=False)
    } == pytest.approx(expected, abs=1e-4)


@pytest.mark.compiled
def test_rewards_are_the_scores_and_quick(data_dir) -> None:
    _, found, wanted, _ = read_golden(data_dir)
    cider = Cider(wanted[:200])
    cooked = [cider.cook(each) for each in wanted[:200]]
    start = time.process_time()
    rewards = [
        cider.reward(caption, each)
        for caption, each in zip(found[:200] * 5, cooked * 5, strict=True)
    ]
    seconds = time.process_time() - start
    scores = [cider.score(*pair) for pair in zip(found[:200], wanted, strict=False)]
    assert rewards[-200:] == scores
    assert seconds < 1, "1,000 rewards take .15 s; self-critical training asks for thousands a step"
