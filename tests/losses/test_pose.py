import torch

from signloom.losses.pose import length_loss, pose_loss


def test_padding_counts_nothing() -> None:
    torch.manual_seed(0)
    predicted, true = torch.randn(2, 5, 3), torch.randn(2, 5, 3)
    loss = pose_loss(predicted, true, torch.tensor([5, 2]), weights=torch.ones(3))
    torch.testing.assert_close(loss[1], ((predicted - true)[1, :2] ** 2).mean())
    torch.testing.assert_close(loss[0], ((predicted - true)[0] ** 2).mean())


def test_weights_count_by_their_share() -> None:
    predicted, true = torch.zeros(1, 1, 3), torch.tensor([[[1.0, 2.0, 5.0]]])
    loss = pose_loss(predicted, true, torch.tensor([1]), weights=torch.tensor([4.0, 1.0, 0.0]))
    torch.testing.assert_close(loss, torch.tensor([(4 * 1.0 + 4.0) / 5]))


def test_the_class_of_a_length_is_one_below_it() -> None:
    logits = torch.full((1, 7), -1e4)
    logits[0, 3] = 0
    assert length_loss(logits, torch.tensor([4])).item() == 0
