"""STAMF as a package: the graph gives what the model gives, and the package says what it is."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
import torch

from signloom.data.clip_augment import AugmentConfig
from signloom.errors import PackageError
from signloom.export.parity import RECOGNIZER_OUTPUTS, refuse_difference
from signloom.export.recognize import check_parity, example_clips, export_recognize
from signloom.runtime.package import Package
from signloom.runtime.recognize_settings import RecognizeSettings, language_model_of
from signloom.search.ngram import count
from signloom.systems.recognize.task import RecognizeTask, RecognizeTaskConfig
from tests.small_clips import SENTENCES, SmallClips
from tests.systems.recognize.small_model import small_config

pytestmark = pytest.mark.compiled
LANGUAGES = ("ase", "gsg", "lls")


def new_task(seed: int) -> RecognizeTask:
    torch.manual_seed(seed)
    config = small_config(
        pools=(2, 1),
        picture_width=2,
        keypoint_dim=4,
        picture_dim=4,
        lstm_dim=6,
    )
    return RecognizeTask(
        config,
        RecognizeTaskConfig(),
        corpus=SmallClips(*LANGUAGES, filmed=True),
        variation=AugmentConfig(resized_px=36),
        seed=0,
    ).eval()


@pytest.fixture(scope="module")
def task() -> RecognizeTask:
    task = new_task(0)
    for value in task.state_dict().values():
        if value.dim() == 1 and value.is_floating_point():
            value.uniform_(0.3, 1.1)
    return task


# The exporter is slow, so there is one export; it checks its parity with the model itself.
@pytest.fixture(scope="module")
def package(task: RecognizeTask, tmp_path_factory: pytest.TempPathFactory) -> Package:
    folder = tmp_path_factory.mktemp("recognize") / "new"
    return export_recognize(task, folder, name="recognize-x-v0", card="# X\n")


@pytest.fixture(scope="module")
def graph(package: Package) -> bytes:
    return (package.path / "recognizer.onnx").read_bytes()


@pytest.mark.parametrize("lengths", [(1,), (2,), (3, 1, 7), (5, 11, 4, 2), (64, 3)])
def test_the_graph_gives_what_the_model_gives(
    graph: bytes, task: RecognizeTask, lengths: tuple[int, ...]
) -> None:
    clips, counts = example_clips(task.model, lengths)
    with torch.no_grad():
        expected, steps = task.model(clips, counts)
    feed = {name: array.numpy() for name, array in (clips | {"lengths": counts}).items()}
    assert refuse_difference(graph, feed, expected=expected, steps=steps) < 1e-5
    assert steps.tolist() == [-(-length // 2) for length in lengths]


def test_padding_changes_nothing_in_the_graph(graph: bytes, task: RecognizeTask) -> None:
    session = onnxruntime.InferenceSession(graph)
    clips, counts = example_clips(task.model, (9,))
    feed = {name: array.numpy() for name, array in (clips | {"lengths": counts}).items()}
    alone, steps = session.run(list(RECOGNIZER_OUTPUTS), feed)
    wide = {
        name: np.concatenate([array, np.full_like(array[:, :4], 77)], axis=1)
        for name, array in feed.items()
        if array.ndim > 1
    }
    among, again = session.run(list(RECOGNIZER_OUTPUTS), feed | wide)
    assert steps.tolist() == again.tolist() == [5]
    np.testing.assert_allclose(among[:, :5], alone, atol=1e-5)


def test_another_models_graph_is_refused(graph: bytes, task: RecognizeTask) -> None:
    assert check_parity(task.model, graph) < 1e-4
    with pytest.raises(PackageError, match=r"must equal the model within 0\.0001, but differs by"):
        check_parity(new_task(1).model, graph)


def test_a_graph_that_counts_other_steps_is_refused(graph: bytes, task: RecognizeTask) -> None:
    clips, counts = example_clips(task.model, (6, 4))
    with torch.no_grad():
        expected, steps = task.model(clips, counts)
    feed = {name: array.numpy() for name, array in (clips | {"lengths": counts}).items()}
    with pytest.raises(PackageError, match=r"for lengths \[6, 4\]"):
        refuse_difference(graph, feed, expected=expected, steps=steps - 1)


def test_the_package_says_how_it_is_run(package: Package, task: RecognizeTask) -> None:
    settings = RecognizeSettings.read(package)
    assert (settings.name, settings.kind, settings.unit) == ("recognize-x-v0", "signing", "glosses")
    assert settings.inputs == ("poses", "confidence", "pictures", "language")
    assert (settings.languages, settings.spoken_language) == (LANGUAGES, "en")
    assert (settings.picture_px, settings.resized_px) == (32, 36)
    assert (settings.stride, settings.fps, settings.beam) == (2, 25.0, 10)
    assert package.vocabulary == task.corpus.vocabulary.tokens


def test_the_package_holds_the_n_grams_of_the_training_sentences(
    package: Package, task: RecognizeTask
) -> None:
    vocabulary = task.corpus.vocabulary
    assert package.ngrams == count([vocabulary.encode(one) for one in SENTENCES], 3)
    model = language_model_of(package)
    assert model is not None
    assert (model.order, model.num_tokens) == (3, 5)
