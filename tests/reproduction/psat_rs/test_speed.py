"""What is measured of a configuration, and that an inexact decoder is no result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from signloom.reproduction.psat_rs.published import TABLE_1, TABLE_3
from signloom.reproduction.psat_rs.speed import (
    MAX_DIFFERENCE,
    ModelSize,
    SpeedConfig,
    Timing,
    build_models,
    draw_sentence,
    largest_difference,
    measure_speed,
)

pytestmark = pytest.mark.compiled
CONFIG = SpeedConfig(
    levels=(8, 4, 2, 1),
    model=ModelSize(dim=12, ffn_dim=20, num_heads=3, max_frames=40, rich_semantics=True),
    timing=Timing(frames=11, tokens=5, repeats=1, uncached_repeats=1),
)


def test_a_row_has_counts_times_and_exactness() -> None:
    result = measure_speed(CONFIG)
    assert (result["passes"], result["layer_calls"]) == (2, 8)
    assert result["paper_passes"] == pytest.approx(11 * 4 / 15, abs=1e-3)
    assert result["largest_difference"] <= MAX_DIFFERENCE
    for times in (result["cached"], result["uncached"]):
        assert 0 < times["ms"]["p10"] <= times["ms"]["p50"] <= times["ms"]["p90"]
        assert times["speedup"] == pytest.approx(
            times["at_ms"]["p50"] / times["ms"]["p50"], abs=1e-3
        )


def test_the_injected_schedule_counts_each_layer() -> None:
    result = measure_speed(replace(CONFIG, schedule="injected"))
    assert (result["passes"], result["layer_calls"]) == (11, 2 + 3 + 6 + 11)


def test_the_baseline_is_itself_the_baseline_and_may_be_timed_with_cache_alone() -> None:
    timing = replace(CONFIG.timing, uncached_repeats=0)
    ones = replace(CONFIG, levels=(1, 1, 1), timing=timing)
    own, baseline = build_models(ones)
    assert own is baseline
    result = measure_speed(ones)
    assert (result["cached"]["speedup"], result["uncached"]) == (1, None)


def test_one_group_as_long_as_the_sentence_is_one_pass_in_the_papers_count_too() -> None:
    result = measure_speed(replace(CONFIG, levels=(0, 0)))
    assert (result["passes"], result["paper_passes"]) == (1, 1)


def test_a_decoder_that_is_not_exact_is_no_result() -> None:
    own, _ = build_models(CONFIG)
    own.train()  # dropout makes each pass another one
    tokens, lengths = draw_sentence(5, 11, seed=0)
    with pytest.raises(RuntimeError, match="must equal its teacher-forced pass"):
        largest_difference(own, tokens, lengths)


def test_weights_and_words_are_drawn_by_the_seed() -> None:
    first, second = build_models(CONFIG)[0], build_models(CONFIG)[0]
    for one, other in zip(first.parameters(), second.parameters(), strict=True):
        np.testing.assert_array_equal(one.detach(), other.detach())


def test_the_published_speed_ups_follow_from_the_published_times() -> None:
    """Within 3 %: 192 / 27 is printed as 7.32, which would be 7.11."""
    for levels, (_, latency) in TABLE_1.items():
        base = TABLE_1[(1,) * len(levels)][1].ms
        assert latency.speedup == pytest.approx(base / latency.ms, rel=0.03), levels
    for latency in TABLE_3.values():
        assert latency.speedup == pytest.approx(TABLE_3["AT"].ms / latency.ms, rel=0.01)
