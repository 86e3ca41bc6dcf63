import numpy as np
import pytest

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.evaluation.controls import build_references, control_rows, deal

TEXTS = ["hello", "art", "new york"]


def test_a_reference_depends_on_its_text_and_seed_alone(corpus: Fingerspelling) -> None:
    whole = build_references(corpus, TEXTS)
    (alone,) = build_references(corpus, TEXTS[1:2])
    np.testing.assert_array_equal(whole[1].frames, alone.frames)
    (other,) = build_references(corpus, TEXTS[1:2], seed=1)
    assert other.frames.shape != alone.frames.shape or (other.frames != alone.frames).any()


def test_controls_are_what_they_are_called(corpus: Fingerspelling) -> None:
    references = build_references(corpus, TEXTS)
    rows = control_rows(corpus, references, lengths=[61, 47, 100])
    truth = [example.frames for example in references]
    for row, frames in zip(rows["ground truth"], truth, strict=True):
        np.testing.assert_array_equal(row.frames, frames)
    assert [len(one.frames) for one in rows["stitched"]] == [61, 47, 100]
    mean = np.concatenate(truth).mean(axis=0)
    for row, frames in zip(rows["mean pose"], truth, strict=True):
        assert len(row.frames) == len(frames)
        np.testing.assert_allclose(row.frames, np.broadcast_to(mean, frames.shape), atol=1e-5)
    for row, frames in zip(rows["shuffled"], truth, strict=True):
        assert any(row.frames is other for other in truth)
        assert row.frames is not frames


@pytest.mark.parametrize("count", [2, 3, 11, 300])
def test_nobody_is_dealt_their_own(count: int) -> None:
    for seed in range(5):
        dealt = deal(count, seed=seed)
        assert sorted(dealt) == list(range(count))
        assert all(other != own for own, other in enumerate(dealt))
