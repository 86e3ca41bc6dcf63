import json
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.errors import ConfigError
from signloom.evaluation.judge import RecognizerJudge
from signloom.evaluation.rendition import Rendition
from signloom.evaluation.report import save_json, to_document, to_table
from signloom.evaluation.spelling import SpellingResult, evaluate_spelling
from signloom.poses.smooth import smooth
from signloom.tokens.spelling import spell
from tests.evaluation.tiny_judge import write_down

TEXTS = ("hello", "art", "bee", "sun")


@pytest.fixture(scope="module")
def result(corpus: Fingerspelling, judge: RecognizerJudge) -> SpellingResult:
    def written(texts: tuple[str, ...]) -> list[Rendition]:
        frames = [write_down(spell(text, corpus.alphabet)) for text in texts]
        frames[1] = write_down(["a", "t"])
        return [Rendition(row, num_passes=9, due_passes=9) for row in frames]

    def stitched(texts: tuple[str, ...]) -> list[Rendition]:
        raw = [corpus.stitched(text, 60).frames for text in texts]
        return [Rendition(smooth(row), row, num_passes=7, due_passes=8) for row in raw]

    rows = {"written": written, "filtered": stitched}
    return evaluate_spelling(rows, TEXTS, corpus=corpus, judge=judge)


def test_the_controls_come_first_then_the_systems(result: SpellingResult) -> None:
    assert list(result.summaries) == [
        *("ground truth", "resampled", "stitched", "mean pose", "shuffled"),
        *("written", "filtered"),
    ]


def test_letters_are_judged_by_what_is_read(result: SpellingResult) -> None:
    written = result.summaries["written"]
    assert written.letter_error.value == pytest.approx(100 / 14)
    assert written.exact.value == 75
    assert written.doubled_exact.value == 100
    assert [word.read for word in result.words["written"]][1] == ("a", "t")


def test_the_truth_is_at_no_distance_from_itself(result: SpellingResult) -> None:
    truth = result.summaries["ground truth"]
    assert truth.arm_dtw.value == truth.hand_dtw.value == 0
    assert truth.motion_ratio.value == truth.last_third_motion_ratio.value == 1
    assert truth.bone_ratio == truth.length_ratio.value == 1
    assert truth.length_error.value == 0
    assert truth.exact_passes is None


def test_not_moving_shows_in_motion_and_distance(result: SpellingResult) -> None:
    mean = result.summaries["mean pose"]
    assert mean.motion_ratio.value == 0
    assert np.isnan(mean.jerk_ratio)
    assert mean.arm_dtw.value > 0.1


def test_stitching_comes_close_to_the_truth_at_the_first_systems_length(
    result: SpellingResult,
) -> None:
    lengths = [word.frames[0] for word in result.words["stitched"]]
    assert lengths == [word.frames[0] for word in result.words["written"]]
    filtered = result.summaries["filtered"]
    assert filtered.arm_dtw.value < 0.04
    assert 0.95 < filtered.motion_ratio.value < 1.05
    assert filtered.jerk_ratio_raw != filtered.jerk_ratio


def test_passes_are_checked_against_the_frames(result: SpellingResult) -> None:
    assert result.summaries["written"].exact_passes == 1
    assert result.summaries["filtered"].exact_passes == 0
    assert "exact_passes must be = 1, but is 0" in result.failures["filtered"]


def test_only_what_has_thresholds_can_fail(result: SpellingResult) -> None:
    assert result.failures["stitched"] == []
    assert any("motion_ratio must be >= 0.9" in one for one in result.failures["written"])


def test_look_alikes_count_as_one_letter_but_not_strictly(
    corpus: Fingerspelling, judge: RecognizerJudge
) -> None:
    def row(texts: tuple[str, ...]) -> list[Rendition]:
        return [Rendition(write_down(["n", "r", "t"])), Rendition(write_down(["s", "u", "n"]))]

    found = evaluate_spelling(
        {"row": row}, ["mrt", "sun"], corpus=corpus, judge=judge, look_alikes=[("m", "n")]
    ).summaries["row"]
    assert found.letter_error.value == 0
    assert found.strict_letter_error.value == pytest.approx(100 / 6)


def test_the_report_is_plain_json_and_names_where_it_comes_from(
    result: SpellingResult, tmp_path: Path
) -> None:
    document = to_document(result, command="signloom evaluate x")
    save_json(document, tmp_path / "result.json")
    read = json.loads((tmp_path / "result.json").read_text())
    assert read == document
    assert {"machine", "commit", "date", "command", "signature"} <= read.keys()
    assert read["rows"]["mean pose"]["figures"]["jerk_ratio"] is None
    assert read["rows"]["written"]["misread"] == [{"text": "art", "read": "at", "errors": 1}]


def test_the_table_has_a_column_for_each_row(result: SpellingResult) -> None:
    console = Console(width=300, record=True, file=None, quiet=True)
    console.quiet = False
    with console.capture() as captured:
        console.print(to_table(result))
    shown = captured.get()
    for name in result.summaries:
        assert name in shown
    assert "7.14" in shown


def test_the_same_seed_gives_the_same_result(
    result: SpellingResult, corpus: Fingerspelling, judge: RecognizerJudge
) -> None:
    again = evaluate_spelling({}, TEXTS, corpus=corpus, judge=judge)
    assert again.summaries["shuffled"] == result.summaries["shuffled"]
    assert again.signature == result.signature


@pytest.mark.parametrize("texts", [["hello"], ["sun", "sun"]])
def test_too_few_texts_are_refused(
    corpus: Fingerspelling, judge: RecognizerJudge, texts: list[str]
) -> None:
    with pytest.raises(ConfigError, match="at least 2 texts, all different"):
        evaluate_spelling({}, texts, corpus=corpus, judge=judge)
