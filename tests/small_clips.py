"""A corpus of clips that is learned in seconds: every sign is a movement of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.drawing import draw_clips
from signloom.data.example import Example, Span
from signloom.poses.normalize import Standardiser, to_features
from signloom.poses.rest import rest_pose
from signloom.tokens.vocabulary import Vocabulary

SENTENCES = (("GO",), ("HI", "YOU"), ("YOU", "GO", "HI"), ("HI", "HI"), ("GO", "YOU"))
SIGN_FRAMES = 7
PICTURE_PX = 37


class SmallClips:
    """Sentences of three signs in several languages; see `ClipCorpus`.

    Args:
        languages: Codes of the languages, which take turns.
        filmed: Whether clips have pictures: a grey of its own for each sign.
        spans: Whether it is known when each sign is made.
    """

    kind = "signing"
    unit = "glosses"
    spoken_language = "en"
    fps = 25.0
    source = "made up"
    vocabulary = Vocabulary(("<pad>", "<unk>", "GO", "HI", "YOU"))

    def __init__(
        self, *languages: str, filmed: bool = False, spans: bool = True, pause: int = 3
    ) -> None:
        self.languages = languages or ("ase",)
        rng = np.random.default_rng(0)
        shape = (SIGN_FRAMES, 50, 3)
        self._signs = {one: rng.normal(scale=0.3, size=shape) for one in ("GO", "HI", "YOU")}
        self._filmed, self._spans, self._pause = filmed, spans, pause
        self._rows = [self._clip(number, tokens) for number, tokens in enumerate(SENTENCES)]
        self.max_frames = max(one.num_frames for one in self._rows)
        features = np.concatenate([to_features(one.frames) for one in self._rows])
        self.standardiser = Standardiser.fit(features)

    def examples(self, split: str) -> Sequence[Example]:
        return self._rows

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Example]:
        return draw_clips(self._rows, rng, train=split == "train", size=size, pool=pool)

    def _clip(self, number: int, tokens: tuple[str, ...]) -> Example:
        """Sign after sign, with a pause before each and at the end."""
        still = np.zeros((self._pause, 50, 3))
        parts = [part for one in tokens for part in (still, self._signs[one])]
        frames = (rest_pose() + np.concatenate([*parts, still])).astype(np.float32)
        step = self._pause + SIGN_FRAMES
        starts = [self._pause + step * place for place in range(len(tokens))]
        greys = np.full(len(frames), 20, dtype=np.uint8)
        for start, token in zip(starts, tokens, strict=True):
            greys[start : start + SIGN_FRAMES] = 60 * self.vocabulary.encode([token])[0]
        return Example(
            f"clip {number}",
            " ".join(tokens),
            tokens,
            frames,
            tuple(Span(one, one + SIGN_FRAMES) for one in starts) if self._spans else (),
            glosses=tokens,
            language=self.languages[number % len(self.languages)],
            confidence=np.ones(frames.shape[:2], dtype=np.float32),
            pictures=partial(_film, greys) if self._filmed else None,
        )


def _film(greys: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.broadcast_to(
        greys[:, None, None, None], (len(greys), PICTURE_PX, PICTURE_PX + 2, 3)
    ).copy()
