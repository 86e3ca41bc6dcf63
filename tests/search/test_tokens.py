import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.search.tokens import Bounds, TokenStepper
from tests.search.token_steppers import Recurrent, Rereading, Table, bounds


@pytest.mark.parametrize(
    ("starts", "end", "most", "message"),
    [
        ([1, 1, 1], 2, [5, 7], "each of the 3 rows of `starts`, but names 2"),
        ([1, 1], 2, [5, 0], "at least 1 token, but allows 0"),
        ([1, 1], 0, [5, 7], "end token 0 must not be banned"),
    ],
)
def test_bounds_that_no_search_can_keep_are_refused(
    starts: list[int], end: int, most: list[int], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        Bounds(starts=np.array(starts), end=end, banned=(0, 1), most=np.array(most))


@pytest.mark.parametrize("changed", [{"start": 5}, {"end": 5}, {"banned": (0, -1)}])
def test_tokens_that_the_model_does_not_have_are_refused(changed: dict[str, int]) -> None:
    bounds([7], start=4).check(5)
    with pytest.raises(ConfigError, match=r"one of the 5 of the model, but one is (5|-1)"):
        bounds([7], **changed).check(5)


def test_the_models_of_these_tests_are_steppers() -> None:
    for stepper in (Table([[1.0]]), Recurrent(5), Rereading(5)):
        assert isinstance(stepper, TokenStepper)
