"""Glosses and sentences in parallel files are a corpus of translation."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from signloom.data.corpora.drawing import step_rng
from signloom.data.corpora.pair_corpus import PairCorpus
from signloom.data.corpora.parallel_text import ParallelText, read_lines
from signloom.errors import ConfigError, FormatError

LINES = {
    "train": [
        ("MORGEN REGEN", "morgen regnet es ."),
        ("SONNE", "sonne ."),
        ("REGEN  NORD REGEN", "regen im norden und regen ."),
    ],
    "dev": [("SCHNEE REGEN", " schnee und regen . ")],
    "test": [("SONNE", "sonne ."), ("NORD", "norden .")],
}


def write(folder: Path, lines: dict[str, list[tuple[str, str]]] = LINES) -> tuple[str, str]:
    for split, pairs in lines.items():
        for place, end in enumerate(("gloss", "de")):
            text = "".join(f"{pair[place]}\n" for pair in pairs)
            (folder / f"x.{split}.{end}").write_text(text, encoding="utf-8")
    return str(folder / "x.{split}.gloss"), str(folder / "x.{split}.de")


def test_it_is_a_corpus_of_pairs(tmp_path: Path) -> None:
    corpus = ParallelText(*write(tmp_path))
    assert isinstance(corpus, PairCorpus)
    assert (corpus.languages, corpus.spoken_language) == (("gsg",), "de")
    assert (corpus.kind, corpus.unit, corpus.source_kind) == ("signing", "words", "glosses")
    assert (corpus.num_features, corpus.gloss_vocabulary) == (0, None)
    assert (corpus.max_source, corpus.max_tokens) == (3, 6)
    first, second = corpus.pairs("test")
    assert (first.source, first.tokens, first.text) == (("SONNE",), ("sonne", "."), "sonne .")
    assert (second.name, second.start) == ("test line 2", "<s>")


def test_the_vocabularies_are_those_of_training_and_the_rest_is_unknown(tmp_path: Path) -> None:
    corpus = ParallelText(*write(tmp_path))
    assert corpus.source_vocabulary.tokens == (
        *("<pad>", "<unk>", "REGEN", "MORGEN", "NORD", "SONNE"),
    )
    assert corpus.vocabulary.tokens[:6] == ("<pad>", "<unk>", "<s>", "</s>", ".", "regen")
    [pair] = corpus.pairs("dev")
    assert pair.source == ("<unk>", "REGEN")
    assert pair.tokens == ("<unk>", "und", "regen", ".")
    assert pair.text == "schnee und regen ."


def test_rare_tokens_are_unknown(tmp_path: Path) -> None:
    corpus = ParallelText(*write(tmp_path), least=2)
    assert corpus.source_vocabulary.tokens[2:] == ("REGEN",)
    assert corpus.vocabulary.tokens[4:] == (".", "regen")
    assert corpus.pairs("train")[1].source == ("<unk>",)


def test_long_and_empty_pairs_are_left_out_of_training(tmp_path: Path) -> None:
    more = [("", "nichts ."), ("SONNE", " "), ("A B C D E", "kurz ."), *LINES["train"]]
    files = write(tmp_path, LINES | {"train": more})
    assert [pair.name for pair in ParallelText(*files, max_tokens=4).pairs("train")] == [
        *("train line 4", "train line 5"),
    ]
    assert len(ParallelText(*files).pairs("train")) == 4


def test_a_batch_is_a_function_of_its_step(tmp_path: Path) -> None:
    corpus = ParallelText(*write(tmp_path))

    def draw(step: int, *, size: int = 2) -> list[str]:
        rows = corpus.draw(step_rng(3, "train", step), split="train", size=size, pool=3)
        return [row.name for row in rows]

    assert draw(5) == draw(5)
    assert len({tuple(draw(step)) for step in range(9)}) > 1
    assert len(draw(0, size=7)) == 7


def test_training_batches_are_of_like_lengths_and_others_of_any(tmp_path: Path) -> None:
    lengths = np.random.default_rng(0).permutation(np.arange(1, 41))
    train = [(" ".join(["A"] * length), "b .") for length in lengths]
    corpus = ParallelText(*write(tmp_path, LINES | {"train": train}))
    rows = corpus.draw(step_rng(0, "train", 0), split="train", size=10, pool=4)
    found = [row.length for row in rows]
    assert found == list(range(found[0], found[0] + 10))
    dev = corpus.draw(step_rng(0, "dev", 0), split="test", size=2, pool=4)
    assert {row.name for row in dev} == {"test line 1", "test line 2"}


@pytest.mark.parametrize("place", [0, 1])
def test_a_path_without_a_split_is_refused(tmp_path: Path, place: int) -> None:
    files = list(write(tmp_path))
    files[place] = files[place].replace("{split}", "train")
    with pytest.raises(ConfigError, match=rf"`corpus\.{('source', 'target')[place]}` must hold"):
        ParallelText(*files)


def test_files_of_different_numbers_of_lines_are_refused(tmp_path: Path) -> None:
    files = write(tmp_path)
    with (tmp_path / "x.dev.de").open("a") as file:
        file.write("noch ein satz .\n")
    with pytest.raises(FormatError, match="equally many lines, but have 1 and 2"):
        ParallelText(*files)


def test_what_is_missing_or_no_text_is_refused(tmp_path: Path) -> None:
    files = write(tmp_path)
    (tmp_path / "x.dev.de").write_bytes(b"schnee \xff .\n")
    with pytest.raises(FormatError, match=r"x\.dev\.de must be UTF-8"):
        ParallelText(*files)
    (tmp_path / "x.dev.de").unlink()
    with pytest.raises(FormatError, match=r"x\.dev\.de must be a text file"):
        ParallelText(*files)


def test_without_a_training_pair_there_is_no_corpus(tmp_path: Path) -> None:
    files = write(tmp_path)
    with pytest.raises(ConfigError, match=r"at most 1 tokens"):
        ParallelText(*files, max_tokens=1)
    with pytest.raises(ConfigError, match="have none"):
        ParallelText(*write(tmp_path, LINES | {"train": []}))


def test_lines_end_where_the_file_says_and_not_at_other_breaks(tmp_path: Path) -> None:
    """A line separator of Unicode within a sentence would shift all that follow."""
    train = [("A", "eins\u2028zwei ."), ("B", "drei\x0cvier .")]
    corpus = ParallelText(*write(tmp_path, LINES | {"train": train}))
    assert [pair.source for pair in corpus.pairs("train")] == [("A",), ("B",)]


def test_a_file_that_might_never_end_is_refused_unread(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FormatError, match="a pipe"):
        read_lines(tmp_path / "pipe")
