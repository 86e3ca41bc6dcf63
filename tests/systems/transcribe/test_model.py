"""A transcription model: nothing of a batch reaches a row, whatever it is made of."""

from __future__ import annotations

import pytest
import torch

from tests.systems.transcribe.small_model import NUM_FEATURES, NUM_TOKENS, small_model

LENGTHS = torch.tensor([23, 9, 4, 1])
TOKENS = torch.tensor([[4, 6, 5, 8, 7], [5, 5, 0, 0, 0], [8, 0, 0, 0, 0], [4, 7, 4, 0, 0]])
COUNTS = torch.tensor([5, 2, 1, 3])
DECODERS = ("unified", "left_to_right", "right_to_left", "both", "autoregressive")
ENCODERS = (
    {"encoder": "transformer", "norm": "post"},
    {"encoder": "transformer", "cmvn": "utterance"},
    {"encoder": "conformer"},
)


def speech(frames: int = 23) -> torch.Tensor:
    torch.manual_seed(1)
    return torch.randn(4, frames, NUM_FEATURES)


@pytest.mark.parametrize("changes", ENCODERS)
def test_padding_changes_nothing_through_the_encoder(changes) -> None:
    model, features = small_model(**changes), speech()
    states, present = model.encode(features, LENGTHS)
    # What stands in the padding is no matter, nor how much of it there is.
    for row, length in enumerate(LENGTHS.tolist()):
        alone, own = model.encode(features[row : row + 1, :length], LENGTHS[row : row + 1])
        assert own.all()
        steps = int(present[row].sum())
        assert steps == alone.shape[1] == model.positions(length)
        torch.testing.assert_close(states[row, :steps], alone[0], atol=1e-5, rtol=1.3e-6)


@pytest.mark.parametrize("decoder", DECODERS)
def test_padding_changes_nothing_through_the_decoder(decoder: str) -> None:
    model, features = small_model(decoder=decoder), speech()
    found = model.decode(*model.encode(features, LENGTHS), TOKENS, COUNTS)
    assert found.shape == (2 if decoder == "both" else 1, 4, 5, NUM_TOKENS)
    for row, (length, count) in enumerate(zip(LENGTHS.tolist(), COUNTS.tolist(), strict=True)):
        one = slice(row, row + 1)
        heard = model.encode(features[one, :length], LENGTHS[one])
        alone = model.decode(*heard, TOKENS[one, :count], COUNTS[one])
        torch.testing.assert_close(found[:, row, :count], alone[:, 0], atol=1e-5, rtol=1.3e-6)


@pytest.mark.parametrize(("decoder", "layers"), [("unified", [2]), ("both", [1, 1])])
def test_two_readers_share_the_layers_of_one(decoder: str, layers: list[int]) -> None:
    model = small_model(decoder=decoder)
    assert [len(reader.layers) for reader in model.decoder.decoders] == layers
    memory, present = model.remember(speech(), LENGTHS)
    assert memory.shape == (4, 6, 2, 2, 3, 4)
    assert present.sum(1).tolist() == [6, 3, 1, 1]


def test_ctc_gives_a_distribution_at_each_step() -> None:
    model = small_model()
    states, _ = model.encode(speech(), LENGTHS)
    log_probs = model.read(states)
    torch.testing.assert_close(log_probs.exp().sum(-1), torch.ones(4, 6))


def test_features_are_normalised_by_the_training_data_unless_each_by_its_own() -> None:
    features = speech()[:1]
    lengths = LENGTHS[:1]
    louder = features + 3.0
    moved: dict[str, float] = {}
    for cmvn in ("global", "utterance"):
        model = small_model(cmvn=cmvn)
        before, after = (model.encode(one, lengths)[0] for one in (features, louder))
        moved[cmvn] = float((after - before).detach().abs().max())
    assert moved["global"] > 1e-2
    assert moved["utterance"] < 1e-4
