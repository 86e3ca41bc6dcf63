import pytest
import torch

from signloom.core.embeddings import PoseEmbedding, SourceEmbedding
from signloom.core.positions import sinusoidal


def test_source_embedding_is_the_formula_of_the_paper() -> None:
    torch.manual_seed(0)
    embedding = SourceEmbedding(7, 6)
    tokens = torch.tensor([[3, 5, 0]])
    words = embedding.words(tokens)
    first, _, second, _ = embedding.layers
    expected = torch.relu(second(torch.relu(first(words)))) + sinusoidal(torch.arange(3.0), 6)
    torch.testing.assert_close(embedding(tokens), expected)


@pytest.mark.parametrize("fusion", ["concat", "sum"])
def test_a_still_pose_has_no_velocity(fusion: str) -> None:
    torch.manual_seed(0)
    embedding = PoseEmbedding(9, 6, velocity_span=2, fusion=fusion).eval()
    still = torch.randn(3, 1, 9).expand(3, 7, 9)
    frames = embedding(still, torch.arange(5.0))
    embedding.velocity_std.fill_(1e-3)
    torch.testing.assert_close(embedding(still, torch.arange(5.0)), frames)


def test_velocity_changes_the_embedding_and_is_clipped() -> None:
    torch.manual_seed(0)
    embedding = PoseEmbedding(9, 6, velocity_span=1).eval()
    window = torch.zeros(1, 2, 9)
    still = embedding(window, torch.zeros(1))
    window[0, 0] = -3.0
    moving = embedding(window, torch.zeros(1))
    assert not torch.allclose(still, moving)
    window[0, 0] = -300.0
    torch.testing.assert_close(embedding(window, torch.zeros(1)), moving)


def test_velocity_is_taken_over_the_span() -> None:
    torch.manual_seed(0)
    embedding = PoseEmbedding(1, 4, velocity_span=3).eval()
    ramp = torch.arange(8.0).reshape(1, 8, 1) / 4
    seen: list[torch.Tensor] = []
    embedding.velocity.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    embedding(ramp, torch.arange(5.0))
    torch.testing.assert_close(seen[0], torch.full((1, 5, 1), 0.25))


def test_velocity_is_silenced_only_in_training() -> None:
    torch.manual_seed(0)
    embedding = PoseEmbedding(9, 6, velocity_span=1, velocity_dropout=1.0)
    window = torch.randn(3, 6, 9)
    still = window[:, 1:].repeat_interleave(1, dim=1)
    silent = embedding.train()(window, torch.zeros(5))
    other = embedding(torch.cat([still[:, :1] * 0, still], dim=1), torch.zeros(5))
    torch.testing.assert_close(silent, other)
    assert not torch.allclose(embedding.eval()(window, torch.zeros(5)), silent)
