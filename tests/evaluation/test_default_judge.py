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
    assert result.failures["ground truth"] == []
    assert result.failures["mean pose"] == []
    # The threshold of 95 is for 300 words: of 60, a shuffled one hits a letter more often.
    assert result.summaries["shuffled"].letter_error.value > 85
    assert result.summaries["stitched"].letter_error.value <= 0.5
