from __future__ import annotations

import numpy as np
import onnx
import pytest

from signloom.errors import FormatError
from signloom.features.keypoints import KeypointEstimator
from signloom.runtime.keypoint_session import WholeBody
from tests.small_models import HEATMAP, SIMCC, write_model


def spotted(row: int, column: int) -> np.ndarray:
    """Give a dark picture [128, 96, 3] with a bright square of 8 pixels."""
    picture = np.zeros((128, 96, 3), np.uint8)
    picture[row : row + 8, column : column + 8] = 255
    return picture


@pytest.mark.parametrize(("text", "within"), [(HEATMAP, 6.0), (SIMCC, 4.0)])
def test_heatmaps_and_columns_with_rows_find_the_same_places(tmp_path, text, within) -> None:
    estimator = WholeBody(write_model(tmp_path / "a.onnx", text))
    assert isinstance(estimator, KeypointEstimator)
    estimator.reset()
    for row, column in ((16, 40), (96, 8)):
        points, confidence = estimator.estimate(spotted(row, column))
        seen = confidence > 0
        assert seen.sum() == 49  # all but the neck, which no point shows
        middle = np.array([column + 4, row + 4])
        assert np.abs(points[seen, :2] - middle).max() <= within


def test_points_that_are_not_likely_enough_are_not_seen(tmp_path) -> None:
    estimator = WholeBody(write_model(tmp_path / "a.onnx"))
    assert not estimator.estimate(np.zeros((50, 70, 3), np.uint8)).confidence.any()
    red = np.broadcast_to(np.uint8([230, 60, 0]), (128, 96, 3))
    _, confidence = estimator.estimate(red)
    assert confidence[0] == pytest.approx(230 / 255, abs=1e-3)
    assert (confidence > 0).sum() == 1 + 3 + 10 + 11  # nose, right arm, and of the hands: even ids


@pytest.mark.parametrize(
    ("old", "new", "claim"),
    [
        ("float[1, 3, 64, 48] input", "float[1, 3, H, 48] input", "take float .* but takes"),
        ("float[1, 3, 64, 48] input", "float[1, 4, 64, 48] input", "take float .* but takes"),
        ("float[1, 3, 64, 48] input", "float16[1, 3, 64, 48] input", "cannot be run"),
        ("=> (float[1, 133, 16, 12] heatmap)", "=> (float[1, 3, 16, 12] small)", "but gives"),
    ],
)
def test_a_model_of_something_else_is_refused_by_name(tmp_path, old, new, claim) -> None:
    path = write_model(tmp_path / "a.onnx", HEATMAP.replace(old, new))
    with pytest.raises(FormatError, match=claim) as caught:
        WholeBody(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_model_is_refused(tmp_path) -> None:
    (tmp_path / "text.onnx").write_bytes(b"no model")
    (tmp_path / "empty.onnx").touch()
    for name, claim in (
        ("text.onnx", "cannot be run: it is no ONNX model"),
        ("empty.onnx", "must have 1 to"),
        ("missing.onnx", "cannot be read: No such file"),
    ):
        with pytest.raises(FormatError, match=claim):
            WholeBody(tmp_path / name)


def test_a_model_that_reads_other_files_is_refused(tmp_path) -> None:
    path = write_model(tmp_path / "a.onnx")
    model = onnx.load(path)
    onnx.save(model, path, save_as_external_data=True, size_threshold=0, location="weights")
    with pytest.raises(FormatError, match="some are said to be elsewhere"):
        WholeBody(path)


def test_a_model_that_gives_no_numbers_is_refused(tmp_path) -> None:
    path = write_model(tmp_path / "a.onnx", HEATMAP.replace("heatmap = Conv", "no = Conv").replace(
        "(small, weight, bias)", "(small, weight, bias)\n    heatmap = Log (no)"))  # fmt: skip
    with pytest.raises(FormatError, match=r"give finite .* but gives \[1, 133, 16, 12\]"):
        WholeBody(path).estimate(np.zeros((50, 70, 3), np.uint8))
