"""Models of the points of COCO-WholeBody that see brightness, as small as ONNX allows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import onnx.parser

HEATMAP = """
<ir_version: 10, opset_import: ["" : 20]>
g (float[1, 3, 64, 48] input) => (float[1, 133, 16, 12] heatmap) {
    small = AveragePool <kernel_shape = [4, 4], strides = [4, 4]> (input)
    heatmap = Conv (small, weight, bias)
}
"""
SIMCC = """
<ir_version: 10, opset_import: ["" : 20]>
g (float[N, 3, 64, 48] input) => (float[N, 133, 96] simcc_x, float[N, 133, 128] simcc_y) {
    map = Conv (input, weight, bias)
    across = ReduceMax <keepdims = 0> (map, rows)
    down = ReduceMax <keepdims = 0> (map, columns)
    simcc_x = Resize <mode = "nearest"> (across, none, twice)
    simcc_y = Resize <mode = "nearest"> (down, none, twice)
}
"""


def write_model(path: Path, text: str = HEATMAP) -> Path:
    """Write a model whose points all lie where the picture is brightest.

    A point's score is how bright that is, 0 to 1; even points see red, odd ones green.
    """
    model = onnx.parser.parse_model(text)
    weight = np.zeros((133, 3, 1, 1), np.float32)
    weight[::2, 0, 0, 0], weight[1::2, 1, 0, 0] = 58.395 / 255, 57.12 / 255
    bias = np.where(np.arange(133) % 2, 116.28 / 255, 123.675 / 255).astype(np.float32)
    values = {
        "weight": weight,
        "bias": bias,
        "rows": np.array([2]),
        "columns": np.array([3]),
        "none": np.zeros(0, np.float32),
        "twice": np.array([1, 1, 2], np.float32),
    }
    used = {name for node in model.graph.node for name in node.input}
    for name, value in values.items():
        if name in used:
            model.graph.initializer.append(onnx.numpy_helper.from_array(value, name))
    onnx.save(model, path)
    return path
