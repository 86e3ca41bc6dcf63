from __future__ import annotations

import pytest

from signloom.data.readers.splits import drawn_splits, known_split
from signloom.errors import FormatError


@pytest.mark.parametrize(
    ("count", "dev", "test"), [(0, 10.0, 10.0), (1, 60.0, 30.0), (7, 30.0, 30.0)]
)
def test_shares_of_few_utterances_add_up(count, dev, test) -> None:
    splits = drawn_splits(count, seed=1, dev_percent=dev, test_percent=test)
    assert len(splits) == count
    assert splits.count("dev") == round(count * dev / 100)


def test_names_of_the_field_are_known_in_any_case() -> None:
    assert [known_split(name) for name in ("TRAIN", "valid", "Testing")] == ["train", "dev", "test"]
    with pytest.raises(FormatError, match="must be one of train, dev, test, but is 'trian'"):
        known_split("trian")
