"""Exported graphs: decoding equals the teacher-forced pass, and PyTorch, for every decoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.decoders.adapter import TorchStepper
from signloom.errors import PackageError
from signloom.export.card import Origin
from signloom.export.package import export_task
from signloom.export.produce import check_parity
from signloom.runtime.sessions import ProduceSession
from signloom.search.blocks import decode, forced_pass
from signloom.systems.produce.config import ProduceConfig
from signloom.systems.produce.task import ProduceTask, ProduceTaskConfig

pytestmark = pytest.mark.compiled

KINDS = {
    "psat4-rich": ((8, 4, 2, 1), True),
    "at": ((1, 1, 1), False),
    "nat": ((0, 0, 0), False),
}
TOKENS = np.array([[3, 4, 5, 0, 0], [5, 6, 7, 8, 3], [4, 0, 0, 0, 0]])


@pytest.fixture(scope="module")
def corpus() -> Fingerspelling:
    return Fingerspelling()


@pytest.fixture(scope="module", params=[*KINDS])
def exported(
    request: pytest.FixtureRequest, corpus: Fingerspelling, tmp_path_factory: pytest.TempPathFactory
) -> tuple[ProduceTask, ProduceSession]:
    torch.manual_seed(0)
    levels, rich = KINDS[request.param]
    config = ProduceConfig(
        dim=24, ffn_dim=20, num_heads=3, encoder_layers=1, levels=levels, rich_semantics=rich
    )
    task = ProduceTask(config, ProduceTaskConfig(), corpus=corpus, seed=0).eval()
    folder = tmp_path_factory.mktemp("export") / f"produce-test-{request.param}-v1"
    package = export_task(
        task, folder, system="produce", origin=Origin(recipe="produce/test", step=0)
    )
    return task, ProduceSession(package)


@pytest.mark.parametrize("length", [1, 7, 8, 113])
def test_decoding_equals_the_teacher_forced_pass_and_torch(
    exported: tuple[ProduceTask, ProduceSession], length: int
) -> None:
    task, session = exported
    lengths = np.array([length, max(1, length - 3), 1])
    decoded = decode(session, TOKENS, lengths)
    forced = forced_pass(session, TOKENS, lengths, frames=decoded)
    in_torch = forced_pass(TorchStepper(task.model), TOKENS, lengths, frames=decoded)
    for row, own in enumerate(lengths):
        np.testing.assert_allclose(decoded[row, :own], forced[row, :own], atol=1e-5)
        np.testing.assert_allclose(decoded[row, :own], in_torch[row, :own], atol=1e-5)


@pytest.mark.parametrize("length", [1, 7, 8, 113])
def test_a_batch_of_unequal_lengths_equals_each_alone(
    exported: tuple[ProduceTask, ProduceSession], length: int
) -> None:
    _, session = exported
    lengths = np.array([length, max(1, length - 3), min(length, 5)])
    batch = decode(session, TOKENS, lengths)
    for row, tokens, own in zip(batch, TOKENS, lengths, strict=True):
        alone = decode(session, tokens[tokens != 0][None], own[None])
        np.testing.assert_allclose(row[:own], alone[0], atol=1e-5)


def test_lengths_are_read_as_in_torch(exported: tuple[ProduceTask, ProduceSession]) -> None:
    task, session = exported
    with torch.no_grad():
        _, logits = task.model.encode(torch.from_numpy(TOKENS))
    np.testing.assert_allclose(session.encode(TOKENS).length_logits, logits, atol=1e-5)


def test_a_package_of_other_weights_is_refused(
    exported: tuple[ProduceTask, ProduceSession],
) -> None:
    task, session = exported
    bias = task.model.decoder.output.bias
    with torch.no_grad():
        bias += 0.01
    try:
        with pytest.raises(PackageError, match="must equal the trained one"):
            check_parity(task, session.package)
    finally:
        with torch.no_grad():
            bias -= 0.01


def test_the_card_says_what_the_model_is_not(
    exported: tuple[ProduceTask, ProduceSession], tmp_path: Path
) -> None:
    _, session = exported
    assert "It is not sign language" in session.package.card
    assert "None were given at export." in session.package.card
