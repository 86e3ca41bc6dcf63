import math

import torch

from signloom.core.positions import sinusoidal


def test_the_encoding_is_the_formula() -> None:
    encoding = sinusoidal(torch.tensor([2.5]), 6)[0]
    for index in range(3):
        angle = 2.5 / 10000 ** (index / 3)
        assert math.isclose(encoding[index], math.sin(angle), abs_tol=1e-6)
        assert math.isclose(encoding[index + 3], math.cos(angle), abs_tol=1e-6)


def test_any_shape_of_positions_is_encoded() -> None:
    assert sinusoidal(torch.zeros(3, 5), 8).shape == (3, 5, 8)
