from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.corpora.stitching import REPEAT_SLIDE
from signloom.data.example import Example
from signloom.errors import ConfigError, TextError
from signloom.poses.skeleton import (
    LEFT_HAND,
    NECK,
    RIGHT_ELBOW,
    RIGHT_HAND,
    RIGHT_WRIST,
    UPPER_BODY_50,
)
from signloom.tokens.spelling import spell

TEXTS = ("hello", "book keeper", "a", "jazz", "aaaaa", "quip", "zzz zz", "new york is big")


def built(corpus: Fingerspelling, *, jitter: bool = False) -> list[Example]:
    rng = np.random.default_rng(3)
    return [corpus.build(text, rng, jitter=jitter) for text in TEXTS]


def test_every_american_letter_has_a_usable_clip(corpus: Fingerspelling) -> None:
    assert "".join(corpus.alphabet.letters) == "abcdefghijklmnopqrstuvwxyz"
    assert corpus.alphabet.spoken_language == "en"
    assert corpus.excluded == ()


@pytest.mark.parametrize("jitter", [False, True])
def test_the_same_seed_gives_the_same_utterance(corpus: Fingerspelling, jitter: bool) -> None:
    first, second, other = (
        corpus.build("hello", np.random.default_rng(seed), jitter=jitter) for seed in (5, 5, 6)
    )
    np.testing.assert_array_equal(first.frames, second.frames)
    assert first.spans == second.spans
    assert first.frames.shape != other.frames.shape or (first.frames != other.frames).any()


def test_spans_follow_each_other_from_raise_to_lower(corpus: Fingerspelling) -> None:
    for example in built(corpus):
        assert len(example.spans) == len(example.tokens)
        assert (example.spans[0].start, example.spans[-1].end) == (6, example.num_frames - 6)
        assert all(left.end == right.start for left, right in pairwise(example.spans))
        assert all(6 <= span.end - span.start <= 14 for span in example.spans)


def test_an_utterance_begins_and_ends_at_rest(corpus: Fingerspelling) -> None:
    for example in built(corpus):
        np.testing.assert_allclose(example.frames[[0, -1]], [corpus.rest_frame] * 2, atol=1e-6)


@pytest.mark.parametrize("jitter", [False, True])
def test_nothing_jumps(corpus: Fingerspelling, jitter: bool) -> None:
    for example in built(corpus, jitter=jitter):
        steps = np.linalg.norm(np.diff(example.frames, axis=0), axis=-1)
        assert steps.max() < 0.85, example.text
        assert steps[:, RIGHT_WRIST].max() < 0.55, example.text
        assert steps[6:-6, RIGHT_HAND].max() < 0.6, example.text


def test_bones_keep_a_human_length(corpus: Fingerspelling) -> None:
    """A forearm may shorten on its way up and down: it points at the camera, and has no depth."""
    frames = np.concatenate([example.frames[6:-6] for example in built(corpus)])
    bones = np.array(UPPER_BODY_50.bones)
    lengths = np.linalg.norm(frames[:, bones[:, 1]] - frames[:, bones[:, 0]], axis=-1)
    of_hand = (bones[:, 0] >= RIGHT_HAND.start) & (bones[:, 1] < RIGHT_HAND.stop)
    ratio = lengths[:, of_hand] / np.median(lengths[:, of_hand], axis=0)
    assert ratio.max() < 1.8
    assert np.quantile(ratio, 0.01) > 0.4
    forearm = lengths[:, (bones == (RIGHT_ELBOW, RIGHT_WRIST)).all(axis=1)]
    assert 0.3 < forearm.min() < forearm.max() < 1


def test_hands_stay_on_their_wrists_and_the_torso_does_not_move(corpus: Fingerspelling) -> None:
    for example in built(corpus, jitter=True):
        frames = example.frames
        np.testing.assert_array_equal(frames[:, RIGHT_HAND.start], frames[:, RIGHT_WRIST])
        np.testing.assert_array_equal(frames[:, LEFT_HAND.start], frames[:, 4])
        torso = frames[:, [0, NECK, 2, 5]]
        np.testing.assert_array_equal(torso, np.broadcast_to(torso[:1], torso.shape))
        assert (frames[:, NECK] == 0).all()
        assert (frames[:, :8, 2] == 0).all()


def test_the_signer_stands_upright_and_signs_with_the_right_hand(corpus: Fingerspelling) -> None:
    rest, signing = corpus.rest_frame, corpus.stitched("b", 22).frames[11]
    assert rest[0, 1] < rest[NECK, 1] < rest[RIGHT_ELBOW, 1] < rest[RIGHT_WRIST, 1]
    assert rest[RIGHT_HAND, 1].max() > rest[RIGHT_WRIST, 1]
    assert signing[RIGHT_WRIST, 0] < -0.5 < 0.5 < signing[4, 0]
    fingertips = signing[[16, 20, 24, 28]]
    assert (fingertips[:, 1] < signing[RIGHT_WRIST, 1] - 0.2).all()


def test_the_idle_hand_rests(corpus: Fingerspelling) -> None:
    example = corpus.build("hello", np.random.default_rng(0), jitter=True)
    idle = example.frames[:, LEFT_HAND]
    np.testing.assert_array_equal(idle, np.broadcast_to(corpus.rest_frame[LEFT_HAND], idle.shape))


def test_a_doubled_letter_is_held_further_out_and_the_next_returns(corpus: Fingerspelling) -> None:
    example = corpus.build("llal", np.random.default_rng(0), pace=9.0)
    first, second, _, last = (
        example.frames[(span.start + span.end) // 2 + 2, RIGHT_WRIST, 0] for span in example.spans
    )
    assert first - second == pytest.approx(REPEAT_SLIDE, abs=0.02)
    assert last == pytest.approx(first, abs=0.02)


def test_a_letter_repeated_often_moves_each_time_but_stays_near(corpus: Fingerspelling) -> None:
    example = corpus.build("a" * 9, np.random.default_rng(0), pace=9.0)
    places = np.array([example.frames[span.end - 2, RIGHT_WRIST, 0] for span in example.spans])
    steps = np.abs(np.diff(places))
    assert steps.min() > REPEAT_SLIDE * 0.8
    assert np.ptp(places) < REPEAT_SLIDE * 3.2


def test_the_hand_sinks_between_words(corpus: Fingerspelling) -> None:
    example = corpus.build("l l", np.random.default_rng(0), pace=9.0)
    heights = [example.frames[span.end - 2, RIGHT_WRIST, 1] for span in example.spans]
    assert heights[1] > max(heights[0], heights[2]) + 0.15


def test_a_given_pace_leaves_nothing_to_chance(corpus: Fingerspelling) -> None:
    one, two = (corpus.build("hello", np.random.default_rng(seed), pace=9.0) for seed in (1, 2))
    np.testing.assert_array_equal(one.frames, two.frames)
    assert one.num_frames == 12 + 5 * 9


@pytest.mark.parametrize("frames", [1, 2, 7, 30, 42, 43, 57, 113, 300])
def test_stitching_gives_exactly_the_frames_asked_for(corpus: Fingerspelling, frames: int) -> None:
    example = corpus.stitched("hello", frames)
    assert example.num_frames == frames
    assert np.isfinite(example.frames).all()
    assert 0 <= example.spans[0].start <= example.spans[-1].end <= frames
    np.testing.assert_array_equal(example.frames[RIGHT_HAND.stop :, NECK], 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least one letter"),
        ("Hello", "holds 'H'"),
        ("a" * 29, "at most 28 tokens"),
    ],
)
def test_texts_that_cannot_be_built_are_refused(
    corpus: Fingerspelling, text: str, message: str
) -> None:
    with pytest.raises(TextError, match=message):
        corpus.build(text, np.random.default_rng(0))


def test_stitching_needs_a_frame(corpus: Fingerspelling) -> None:
    with pytest.raises(TextError, match="`frames` must be at least 1, but is 0"):
        corpus.stitched("hello", 0)


def test_the_longest_text_stays_within_300_frames_at_any_pace(corpus: Fingerspelling) -> None:
    rng = np.random.default_rng(0)
    text = "abcdefghijklmnopqrstuvwxyzab"
    lengths = {corpus.build(text, rng).num_frames for _ in range(50)}
    assert max(lengths) <= 300
    assert max(lengths) - min(lengths) > 40
    assert corpus.build(text, rng, pace=14.0).num_frames == 300
    assert corpus.build("ab", rng, pace=1.0).num_frames == 24


def test_held_out_samples_are_stable_and_have_their_doubles(corpus: Fingerspelling) -> None:
    words = corpus.heldout_texts("test", 300, doubled=100)
    assert words == corpus.heldout_texts("test", 300, doubled=100)
    assert words != corpus.heldout_texts("test", 300, doubled=100, seed=1)
    assert len(set(words)) == 300
    assert sum("<rep>" in spell(word, corpus.alphabet) for word in words) >= 100
    assert {3, 12} <= {len(word) for word in words} <= set(range(3, 13))
    assert set(words) <= set(corpus.words("test"))


def test_an_unknown_split_and_too_large_a_sample_are_refused(corpus: Fingerspelling) -> None:
    with pytest.raises(ConfigError, match="one of train, dev, test, but is `valid`"):
        corpus.words("valid")
    with pytest.raises(ConfigError, match="must hold 1000000 words"):
        corpus.heldout_texts("dev", 1_000_000)


@pytest.mark.parametrize(
    ("missing", "code"),
    [
        ("spoken_to_signed", "Fingerspelling()"),
        ("simplemma", "Fingerspelling().words('train')"),
    ],
)
def test_a_missing_extra_is_named_with_the_command_to_install_it(missing: str, code: str) -> None:
    script = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from signloom.errors import MissingExtraError\n"
        "from signloom.data.corpora.fingerspelling import Fingerspelling\n"
        f"try: {code}\n"
        "except MissingExtraError as error: print(error)"
    )
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert 'pip install "signloom[data]"' in result.stdout


def test_the_corpus_does_not_import_torch() -> None:
    script = "import sys, signloom.data.corpora.fingerspelling; print('torch' in sys.modules)"
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
