"""Captions are one word at a time, in one size, never beyond the picture."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from signloom.poses.captions import Caption, with_pauses
from signloom.poses.render import palette
from signloom.poses.render.lettering import draw_word, fit, word_at

WIDTH, HEIGHT = 400, 48
LONG = "the donaudampfschiffahrtsgesellschaftskapitaenswitwe iiiiiiiiii mmmmmmmmmmmmmmmmmmmmmmmm a"


def spelled(text: str) -> tuple[Caption, ...]:
    letters = [(place / 2, place / 2 + 0.5, letter) for place, letter in enumerate(text)]
    return with_pauses([caption for caption in letters if caption[2] != " "], text)


def strip(captions: tuple[Caption, ...], time_s: float) -> np.ndarray:
    picture = Image.new("RGB", (WIDTH, HEIGHT), palette.BACKGROUND)
    draw_word(picture, captions, time_s=time_s, height=HEIGHT)
    return np.asarray(picture)


def has_color(picture: np.ndarray, color: palette.Color) -> bool:
    return bool((picture == np.array(color)).all(axis=-1).any())


def test_words_of_a_phrase_are_shown_one_by_one() -> None:
    captions = spelled("hello new york")
    shown = ["".join(word_at(captions, place / 2 + 0.2)) for place in range(14)]
    assert shown == ["hello"] * 6 + ["new"] * 4 + ["york"] * 4


def test_nothing_is_current_in_a_pause() -> None:
    assert word_at(spelled("ab c"), 1.2) == ("ab", "", "")


@pytest.mark.parametrize("place", range(0, len(LONG), 3))
def test_a_long_text_is_readable_and_never_clipped(place: int) -> None:
    picture = strip(spelled(LONG), place / 2 + 0.2)
    inked = (picture != np.array(palette.BACKGROUND)).any(axis=-1)
    assert not inked[:, :8].any()
    assert not inked[:, -8:].any()
    assert inked.any(axis=1).sum() >= 12
    assert has_color(picture, palette.ACCENT) == (LONG[place] != " ")


def test_all_words_have_one_size() -> None:
    captions = spelled("x xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
    heights = [
        (strip(captions, time_s) != np.array(palette.BACKGROUND)).any(axis=(1, 2)).sum()
        for time_s in (0.2, 1.2, 15.2)
    ]
    assert len(set(heights)) == 1


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (("", "a", "bcdefg"), ("", "a", "bcde…")),
        (("abcdef", "g", ""), ("…cdef", "g", "")),
        (("abc", "d", "efg"), ("…bc", "d", "e…")),
        (("ab", "c", "def"), ("ab", "c", "def")),
        (("", "abcdefgh", ""), ("", "abcdef", "")),
        (("abcdefgh", "", ""), ("…defgh", "", "")),
    ],
)
def test_what_is_farthest_from_the_letter_is_cut(parts, shown) -> None:
    assert fit(parts, measure=len, width=6.0) == shown


def test_a_word_of_any_length_is_fitted() -> None:
    was, now, then = fit(("a" * 100_000, "b", "c" * 100_000), measure=len, width=31.0)
    assert len(was) + len(now) + len(then) <= 31
    assert now == "b"
