"""The cache grows with what is written, and rows take their own with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.errors import PackageError
from signloom.runtime.token_session import FIRST_POSITIONS, MAX_LOGIT, TokenSession, TokenState
from tests.tiny_captioner import STEP, write_tiny_captioner

CACHE = (1, 2, 1, 1)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> TokenSession:
    folder = tmp_path_factory.mktemp("tokens") / "tiny"
    return TokenSession(write_tiny_captioner(folder), cache=CACHE)


def begun(session: TokenSession, rows: int = 3, keys: tuple[int, ...] = ()) -> TokenState:
    """Begin with sources that remember their own numbers."""
    memory = np.ones((rows, 4, *CACHE), np.float32) * np.arange(rows).reshape(-1, 1, 1, 1, 1, 1)
    return session.begin(memory.astype(np.float32), np.arange(rows) + 2, keys)


def written(state: TokenState) -> list[list[float]]:
    """Give what lies in the cache of each row: this graph keeps the tokens themselves."""
    rows: list[list[float]] = state.cache[: state.position, :, 0, 0, 0, 0].T.tolist()
    return rows


def remembered(state: TokenState) -> list[float]:
    numbers: list[float] = state.memory.mean(axis=(1, 2, 3, 4, 5)).tolist()
    return numbers


def test_the_cache_holds_all_that_was_fed_beyond_its_first_size(session: TokenSession) -> None:
    state = begun(session, rows=2)
    fed = np.random.default_rng(0).integers(0, 9, (2, 2 * FIRST_POSITIONS + 6))
    for place in range(0, fed.shape[1], 5):
        logits = session.step(fed[:, place : place + 5], state)
        assert logits.shape == (2, 5, 9)
    assert written(state) == fed.tolist()


def test_rows_change_their_places_with_all_that_is_theirs(session: TokenSession) -> None:
    state = begun(session, keys=(7, 8, 9))
    session.step(np.array([[4, 5], [6, 7], [8, 4]]), state)
    moved = session.reorder(state, np.array([2, 0, 2, 1]))
    assert written(moved) == [[8, 4], [4, 5], [8, 4], [6, 7]]
    assert remembered(moved) == [2, 0, 2, 1]
    assert (moved.lengths.tolist(), moved.keys) == ([4, 2, 4, 3], (9, 7, 9, 8))
    again = session.reorder(moved, np.array([3, 1]))
    assert (written(again), remembered(again)) == ([[6, 7], [4, 5]], [1, 0])
    assert (again.lengths.tolist(), again.keys) == ([3, 2], (8, 7))
    swapped = session.reorder(state, np.array([2, 1, 0]))
    assert (written(swapped), remembered(swapped)) == ([[8, 4], [6, 7], [4, 5]], [2, 1, 0])
    assert written(state) == [[4, 5], [6, 7], [8, 4]]


def test_the_memory_is_not_copied_while_rows_read_what_they_read(session: TokenSession) -> None:
    state = session.reorder(begun(session, rows=2, keys=(7, 8)), np.array([0, 0, 1, 1]))
    session.step(np.array([[1], [2], [3], [4]]), state)
    kept = session.reorder(state, np.array([1, 0, 3, 3]))
    assert kept.memory is state.memory
    assert written(kept) == [[2], [1], [4], [4]]
    assert (remembered(kept), kept.keys) == ([0, 0, 1, 1], (7, 7, 8, 8))
    fewer = session.reorder(kept, np.array([1, 2, 3]))
    assert (remembered(fewer), fewer.keys) == ([0, 1, 1], (7, 8, 8))
    session.step(np.array([[5], [6], [7]]), fewer)
    assert written(fewer) == [[1, 5], [4, 6], [4, 7]]
    assert written(kept) == [[2], [1], [4], [4]]


@pytest.mark.parametrize("value", ["inf", "nan", "-inf", f"{MAX_LOGIT * 10:g}"])
def test_what_is_no_score_is_refused(tmp_path: Path, value: str) -> None:
    graph = STEP.replace("values = {0.0, 5.0}", f"values = {{0.0, {value}}}")
    session = TokenSession(write_tiny_captioner(tmp_path / "x", step=graph), cache=CACHE)
    with pytest.raises(PackageError, match=r"`step.onnx` of .*: `logits` must be finite, at most"):
        session.step(np.array([[4]]), begun(session, rows=1))


def test_a_graph_that_gives_fewer_keys_than_it_was_fed_is_refused(tmp_path: Path) -> None:
    graph = STEP.replace("new = Expand (narrow, sizes)", "new = Expand (first, sizes)").replace(
        "narrow = Unsqueeze (turned, last)",
        "narrow = Unsqueeze (turned, last)\n  first = ReduceMean <keepdims = 1> (narrow, start)",
    )
    graph = graph.replace("int64 none = {0}", "int64 none = {0}, int64[1] start = {0}")
    session = TokenSession(write_tiny_captioner(tmp_path / "x", step=graph), cache=CACHE)
    session.step(np.array([[4]]), begun(session, rows=1))
    with pytest.raises(PackageError, match=r"`new` must have shape \[2, 1, 1, 2, 1, 1\]"):
        session.step(np.array([[4, 5]]), begun(session, rows=1))
