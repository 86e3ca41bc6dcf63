from __future__ import annotations

import numpy as np

from signloom.data.example import Example, Span


def test_an_example_counts_its_frames_and_its_spans_have_two_ends() -> None:
    frames = np.zeros((7, 50, 3), dtype=np.float32)
    example = Example("a", "a", ("a",), frames, (Span(2, 5),))
    assert example.num_frames == 7
    assert (example.spans[0].start, example.spans[0].end) == (2, 5)
