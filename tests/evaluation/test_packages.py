from pathlib import Path

import numpy as np

from signloom.evaluation.judge import RecognizerJudge
from signloom.evaluation.packages import production_row
from signloom.evaluation.run import run
from signloom.poses.smooth import smooth
from tests.tiny_package import write_tiny_package


def test_a_package_gives_what_a_user_gets_and_what_the_filter_was_fed(tmp_path: Path) -> None:
    write_tiny_package(tmp_path / "tiny")
    renditions = production_row(tmp_path / "tiny")(["hello", "art"])
    assert [len(one.frames) for one in renditions] == [35, 21]
    assert [one.num_passes for one in renditions] == [9, 6]
    assert [one.due_passes for one in renditions] == [9, 6]
    for one in renditions:
        np.testing.assert_allclose(one.frames, smooth(one.unfiltered), atol=1e-5)
        assert (one.frames != one.unfiltered).any()


def test_a_package_is_judged_beside_the_controls(tmp_path: Path, judge: RecognizerJudge) -> None:
    write_tiny_package(tmp_path / "tiny", max_tokens=28)
    result = run([tmp_path / "tiny"], judge=judge.package.path, count=5, doubled=2)
    assert list(result.summaries)[-1] == "tiny"
    words = result.words["tiny"]
    assert len(words) == 5
    assert sum(word.is_doubled for word in words) >= 2
    assert len(result.failures["tiny"]) > 0
