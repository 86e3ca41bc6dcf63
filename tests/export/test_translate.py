"""A translation package gives what its model gives: by means, by samples, packed and halved."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from signloom.core.bayesian import bayesian_layers
from signloom.decoders.token_adapter import TorchTokenStepper, sampled_stepper
from signloom.errors import ConfigError, PackageError
from signloom.export.card import Origin
from signloom.export.compress import compress_package
from signloom.export.halving import LEAST_NUMBERS
from signloom.export.package import export_task
from signloom.export.translate_parity import check_parity
from signloom.runtime.package import Package, load_package, write_package
from signloom.runtime.translate_settings import TranslateSettings
from signloom.runtime.translator import open_translator
from signloom.runtime.weights import read_weights
from signloom.search.tokens import Hypothesis, TokenStepper
from signloom.systems.translate.task import TranslateTask
from tests.small_translator import Letters, tiny_task

pytestmark = pytest.mark.compiled

SAMPLES = 2
ORIGIN = Origin(recipe="translate/test", step=0)


class Exported(NamedTuple):
    """A task and the package that was made of it."""

    task: TranslateTask
    package: Package


def enliven(task: TranslateTask) -> TranslateTask:
    """Learn a little, so that each sentence has a translation of its own, and part the spreads."""
    optimizer = torch.optim.Adam(task.parameters(), lr=1e-2)
    for step in range(30):
        torch.manual_seed(step)
        optimizer.zero_grad()
        task.training_step(task.batch(step, "train"), 0)["loss"].backward()
        optimizer.step()
    with torch.no_grad():
        for layer in bayesian_layers(task.model).values():
            layer.raw_spread += 0.5 * torch.randn_like(layer.raw_spread)
    return task.eval()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    task = tiny_task(Letters(), {"stack": 5, "stride": 2, "initial_spread": 0.1})
    place = tmp_path_factory.mktemp("export") / "translate-letters-v1"
    return Exported(enliven(task), export_task(task, place, system="translate", origin=ORIGIN))


def translate(task: TranslateTask, stepper: TokenStepper[Any], **search: Any) -> list[Hypothesis]:
    return [best[0] for best in task.translate(stepper, task.corpus.pairs("test"), **search)]


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("samples", [0, SAMPLES])
def test_the_package_translates_as_torch_does(exported: Exported, beam: int, samples: int) -> None:
    task = exported.task
    theirs: TokenStepper[Any] = TorchTokenStepper(task.model)
    if samples:
        theirs = sampled_stepper(task.model, samples=samples, seed=5)
    expected = translate(task, theirs, beam=beam, length_penalty=0.6)
    ours = open_translator(exported.package, samples=samples, seed=5)
    found = translate(task, ours, beam=beam, length_penalty=0.6)
    assert len({one.ids for one in expected}) > 1
    for one, other in zip(found, expected, strict=True):
        assert one.ids == other.ids
        np.testing.assert_allclose(one.log_probs, other.log_probs, atol=1e-4)
        np.testing.assert_allclose(one.spreads, other.spreads, atol=1e-4)


def test_the_same_seed_gives_the_same_and_another_seed_other_scores(exported: Exported) -> None:
    first, again, other = (
        translate(exported.task, open_translator(exported.package, samples=SAMPLES, seed=seed))
        for seed in (5, 5, 6)
    )
    assert first == again
    assert all(
        one.log_probs != another.log_probs for one, another in zip(first, other, strict=True)
    )
    assert all(one.spread > 0 for one in first)


def test_weights_lie_beside_the_graphs_under_the_names_of_the_model(exported: Exported) -> None:
    stored = read_weights(exported.package.weights or b"")
    parameters = dict(exported.task.model.named_parameters())
    layers = bayesian_layers(exported.task.model)
    for name, tensor in stored.items():
        if name.endswith(".spread"):
            expected = layers[name.removesuffix(".weight.spread")].spread
        else:
            expected = parameters[name]
        np.testing.assert_array_equal(tensor.decode(), expected.detach().numpy())
    assert {f"{name}.weight" for name in layers} <= set(stored)
    assert {f"{name}.weight.spread" for name in layers} <= set(stored)


def test_settings_say_what_the_model_is(exported: Exported) -> None:
    settings = TranslateSettings.read(exported.package)
    model, corpus = exported.task.model, exported.task.corpus
    assert settings.is_stochastic
    assert settings.bayesian
    assert settings.source == corpus.source_kind
    assert settings.languages == corpus.languages
    assert settings.language == ("mul" if len(corpus.languages) > 1 else corpus.languages[0])
    assert (settings.encoder_units, settings.decoder_units) == (
        *(model.noisy_units, model.decoder.noisy_units),
    )
    assert (settings.max_source, settings.max_tokens) == (corpus.max_source, corpus.max_tokens)
    assert exported.package.vocabulary == corpus.vocabulary.tokens


def test_a_packed_package_runs_by_means_and_samples(exported: Exported, tmp_path: Path) -> None:
    report = compress_package(exported.package, tmp_path / "small")
    small = load_package(tmp_path / "small")
    assert report.bits is not None
    assert report.bits < 16
    for samples in (0, SAMPLES):
        found = translate(exported.task, open_translator(small, samples=samples, seed=5))
        whole = translate(exported.task, open_translator(exported.package, samples=samples, seed=5))
        assert len(found) == len(whole)
        assert found != whole
        assert all(np.isfinite(one.score) for one in found)


def test_a_package_of_other_weights_is_refused(exported: Exported) -> None:
    task = exported.task
    bias = task.model.decoder.output.bias
    assert check_parity(task.model, exported.package) < 1e-4
    with torch.no_grad():
        bias[3] += 0.01
    try:
        with pytest.raises(PackageError, match="must equal the model"):
            check_parity(task.model, exported.package)
    finally:
        with torch.no_grad():
            bias[3] -= 0.01


def test_a_package_without_chance_has_nothing_to_draw(exported: Exported, tmp_path: Path) -> None:
    package = exported.package
    certain = {"bayesian": False, "encoder_units": 0, "decoder_units": 0}
    plain = write_package(
        tmp_path / "plain",
        graphs=package.graphs,
        config={**package.config, **certain},
        vocabulary={"tokens": list(package.vocabulary)},
        card=package.card,
        weights=package.weights,
    )
    assert not TranslateSettings.read(plain).is_stochastic
    with pytest.raises(ConfigError, match="needs Gaussian weights or competing units"):
        open_translator(plain, samples=3)


def test_half_precision_stores_half_the_bytes_and_translates_alike(
    exported: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Large weights are not in the graphs, and small ones are not rounded: the graphs are the same.
    graphs = exported.package.graphs
    monkeypatch.setattr("signloom.export.translate.translate_graphs", lambda _: graphs)
    task = copy.deepcopy(exported.task)
    origin = Origin(recipe="translate/test", step=0, half=True)
    package = export_task(task, tmp_path / "translate-half-v1", system="translate", origin=origin)
    stored = read_weights(package.weights or b"")
    for tensor in stored.values():
        assert tensor.kind == ("float16" if tensor.count >= LEAST_NUMBERS else "float32")
    assert len(package.weights or b"") < len(exported.package.weights or b"")
    for samples in (0, SAMPLES):
        theirs: TokenStepper[Any] = TorchTokenStepper(task.model)
        if samples:
            theirs = sampled_stepper(task.model, samples=samples, seed=5)
        ours = open_translator(package, samples=samples, seed=5)
        for one, other in zip(translate(task, ours), translate(task, theirs), strict=True):
            assert one.ids == other.ids
            np.testing.assert_allclose(one.log_probs, other.log_probs, atol=1e-3)
