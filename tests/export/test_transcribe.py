"""NAT-UBD as a package: the graphs give what the model gives, and the package says what it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from signloom.data.speech.variation import VariationConfig
from signloom.errors import ConfigError, PackageError
from signloom.export.card import Origin, card_of
from signloom.export.package import export_task
from signloom.export.transcribe import export_transcribe
from signloom.export.transcribe_parity import check_parity
from signloom.features.acoustic import Acoustics
from signloom.features.sound import Sound
from signloom.pipelines.transcribe import Transcriber
from signloom.runtime.package import Package
from signloom.runtime.transcribe_settings import TranscribeSettings, banned_tokens
from signloom.runtime.transcriber import TranscriberSession
from signloom.search.ctc import greedy
from signloom.search.refine import RefineOptions, refine
from signloom.systems.transcribe.config import TranscribeConfig
from signloom.systems.transcribe.task import TranscribeTask, TranscribeTaskConfig
from tests.tone_strings import ToneStrings

pytestmark = pytest.mark.compiled
ORIGIN = Origin(recipe="transcribe/toy", step=7)


def new_task(seed: int = 0, **changes: Any) -> TranscribeTask:
    torch.manual_seed(seed)
    sizes = {"dim": 8, "ffn_dim": 12, "num_heads": 2, "channels": 3, "kernel": 3}
    parts: dict[str, Any] = {"encoder": "conformer", "encoder_layers": 1, "decoder_layers": 1}
    corpus = ToneStrings()
    return TranscribeTask(
        TranscribeConfig(**(sizes | parts | changes)),
        TranscribeTaskConfig(batch_size=3),
        corpus=corpus,
        acoustics=Acoustics(rate=corpus.rate, num_mels=5, pitch=False),
        variation=VariationConfig(),
        seed=0,
    ).eval()


@pytest.fixture(scope="module")
def task() -> TranscribeTask:
    return new_task()


# The exporter is slow, so there is one export; it checks its parity with the model itself.
@pytest.fixture(scope="module")
def package(task: TranscribeTask, tmp_path_factory: pytest.TempPathFactory) -> Package:
    folder = tmp_path_factory.mktemp("transcribe") / "new"
    return export_transcribe(task, folder, name="transcribe-x-v0", card="# X\n")


@pytest.fixture(scope="module")
def session(package: Package) -> TranscriberSession:
    return TranscriberSession(package)


def test_the_package_refines_as_the_model_does(
    session: TranscriberSession, task: TranscribeTask
) -> None:
    utterances = task.corpus.examples("test")
    options = RefineOptions(iterations=3, banned=banned_tokens(session.package))
    features = [session.acoustics.compute(one.read()) for one in utterances]
    found = {}
    for heard in session.listen(features):
        firsts = [
            greedy(row[None], np.array([len(row)]), banned=task.banned)[0]
            for row in heard.log_probs
        ]
        mended = refine(session, heard.memory, firsts, options=options)
        found.update(zip(heard.places, zip(firsts, mended, strict=True), strict=True))
    assert any(first for first, _ in found.values())
    for place, (first, mended) in enumerate(task.transcribe(utterances, options)):
        assert found[place][0] == first
        assert found[place][1].ids == mended.ids
        assert found[place][1].log_probs == pytest.approx(mended.log_probs, abs=1e-4)


@pytest.mark.parametrize("frames", [1, 2, 4, 5, 31])
def test_a_passage_is_heard_alone_as_beside_a_longer_one(
    session: TranscriberSession, frames: int
) -> None:
    rng = np.random.default_rng(frames)
    short, long = (rng.normal(3, 9, (length, 5)).astype(np.float32) for length in (frames, 43))
    [alone], [both] = list(session.listen([short])), list(session.listen([short, long]))
    assert len(alone.log_probs[0]) == -(-frames // 4)
    np.testing.assert_allclose(both.log_probs[0], alone.log_probs[0], atol=1e-5)
    tokens, lengths = np.array([[4, 7, 5], [8, 0, 0]]), np.array([3, 1])
    beside = session.predict(tokens, lengths, both.memory)
    by_itself = session.predict(tokens[:1], lengths[:1], alone.memory)
    np.testing.assert_allclose(beside[:, :1], by_itself, atol=1e-4)
    assert np.isfinite(session.predict(tokens[1:, :1], lengths[1:], alone.memory)).all()


def test_another_models_graphs_are_refused(package: Package, task: TranscribeTask) -> None:
    graphs = {name: (package.path / f"{name}.onnx").read_bytes() for name in package.graphs}
    assert check_parity(task.model, graphs) < 1e-5
    stranger = new_task(1).model
    with pytest.raises(PackageError, match=r"exported encoder must equal the model within 0\.0001"):
        check_parity(stranger, graphs)
    twin = new_task(0).model
    twin.decoder.decoders[0].output.bias.data += 1
    with pytest.raises(PackageError, match=r"decoder must .* differs by 1 for lengths \[1\]"):
        check_parity(twin, graphs)


def test_the_package_says_how_it_is_run(package: Package, task: TranscribeTask) -> None:
    settings = TranscribeSettings.read(package)
    assert (settings.name, settings.kind, settings.unit) == ("transcribe-x-v0", "speech", "words")
    assert (settings.rate, settings.num_mels, settings.pitch) == (8000, 5, False)
    assert (settings.stride, settings.readers, settings.max_s) == (4, 1, 2.5)
    assert (settings.num_layers, settings.num_heads, settings.head_dim) == (1, 2, 4)
    assert (settings.iterations, settings.spoken_language) == (10, "en")
    assert package.vocabulary == task.corpus.vocabulary.tokens


def test_the_package_transcribes_sound(package: Package, task: TranscribeTask) -> None:
    samples = task.corpus.examples("dev")[0].read()
    found = Transcriber(package.path).transcribe(Sound(samples, 8000, 8000))
    assert found.num_passages == 1
    assert set(found.tokens) <= set(package.vocabulary[4:])


def test_the_baseline_is_not_exported(tmp_path: Path) -> None:
    task = new_task(decoder="autoregressive")
    with pytest.raises(ConfigError, match="right_to_left or both to be exported, but is autoreg"):
        export_task(task, tmp_path / "x", system="transcribe", origin=ORIGIN)
    with pytest.raises(ConfigError, match="must be unified, left_to_right"):
        export_transcribe(task, tmp_path / "x", name="x", card="# X\n")
    assert not (tmp_path / "x").exists()


def test_the_card_names_data_licence_and_every_word(task: TranscribeTask) -> None:
    card = card_of("transcribe-x-v0", system="transcribe", task=task, origin=ORIGIN)
    assert "- Language: `en`; 5 words: one, two, three, four, five." in card
    assert "- Data: tones of sines.\n- Licence: none is needed, that of the data." in card
    assert "NAT-UBD: Conformer of 1 layers with CTC, refined by 1 layers, all tokens" in card
    assert "It knows its 5 words and nothing else" in card
