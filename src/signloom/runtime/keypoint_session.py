"""A user's own ONNX model of the 133 points of COCO-WholeBody, as an estimator of keypoints.

What the graph takes and gives says which kind it is: one output [1, 133, rows, columns] is a map a
point (HRNet), two outputs [1, 133, steps] are columns and rows (RTMPose, RTMW).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from signloom.errors import FormatError
from signloom.features.bounded import check_plain
from signloom.features.footage import Picture
from signloom.features.keypoints import Keypoints
from signloom.features.wholebody import (
    NUM_POINTS,
    fit,
    from_columns_and_rows,
    from_heatmaps,
    to_keypoints,
)
from signloom.runtime.graph_guard import find_fault
from signloom.runtime.graphs import SILENT, one_line

MAX_BYTES = 2 * 2**30
"""More no ONNX file can have in one piece."""
SIDES_PX = (32, 2048)
_TAKES = "float [1, 3, height, width]"
_GIVES = f"[1, {NUM_POINTS}, rows, columns] or twice [1, {NUM_POINTS}, steps]"


class WholeBody:
    """Finds body and hands by a model of COCO-WholeBody; a `KeypointEstimator`.

    Args:
        path: The ONNX file.
        threads: Threads inside one operator.

    Raises:
        FormatError: It is no such model.
    """

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self._path = path
        self._session = _open(path, threads=threads)
        self._input, self._height, self._width = self._find_input()
        self._outputs = self._find_outputs()

    def reset(self) -> None:
        """Do nothing: every picture is looked at by itself."""

    def estimate(self, picture: Picture) -> Keypoints:
        """Find the joints in a picture, uint8 [height, width, 3].

        Raises:
            FormatError: The graph fails, or gives what it did not promise.
        """
        fitted = fit(picture, height=self._height, width=self._width)
        try:
            results = self._session.run(self._outputs, {self._input: fitted.values})
        except Exception as error:  # ONNX Runtime's own have no other common root
            raise self._fault(f"run, but fails: {one_line(error)}") from error
        rank = 4 if len(results) == 1 else 3
        for found in results:
            is_sound = found.ndim == rank and found.shape[:2] == (1, NUM_POINTS)
            if not is_sound or min(found.shape[2:]) < 3 or not np.isfinite(found).all():
                raise self._fault(f"give finite {_GIVES}, but gives {list(found.shape)}")
        each = [found[0] for found in results]
        decode = from_heatmaps if len(each) == 1 else from_columns_and_rows
        return to_keypoints(*decode(*each), fitted)

    def _find_input(self) -> tuple[str, int, int]:
        inputs = self._session.get_inputs()
        shape = list(inputs[0].shape) if len(inputs) == 1 else []
        low, high = SIDES_PX
        if (
            len(shape) != 4
            or inputs[0].type != "tensor(float)"
            or shape[1] != 3
            or not all(isinstance(side, int) and low <= side <= high for side in shape[2:])
        ):
            found = ", ".join(f"{one.type} {list(one.shape)}" for one in inputs) or "nothing"
            raise self._fault(f"take {_TAKES} with sides of {low} to {high}, but takes {found}")
        return inputs[0].name, shape[2], shape[3]

    def _find_outputs(self) -> list[str]:
        """Name the heatmap, or columns before rows."""
        outputs = self._session.get_outputs()
        ranks = [len(one.shape) for one in outputs]
        is_ours = ranks in ([4], [3, 3]) and all(
            one.type == "tensor(float)"
            and (one.shape[1] == NUM_POINTS or not isinstance(one.shape[1], int))
            for one in outputs
        )
        if not is_ours:
            found = ", ".join(str(list(one.shape)) for one in outputs)
            raise self._fault(f"give {_GIVES}, but gives {found}")
        names = [str(one.name) for one in outputs]
        return sorted(names) if set(names) == {"simcc_x", "simcc_y"} else names

    def _fault(self, must: str) -> FormatError:
        return FormatError(f"The model {self._path} of keypoints must {must}.")


def _open(path: Path, *, threads: int) -> Any:
    try:
        size = check_plain(path)
        if not 0 < size <= MAX_BYTES:
            raise FormatError(f"it must have 1 to {MAX_BYTES} bytes, but has {size}")
        data = path.read_bytes()
    except FormatError as error:
        raise FormatError(f"The model {path} of keypoints cannot be read: {error}.") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"The model {path} of keypoints cannot be read: {reason}.") from error
    fault = find_fault(data)
    if fault:
        raise FormatError(f"The model {path} of keypoints cannot be run: {fault}.")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = SILENT
    try:
        return onnxruntime.InferenceSession(
            data, options, providers=["CPUExecutionProvider"], enable_fallback=0
        )
    except Exception as error:  # ONNX Runtime's own have no other common root
        raise FormatError(
            f"The model {path} of keypoints cannot be run: {one_line(error)}."
        ) from error
