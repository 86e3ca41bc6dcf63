from __future__ import annotations

import numpy as np
import torch

from signloom.data.collate import collate_pairs, pad_sources
from signloom.data.pair import Pair
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
