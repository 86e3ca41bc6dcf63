"""Recordings are cut where the arms hang, and where that is not enough, where the hand relaxes."""

from __future__ import annotations

import numpy as np

from signloom.poses.mirror import mirror
from signloom.poses.pauses import cut_utterances, cut_words, hanging, is_left_handed
from signloom.poses.retime import change_speed
from tests.tiny_translator import STRIDE, spelled


def cuts(*utterances: str, most: int = 1000, rest: int = 7) -> list[tuple[int, int]]:
    pose = spelled(*utterances, rest=rest)
    found = cut_utterances(pose.frames, fps=pose.fps, most=most)
    return [(cut.start, cut.stop) for cut in found]


def test_arms_hang_before_between_and_after_utterances() -> None:
    pose = spelled("abc", "d", rest=7)
    expected = [True] * 7 + [False] * 3 * STRIDE + [True] * 7 + [False] * STRIDE + [True] * 7
    assert hanging(pose.frames).tolist() == expected


def test_an_utterance_keeps_three_frames_of_the_rest_on_either_side() -> None:
    assert cuts("abc", "d", rest=11) == [(8, 38), (43, 57)]


def test_a_short_rest_is_shared_between_two_utterances() -> None:
    assert cuts("abc", "d", rest=5) == [(2, 32), (31, 45)]


def test_a_recording_of_one_utterance_from_rest_to_rest_stays_whole() -> None:
    assert cuts("abcd", rest=2) == [(0, 36)]


def test_a_recording_that_only_rests_is_one_piece() -> None:
    assert cuts(rest=99) == [(0, 99)]


def test_hanging_for_a_moment_is_no_rest() -> None:
    pose = spelled("abcd")
    frames = pose.frames.copy()
    frames[15:19] = frames[0]
    assert len(cut_utterances(frames, fps=25.0, most=1000)) == 1
    frames[15:20] = frames[0]
    assert len(cut_utterances(frames, fps=25.0, most=1000)) == 2


def test_what_is_shorter_than_a_letter_is_no_utterance() -> None:
    pose = spelled("abcd")
    frames = pose.frames.copy()
    frames[11:31] = frames[0]
    assert [cut.stop - cut.start for cut in cut_utterances(frames, fps=25.0, most=99)] == [14]


def test_what_is_too_long_is_cut_in_the_middle_of_its_pauses_and_nothing_else_is() -> None:
    assert cuts("ab cd", "d", most=40, rest=7) == [(4, 27), (27, 50), (51, 65)]
    assert cuts("ab cd", "d", most=46, rest=7) == [(4, 50), (51, 65)]


def test_the_last_pause_that_fits_is_taken() -> None:
    assert cuts("a b c d", most=37, rest=3) == [(0, 31), (31, 62)]


def test_where_no_pause_is_left_a_piece_stays_too_long() -> None:
    assert cuts("abcdabcd a", most=40, rest=3) == [(0, 71), (71, 86)]


def test_without_any_rest_nothing_is_known_of_a_relaxed_hand() -> None:
    frames = spelled("ab cd").frames[7:-7]
    assert cut_utterances(frames, fps=25.0, most=20) == [slice(0, 40)]


def test_how_the_hand_is_turned_does_not_matter() -> None:
    frames = spelled("ab cd").frames.copy()
    pause = slice(7 + 2 * STRIDE, 7 + 3 * STRIDE)
    wrist = frames[pause, 7:8].copy()
    frames[pause, 8:29] = (frames[pause, 8:29] - wrist)[..., [1, 0, 2]] + wrist
    assert len(cut_utterances(frames, fps=25.0, most=40)) == 2


def test_a_long_text_that_the_default_model_spells_is_cut_into_its_passages() -> None:
    from signloom.pipelines.produce import Producer

    producer = Producer()
    script = producer.read("the quick brown fox jumps over the lazy dog and away")
    pose = producer.produce(script).pose
    found = cut_utterances(pose.frames, fps=pose.fps, most=300)
    assert len(found) == len(script.passages) == 2
    assert max(cut.stop - cut.start for cut in found) <= 300
    slow = change_speed(pose, 0.5)
    pieces = cut_utterances(slow.frames, fps=pose.fps, most=300)
    assert len(pieces) > 2
    assert max(cut.stop - cut.start for cut in pieces) <= 300
    # Every cut in an utterance lies where the signing wrist has sunk and stays.
    inside = [cut.stop for cut in pieces if not hanging(slow.frames)[cut.stop - 1 : cut.stop].any()]
    assert inside
    for place in inside:
        height = slow.frames[place - 3 : place + 3, 7, 1]
        assert height.min() > 0.25
        assert np.ptp(height) < 0.05


def test_words_are_led_from_the_rest_of_their_utterance_and_back() -> None:
    frames = spelled("ab cd", "d").frames
    first, second, third = cut_words(frames, fps=25.0)
    cut = cut_utterances(frames, fps=25.0, most=1)
    lead = 3 + 4
    assert [len(word) for word in (first, second, third)] == [
        cut[0].stop - cut[0].start + lead,
        cut[1].stop - cut[1].start + lead,
        cut[2].stop - cut[2].start,
    ]
    np.testing.assert_array_equal(first[:-lead], frames[cut[0]])
    np.testing.assert_array_equal(second[lead:], frames[cut[1]])
    np.testing.assert_array_equal(third, frames[cut[2]])
    for word in (first, second, third):
        assert hanging(word)[0]
        assert hanging(word)[-1]
    # On the way nothing jumps further than between the pause and the rest.
    assert (
        np.abs(np.diff(second[: lead + 1], axis=0)).max() < np.abs(second[lead] - second[0]).max()
    )


def test_a_recording_without_a_rest_is_one_piece() -> None:
    frames = spelled("abcd", rest=0).frames[:-1]
    [piece] = cut_words(frames, fps=25.0)
    np.testing.assert_array_equal(piece, frames)


def test_who_raises_the_left_arm_is_left_handed() -> None:
    frames = spelled("abc").frames
    assert not is_left_handed(frames)
    assert is_left_handed(mirror(frames))
