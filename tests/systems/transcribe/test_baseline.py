"""The autoregressive baseline, decoded by itself and jointly with its CTC."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from signloom.decoders.token_adapter import TokenModel, TorchTokenStepper
from signloom.errors import ConfigError
from signloom.search.draws import Sources
from signloom.search.joint import JointStepper
from signloom.search.translation import SearchOptions, translate_sources
from signloom.systems.transcribe.baseline import Baseline
from signloom.systems.transcribe.model import TranscribeModel
from tests.systems.transcribe.small_model import NUM_FEATURES, small_model

START, END = 2, 3


def speech(*lengths: int) -> list[np.ndarray]:
    return [
        np.random.default_rng(length).normal(size=(length, NUM_FEATURES)).astype(np.float32)
        for length in lengths
    ]


@pytest.fixture(scope="module")
def model() -> TranscribeModel:
    """Let CTC hear 5 and then 6 in anything, and the decoder know nothing."""
    model = small_model(decoder="autoregressive")
    with torch.no_grad():
        model.ctc.weight.zero_()
        model.ctc.bias.copy_(torch.tensor([0.0, -9, -9, -9, -9, 2, 1, -9, -9]))
        model.decoder.output.weight.zero_()
        model.decoder.output.bias.zero_()
    return model


def found(model: TranscribeModel, *lengths: int, weight: float, beam: int) -> list[tuple]:
    stepper = Baseline(model).stepper(ctc_weight=weight, end=END)
    options = SearchOptions(end=END, banned=(0, 1, START), most=4, beam=beam)
    best = translate_sources(stepper, speech(*lengths), [START] * len(lengths), options=options)
    return [one[0].ids for one in best]


def test_it_is_a_model_of_tokens_whose_memory_is_that_of_its_encoder(
    model: TranscribeModel,
) -> None:
    baseline = Baseline(model)
    assert isinstance(baseline, TokenModel)
    lengths = torch.tensor([9, 5])
    features = torch.ones(2, 9, NUM_FEATURES)
    memory, present = baseline.remember(features, lengths)
    torch.testing.assert_close(memory, model.remember(features, lengths)[0])
    assert present.sum(1).tolist() == [baseline.positions(9), baseline.positions(5)] == [3, 2]


def test_what_ctc_heard_is_that_of_what_was_read_last(model: TranscribeModel) -> None:
    baseline = Baseline(model)
    with pytest.raises(RuntimeError, match="Nothing was read yet"):
        baseline.heard()
    stepper = TorchTokenStepper(baseline)
    for frames in ([13, 6], [5]):
        rows = speech(*frames)
        values = np.zeros((len(rows), max(frames), NUM_FEATURES), np.float32)
        for row, one in enumerate(rows):
            values[row, : len(one)] = one
        stepper.begin(Sources(values, np.array(frames)))
        log_probs, counts = baseline.heard()
        assert counts.tolist() == [-(-one // 4) for one in frames]
        np.testing.assert_allclose(np.exp(log_probs).sum(-1), 1, rtol=1e-5)


def test_without_a_share_of_ctc_the_decoder_is_alone(model: TranscribeModel) -> None:
    assert isinstance(Baseline(model).stepper(ctc_weight=0.0, end=END), TorchTokenStepper)
    assert isinstance(Baseline(model).stepper(ctc_weight=0.4, end=END), JointStepper)


@pytest.mark.parametrize("beam", [1, 5])
def test_with_it_what_ctc_heard_is_written_in_a_batch_as_alone(
    model: TranscribeModel, beam: int
) -> None:
    # The decoder finds all tokens alike, so that CTC decides; over one step it has one label.
    together = found(model, 23, 4, 9, weight=0.6, beam=beam)
    assert together[1] == (5,)
    assert set(together[0]) <= {5, 6}
    alone = [found(model, length, weight=0.6, beam=beam) for length in (23, 4, 9)]
    assert [[one] for one in together] == alone


def test_a_decoder_that_refines_is_no_baseline() -> None:
    with pytest.raises(ConfigError, match=r"must be autoregressive .* but is unified"):
        Baseline(small_model())
