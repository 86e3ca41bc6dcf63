"""A teacher's captions are written down as they are found, and a run that was killed goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from signloom.data.captions.taught import read_taught
from signloom.errors import ConfigError, FormatError
from signloom.training import distillation
from signloom.training.distillation import Teacher
from signloom.training.recipe import load_recipe
from signloom.training.run import run
from tests.small_pictures import write_features, write_pictures

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("teacher")
    pictures = write_pictures(folder / "pictures")
    features = write_features(pictures, folder / "features")
    small = [
        *("model.dim=16", "model.ffn_dim=24", "model.num_heads=2", "model.encoder_layers=1"),
        *("model.decoder_layers=1", "corpus.least=1", "corpus.max_words=7"),
        *(f"corpus.path={pictures}", f"corpus.features={features}", "training.steps=2"),
        *("training.interval=2", "training.validation_batches=1", "task.batch_size=3"),
    ]
    return run(load_recipe("caption/own", small), folder / "run", progress=False)


def test_a_run_that_was_killed_goes_on(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distillation, "CHUNK", 5)
    path, told = tmp_path / "taught.jsonl", []

    def killed(count: int) -> None:
        told.append(count)
        if sum(told) >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Teacher(checkpoint, beam=3, best=2).write(path, advance=killed)
    with path.open("a") as file:
        file.write('{"name": "images/train_r')  # a line that a kill cut off
    done = Teacher(checkpoint, beam=3, best=2).write(path)
    assert (done.kept, done.written) == (5, 7)
    whole = tmp_path / "whole.jsonl"
    assert Teacher(checkpoint, beam=3, best=2).write(whole).written == 12
    assert whole.read_text() == path.read_text()
    taught = read_taught(path)
    assert len(taught) == 12
    assert all(1 <= len(captions) <= 2 for captions in taught.values())
    assert Teacher(checkpoint, beam=3, best=2).write(path).written == 0


def test_what_is_another_teacher_s_is_kept(checkpoint: Path, tmp_path: Path) -> None:
    path = tmp_path / "taught.jsonl"
    path.write_text(json.dumps({"teacher": "x", "beam": 3, "best": 2}) + "\n")
    with pytest.raises(ConfigError, match="must be new or of the same teacher"):
        Teacher(checkpoint, beam=3, best=2).write(path)
    path.write_text("no json\n")
    with pytest.raises(FormatError, match="line 1 must be JSON"):
        Teacher(checkpoint, beam=3, best=2).write(path)


@pytest.mark.parametrize("content", ["no line", '{"a": 1}\nno line', '{"teacher": 1}\nno line'])
def test_a_file_of_something_else_is_left_as_it_is(
    checkpoint: Path, tmp_path: Path, content: str
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content)
    with pytest.raises((ConfigError, FormatError), match="must be"):
        Teacher(checkpoint, beam=3, best=2).write(path)
    assert path.read_text() == content


def test_two_at_once_are_kept_apart(checkpoint: Path, tmp_path: Path) -> None:
    path, teacher = tmp_path / "taught.jsonl", Teacher(checkpoint, beam=2, best=1)

    def second(_: int) -> None:
        with pytest.raises(FormatError, match="another one is writing it"):
            teacher.write(path)

    assert teacher.write(path, advance=second).written == 12
    assert len(read_taught(path)) == 12


def test_a_first_line_that_a_kill_cut_off_is_written_anew(checkpoint: Path, tmp_path: Path) -> None:
    teacher, path = Teacher(checkpoint, beam=2, best=1), tmp_path / "taught.jsonl"
    path.write_text('{"teacher": "')
    assert teacher.write(path).written == 12
    assert len(read_taught(path)) == 12


def test_more_captions_than_the_beam_has_are_refused(checkpoint: Path) -> None:
    with pytest.raises(ConfigError, match="`beam` must be 1 to 64, but is 65"):
        Teacher(checkpoint, beam=65)
    with pytest.raises(ConfigError, match="`best` must be 1 to `beam`, 3, but is 4"):
        Teacher(checkpoint, beam=3, best=4)


def test_a_corpus_needs_captions_of_every_picture(checkpoint: Path, tmp_path: Path) -> None:
    path = tmp_path / "taught.jsonl"
    Teacher(checkpoint, beam=2, best=1).write(path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    recipe = load_recipe(str(checkpoint.parent / "recipe.yaml"), [f"corpus.taught={path}"])
    with pytest.raises(ConfigError, match="Let `signloom distill` finish"):
        recipe.sections["corpus"].open()
    path.write_text("".join(lines))
    corpus = recipe.sections["corpus"].open()
    assert {len(one.tokens) for one in corpus.examples("train")} == {1}
    [one, *_] = corpus.examples("train")
    assert len(corpus.references(one)) == 2
    joined = load_recipe(
        str(checkpoint.parent / "recipe.yaml"), [f"corpus.taught={path}", "corpus.join=true"]
    )
    assert {len(one.tokens) for one in joined.sections["corpus"].open().examples("train")} == {3}
