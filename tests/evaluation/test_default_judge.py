"""The shipped judge reads what it must read and nothing else."""

import pytest

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.evaluation.run import DEFAULT_JUDGE, run
from signloom.runtime.registry import known_packages

pytestmark = pytest.mark.skipif(
    DEFAULT_JUDGE not in known_packages(), reason=f"the package {DEFAULT_JUDGE} is not installed"
)


def test_it_reads_held_out_words_and_no_control_row(corpus: Fingerspelling) -> None:
    result = run(count=60, doubled=20)
    for row in ("ground truth", "mean pose", "shuffled"):
        assert result.failures[row] == []
    assert result.summaries["stitched"].letter_error.value <= 0.5
