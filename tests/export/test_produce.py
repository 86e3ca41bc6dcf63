"""Exported graphs: decoding equals the teacher-forced pass, and PyTorch, for every schedule."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.decoders.adapter import stepper_of
from signloom.errors import PackageError
from signloom.export.card import Origin
from signloom.export.package import export_task
from signloom.export.produce import check_parity
from signloom.pipelines.produce import Producer
from signloom.runtime.sessions import open_session
from signloom.search.blocks import Stepper, decode, decode_blocks, forced_pass
from signloom.systems.produce.config import ProduceConfig
from signloom.systems.produce.task import ProduceTask, ProduceTaskConfig

pytestmark = pytest.mark.compiled

KINDS: dict[str, dict[str, Any]] = {
    "ragged": {"levels": (6, 4), "velocity_span": 0},
    "injected": {"levels": (4, 2), "schedule": "injected", "velocity_span": 0},
    "counter-rich": {
        "levels": (1, 1),
        "counter": True,
        "source_relative": False,
        "rich_semantics": True,
    },
}
TOKENS = np.array(
    [[3, 4, 5, 0, 0], [5, 6, 7, 8, 3], [4, 0, 0, 0, 0], [8, 7, 0, 0, 0], [9, 3, 3, 5, 0]]
)
LENGTHS = np.array([25, 13, 8, 7, 1])


class Exported(NamedTuple):
    """A task and the package that was made of it."""

    task: ProduceTask
    session: Any
    folder: Path


@pytest.fixture(scope="module")
def corpus() -> Fingerspelling:
    return Fingerspelling()


@pytest.fixture(scope="module", params=[*KINDS])
def exported(
    request: pytest.FixtureRequest, corpus: Fingerspelling, tmp_path_factory: pytest.TempPathFactory
) -> Exported:
    torch.manual_seed(0)
    config = ProduceConfig(
        dim=24, ffn_dim=20, num_heads=3, encoder_layers=1, **KINDS[request.param]
    )
    config.check()
    task = ProduceTask(config, ProduceTaskConfig(), corpus=corpus, seed=0).eval()
    if config.counter:  # loud enough to come to 1 now and then
        with torch.no_grad():
            task.model.decoder.output.weight[-1] *= 2
    folder = tmp_path_factory.mktemp("export") / f"produce-test-{request.param}-v1"
    origin = Origin(recipe="produce/test", step=0)
    package = export_task(task, folder, system="produce", origin=origin)
    return Exported(task, open_session(package), folder)


def test_decoding_equals_the_teacher_forced_pass_and_torch(exported: Exported) -> None:
    in_torch = stepper_of(exported.task.model)
    decoded = decode(exported.session, TOKENS, LENGTHS)
    for stepper in (exported.session, in_torch):
        forced = forced_pass(stepper, TOKENS, LENGTHS, frames=decoded)
        for row, own in enumerate(LENGTHS):
            np.testing.assert_allclose(decoded[row, :own], forced[row, :own], atol=1e-5)


def ends(stepper: Stepper) -> list[int]:
    *_, last = decode_blocks(stepper, TOKENS, LENGTHS)
    return last.lengths.tolist()


def test_rows_end_where_they_end_in_torch(exported: Exported) -> None:
    own = ends(exported.session)
    assert own == ends(stepper_of(exported.task.model))
    counts = exported.task.model.config.counter
    assert (own != LENGTHS.tolist()) == counts
    assert (len(set(own)) > 2) or not counts


def test_a_batch_of_unequal_lengths_equals_each_alone(exported: Exported) -> None:
    batch, own_lengths = decode(exported.session, TOKENS, LENGTHS), ends(exported.session)
    for row, tokens, bound, own in zip(batch, TOKENS, LENGTHS, own_lengths, strict=True):
        alone = decode(exported.session, tokens[tokens != 0][None], bound[None])
        assert alone.shape[1] == own
        np.testing.assert_allclose(row[:own], alone[0], atol=1e-5)


def test_streamed_equals_whole_in_production(exported: Exported) -> None:
    producer = Producer(exported.folder)
    whole = producer.produce("hi new york")
    streamed = [pose.frames for pose in producer.stream("hi new york")]
    np.testing.assert_array_equal(np.concatenate(streamed), whole.pose.frames)
    one = producer.produce("hi")
    assert one.num_passes == producer.session.schedule.passes(one.pose.num_frames)


def test_lengths_are_read_as_in_torch(exported: Exported) -> None:
    task, session = exported.task, exported.session
    with torch.no_grad():
        _, logits = task.model.encode(torch.from_numpy(TOKENS))
    encoded = session.encode(TOKENS)
    np.testing.assert_allclose(encoded.length_logits, logits, atol=1e-5)
    np.testing.assert_array_equal(session.predict_lengths(encoded), task.model.read_lengths(logits))


def test_a_package_of_other_weights_is_refused(exported: Exported) -> None:
    bias = exported.task.model.decoder.output.bias
    with torch.no_grad():
        bias += 0.01
    try:
        with pytest.raises(PackageError, match="must equal the trained one"):
            check_parity(exported.task, exported.session.package)
    finally:
        with torch.no_grad():
            bias -= 0.01


def test_the_card_says_what_the_model_is_not(exported: Exported) -> None:
    card = exported.session.package.card
    assert "It is not sign language" in card
    assert "None were given at export." in card
