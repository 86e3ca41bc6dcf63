"""Production of recordings is measured beside ceiling and floor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from signloom.errors import ConfigError
from signloom.evaluation.recordings import FIGURES, RecordingResult, evaluate_recordings
from signloom.evaluation.report import to_document, to_table
from signloom.metrics.pose import pt_dtw
from tests.data.small_corpus import write_prepared
from tests.tiny_package import write_tiny_package

GLOSSES = {"tokens": ["<pad>", "<unk>", "A", "B0", "B1", "B4", "B5"]}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_prepared(tmp_path_factory.mktemp("mine"))


@pytest.fixture(scope="module")
def result(prepared: Path) -> RecordingResult:
    folder = prepared.parent / "produce-tiny-v1"
    write_tiny_package(folder, vocabulary=GLOSSES, unit="glosses")
    return evaluate_recordings([folder], prepared, split="train")


def test_the_truth_is_at_no_distance_and_does_not_shrink(result: RecordingResult) -> None:
    truth = result.summaries["ground truth"]
    # PT-DTW leaves out the first frame of one and the last of both, so that it is not quite 0.
    assert 0 < truth.pt_dtw.value < 0.5 * result.summaries["mean pose"].pt_dtw.value
    assert truth.mje.value == 0
    assert truth.motion_ratio.value == truth.bone_ratio == truth.length_ratio.value == 1
    assert truth.length_error.value == 0


def test_the_mean_pose_does_not_move(result: RecordingResult) -> None:
    assert result.summaries["mean pose"].motion_ratio.value == 0
    assert result.summaries["mean pose"].pt_dtw.value > 0


def test_a_model_is_measured_at_its_own_length(result: RecordingResult) -> None:
    model = result.summaries["produce-tiny-v1"]
    lengths = np.array([14, 14, 14, 14]), np.array([5, 7, 13, 15])
    assert model.length_ratio.value == pytest.approx(lengths[0].sum() / lengths[1].sum())
    assert model.length_error.value == pytest.approx(
        (100 * np.abs(lengths[0] - lengths[1]) / lengths[1]).mean()
    )


def test_it_is_reported_as_a_table_and_as_json(result: RecordingResult) -> None:
    console = Console(width=120, record=True)
    console.print(to_table(result, FIGURES))
    assert "PT-DTW" in console.export_text()
    document = to_document(result, command="x")
    assert document["rows"]["ground truth"]["figures"]["motion_ratio"]["value"] == 1
    assert "split:train|texts:4" in document["signature"]


def test_a_model_that_spells_letters_is_refused(prepared: Path, tmp_path: Path) -> None:
    spelling = write_tiny_package(tmp_path / "tiny").path
    with pytest.raises(ConfigError, match="but they take letters"):
        evaluate_recordings([spelling], prepared)
    with pytest.raises(ConfigError, match="name a model"):
        evaluate_recordings([], prepared)


def test_pt_dtw_is_the_naive_loop() -> None:
    rng = np.random.default_rng(0)
    made, true = rng.normal(size=(7, 50, 3)), rng.normal(size=(5, 50, 3))
    hypothesis, reference = made[1:-1] / 3, true[:-1] / 3
    totals = np.full((len(reference) + 1, len(hypothesis) + 1), np.inf)
    totals[0, 0] = 0
    for row, one in enumerate(reference, 1):
        for column, other in enumerate(hypothesis, 1):
            before = (totals[row - 1, column], totals[row, column - 1], totals[row - 1, column - 1])
            totals[row, column] = np.abs(one - other).sum() + min(before)
    assert pt_dtw(made, true) == pytest.approx(totals[-1, -1] / len(reference))


def test_an_utterance_of_unknown_words_is_signed_all_the_same(
    prepared: Path, tmp_path: Path
) -> None:
    tokens = {"tokens": ["<pad>", "<unk>", "NOTHING", "OF", "THIS", "IS", "KNOWN"]}
    folder = write_tiny_package(tmp_path / "tiny", vocabulary=tokens, unit="glosses").path
    result = evaluate_recordings([folder], prepared, split="train")
    assert result.summaries["tiny"].length_ratio.value > 0


def test_two_models_of_one_name_are_refused(prepared: Path, tmp_path: Path) -> None:
    folders = [
        write_tiny_package(tmp_path / place / "tiny", vocabulary=GLOSSES, unit="glosses").path
        for place in ("a", "b")
    ]
    with pytest.raises(ConfigError, match="two are called tiny"):
        evaluate_recordings(folders, prepared)
