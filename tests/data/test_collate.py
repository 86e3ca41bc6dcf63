from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from signloom.data.collate import collate_clips, collate_pairs, pad_sources
from signloom.data.example import Example, Span
from signloom.data.pair import Pair
from signloom.errors import ConfigError
from signloom.poses.normalize import to_features
from signloom.tokens.vocabulary import Vocabulary

TARGET = Vocabulary(("<pad>", "<unk>", "<s>", "</s>", "<ase>", "a", "b"))
SOURCE = Vocabulary(("<pad>", "<unk>", "REGEN", "NORD"))
GLOSSES = Vocabulary(("<pad>", "X", "Y"))


def test_the_decoder_is_fed_the_start_and_the_target_and_gives_the_target_and_the_end() -> None:
    pairs = [
        Pair("one", ("NORD",), ("a", "b", "a"), "a b a", start="<ase>"),
        Pair("two", ("REGEN", "<unk>", "NORD"), ("b",), "b"),
        Pair("still", ("NORD",), (), ""),
    ]
    batch = collate_pairs(pairs, source=SOURCE, target=TARGET)
    assert batch.names == ("one", "two", "still")
    assert batch.source.tolist() == [[3, 0, 0], [2, 1, 3], [3, 0, 0]]
    assert batch.lengths.tolist() == [1, 3, 1]
    assert batch.fed.tolist() == [[4, 5, 6, 5], [2, 6, 0, 0], [2, 0, 0, 0]]
    assert batch.targets.tolist() == [[5, 6, 5, 3], [6, 3, 0, 0], [3, 0, 0, 0]]
    assert batch.glosses.shape == (3, 0)


def test_features_are_padded_with_zeros_and_glosses_are_the_labels_of_the_head() -> None:
    rng = np.random.default_rng(0)
    first, second = (rng.normal(size=(n, 5)).astype(np.float32) for n in (3, 7))
    pairs = [
        Pair("one", first, ("a",), "a", glosses=("Y", "X")),
        Pair("two", second, ("a",), "a", glosses=("X",)),
    ]
    batch = collate_pairs(pairs, source=None, target=TARGET, glosses=GLOSSES)
    assert batch.source.shape == (2, 7, 5)
    assert batch.source.dtype == torch.float32
    np.testing.assert_array_equal(batch.source[0, :3], first)
    assert (batch.source[0, 3:] == 0).all()
    np.testing.assert_array_equal(batch.source[1], second)
    assert batch.lengths.tolist() == [3, 7]
    assert batch.glosses.tolist() == [[2, 1], [1, 0]]


def test_sources_of_other_layouts_in_memory_are_taken_too() -> None:
    turned = np.arange(12, dtype=np.float32).reshape(3, 4).T
    padded = pad_sources([turned, turned[:2]], None)
    np.testing.assert_array_equal(padded[0], turned)


class TestClips:
    """Clips to recognise."""

    @staticmethod
    def clips() -> list[Example]:
        rng = np.random.default_rng(0)

        def clip(name: str, tokens: str, count: int, **more) -> Example:
            frames = rng.normal(size=(count, 50, 3)).astype(np.float32)
            return Example(name, tokens, tuple(tokens), frames, **({"spans": ()} | more))

        film = rng.integers(256, size=(5, 3, 4, 3)).astype(np.uint8)
        seen = rng.random((5, 50)).astype(np.float32)
        spans = (Span(0, 2), Span(3, 4))
        return [
            clip(
                "one", "ab", 5, spans=spans, language="gsg", confidence=seen, pictures=lambda: film
            ),
            clip("two", "b", 7, language="ase", pictures=lambda: np.repeat(film[:1], 7, axis=0)),
            clip("still", "", 2, language="gsg", pictures=lambda: film[:2]),
        ]

    def test_every_array_that_is_asked_for_is_padded_with_zeros(self) -> None:
        clips = self.clips()
        inputs = ("poses", "confidence", "pictures", "language")
        batch = collate_clips(clips, TARGET, inputs=inputs, languages=("ase", "gsg"))
        assert batch.names == ("one", "two", "still")
        assert batch.lengths.tolist() == [5, 7, 2]
        assert batch.tokens.tolist() == [[5, 6], [6, 0], [0, 0]]
        assert tuple(batch.clips) == inputs
        assert batch.clips["language"].tolist() == [1, 0, 1]
        shapes = {name: tuple(array.shape) for name, array in batch.clips.items()}
        assert shapes["poses"] == (3, 7, 150)
        assert shapes["confidence"] == (3, 7, 50)
        assert shapes["pictures"] == (3, 7, 3, 4, 3)
        assert batch.clips["pictures"].dtype == torch.uint8
        for name in ("poses", "confidence", "pictures"):
            assert (batch.clips[name][0, 5:] == 0).all()
        np.testing.assert_array_equal(batch.clips["poses"][0, :5], to_features(clips[0].frames))
        np.testing.assert_array_equal(batch.clips["confidence"][0, :5], clips[0].confidence)
        np.testing.assert_array_equal(batch.clips["pictures"][0, :5], clips[0].pictures())

    def test_joints_of_which_nothing_is_said_all_count(self) -> None:
        batch = collate_clips(self.clips(), TARGET, inputs=("confidence",))
        assert tuple(batch.clips) == ("confidence",)
        assert (batch.clips["confidence"][1] == 1).all()

    def test_what_is_signed_in_a_frame_is_told_where_it_is_known(self) -> None:
        batch = collate_clips(self.clips(), TARGET, inputs=("poses",))
        assert batch.spoken.tolist() == [[5, 5, 0, 6, 0, -1, -1], [-1] * 7, [-1] * 7]

    def test_a_clip_without_the_pictures_that_are_asked_for_is_named(self) -> None:
        clips = [dataclasses.replace(one, pictures=None) for one in self.clips()]
        with pytest.raises(ConfigError, match=r"`one` has none. Set `corpus\.rendered_px`"):
            collate_clips(clips, TARGET, inputs=("pictures",))
