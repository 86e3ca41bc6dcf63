"""Calls are timed in turn, and what comes before the count does not count."""

from __future__ import annotations

import time

import torch

from signloom.reproduction.timing import Spread, interleave, one_thread


def test_calls_take_turns() -> None:
    order: list[str] = []
    spreads = interleave(
        {"a": lambda: order.append("a"), "b": lambda: order.append("b")}, repeats=3, warm_up=2
    )
    assert "".join(order) == "ab" * 5
    assert set(spreads) == {"a", "b"}


def test_the_warm_up_does_not_count() -> None:
    pauses = iter([0.2, 0.0, 0.0, 0.0])
    assert interleave({"a": lambda: time.sleep(next(pauses))}, repeats=3)["a"].p90 < 100


def test_a_spread_is_ordered() -> None:
    assert Spread.of([float(value) for value in range(11)]) == Spread(1.0, 5.0, 9.0)


def test_gradients_and_threads_are_as_before_afterwards() -> None:
    before = torch.get_num_threads()
    with one_thread():
        assert torch.is_inference_mode_enabled()
        assert torch.get_num_threads() == 1
    assert not torch.is_inference_mode_enabled()
    assert torch.get_num_threads() == before
