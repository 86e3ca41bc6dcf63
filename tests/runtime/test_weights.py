"""A file of weights gives back what was put in, and whatever else it says is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from signloom.errors import PackageError
from signloom.runtime import weights
from signloom.runtime.bits import Layout, rounded
from signloom.runtime.stored_tensor import (
    StoredTensor,
    as_float16,
    as_float32,
    as_int8,
    as_packed,
)
from signloom.runtime.weights import read_weights, write_weights

LAYOUT = Layout(exponent_bits=3, significand_bits=2, least_exponent=-5)


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32)


def spelled(header: Any, data: bytes = b"") -> bytes:
    """Write a file by hand."""
    content = json.dumps(header).encode()
    return len(content).to_bytes(8, "little") + content + data


def with_entry(name: str = "w", data: bytes = bytes(12), **changes: Any) -> bytes:
    """Write a file of one tensor of three zeros by hand; `changes` replace what is said of it."""
    entry = {"kind": "float32", "shape": [3], "offset": 0, "bytes": 12} | changes
    return spelled({"format_version": 1, "tensors": {name: entry}}, data)


def test_every_kind_reads_back_in_order_as_float32() -> None:
    matrix, vector, cube = normal(5, 7), normal(3), normal(2, 3, 5)
    given = {
        "plain": vector,
        "encoder.w/0": as_packed(matrix, LAYOUT),
        "odd": as_packed(cube, LAYOUT),
        "half": as_float16(matrix),
        "steps": as_int8(matrix, axis=1),
        "step": as_int8(cube, axis=None),
        "alone": np.array(2.5, np.float32),
    }
    found = read_weights(write_weights(given))
    assert list(found) == list(given)
    decoded = {name: tensor.decode() for name, tensor in found.items()}
    assert {array.dtype for array in decoded.values()} == {np.dtype(np.float32)}
    np.testing.assert_array_equal(decoded["plain"], vector)
    np.testing.assert_array_equal(decoded["encoder.w/0"], rounded(matrix, LAYOUT))
    np.testing.assert_array_equal(decoded["odd"], rounded(cube, LAYOUT))
    np.testing.assert_array_equal(decoded["half"], matrix.astype(np.float16))
    assert decoded["alone"] == 2.5
    assert decoded["alone"].shape == ()


@pytest.mark.parametrize("axis", [0, 1, None])
def test_int8_is_off_by_half_a_step_of_its_own_slice_at_most(axis: int | None) -> None:
    numbers = normal(5, 7) * np.array([[1], [0.01], [100], [0], [1]], np.float32)
    others = tuple({0, 1} - {axis})
    step = np.abs(numbers).max(axis=others, keepdims=True) / 127
    [tensor] = read_weights(write_weights({"w": as_int8(numbers, axis=axis)})).values()
    assert (np.abs(tensor.decode() - numbers) <= 0.5001 * step).all()


def test_packed_numbers_take_the_bytes_that_they_say() -> None:
    plain = len(write_weights({"w": normal(100, 101)}))
    packed = len(write_weights({"w": as_packed(normal(100, 101), LAYOUT)}))
    assert plain - packed == pytest.approx(100 * 101 * (32 - LAYOUT.width) / 8, abs=100)


def test_decoding_gives_memory_of_its_own() -> None:
    [tensor] = read_weights(write_weights({"w": normal(3)})).values()
    tensor.decode()[:] = 0
    np.testing.assert_array_equal(tensor.decode(), normal(3))


@pytest.mark.parametrize("shape", [(5, 7), (5, 1), (1, 7), (1, 1)])
def test_a_spread_lies_beside_its_tensor(shape: tuple[int, ...]) -> None:
    spread = np.full(shape, 0.25, np.float32)
    found = read_weights(write_weights({"w.spread": as_float16(spread), "w": normal(5, 7)}))
    np.testing.assert_array_equal(found["w.spread"].decode(), spread)


@pytest.mark.parametrize("shape", [(7,), (7, 5), (5, 7, 1), (2, 7)])
def test_a_spread_that_does_not_fit_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(PackageError, match="must broadcast against"):
        write_weights({"w": normal(5, 7), "w.spread": np.ones(shape, np.float32)})


@pytest.mark.parametrize("worst", [0.0, -1.0, np.nan, np.inf])
def test_a_spread_that_is_no_standard_deviation_is_refused(worst: float) -> None:
    data = np.array([1, 1, 1, 1, 1, worst], "<f4").tobytes()
    entries = {
        "w": {"kind": "float32", "shape": [3], "offset": 0, "bytes": 12},
        "w.spread": {"kind": "float32", "shape": [3], "offset": 12, "bytes": 12},
    }
    with pytest.raises(PackageError, match=r"above 0|must be finite"):
        read_weights(spelled({"format_version": 1, "tensors": entries}, data))


def test_a_spread_without_a_tensor_or_in_whole_steps_is_refused() -> None:
    with pytest.raises(PackageError, match="must have its tensor"):
        write_weights({"w.spread": normal(3) ** 2})
    with pytest.raises(PackageError, match="float32 or float16"):
        write_weights({"w": normal(3), "w.spread": as_int8(np.ones(3, np.float32), axis=None)})


def test_the_file_by_hand_holds() -> None:
    [tensor] = read_weights(with_entry()).values()
    assert tensor.decode().tolist() == [0, 0, 0]


PACKED = {"kind": "packed", "bytes": 3, "exponent_bits": 3, "significand_bits": 3}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"kind": "float64"}, "`kind`"),
        ({"kind": ["float32"]}, "`kind`"),
        ({"shape": [4]}, "16 bytes by its shape"),
        ({"shape": 3}, "`shape`"),
        ({"shape": [0]}, "`shape`"),
        ({"shape": [-3]}, "`shape`"),
        ({"shape": [3.0]}, "`shape`"),
        ({"shape": [True]}, "`shape`"),
        ({"shape": [1] * 8 + [3]}, "`shape`"),
        ({"shape": [2**16, 2**16]}, "`shape`"),
        ({"shape": [10**30]}, "`shape`"),
        ({"offset": 4}, "offset 0"),
        ({"offset": -4}, "offset 0"),
        ({"offset": None}, "offset 0"),
        ({"bytes": 13}, "12 bytes"),
        ({"bytes": 12.0}, "12 bytes"),
        ({"axis": 0}, "`axis`"),
        ({"kind": "int8", "axis": 1}, "`axis`"),
        ({"kind": "int8", "axis": True}, "`axis`"),
        (PACKED, "bits of a float"),
        (PACKED | {"least_exponent": -300}, "bits of a float"),
        (PACKED | {"least_exponent": "0"}, "bits of a float"),
        (PACKED | {"least_exponent": 0, "significand_bits": 60}, "bits of a float"),
    ],
)
def test_an_entry_that_does_not_hold_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(PackageError, match=reason) as caught:
        read_weights(with_entry(**changes))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 7,
        b"\xff" * 8,
        (5).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"{]",
        (2).to_bytes(8, "little") + b"[]",
        (2).to_bytes(8, "little") + b"\xff\xff",
        (100_000).to_bytes(8, "little") + b"[" * 100_000,
        spelled({"format_version": 2, "tensors": {}}),
        spelled({"format_version": 1}),
        spelled({"format_version": 1, "tensors": {"w": 3}}),
        with_entry(name="a b"),
        with_entry(name=""),
        with_entry(data=bytes(11)),
        with_entry(data=bytes(13)),
    ],
)
def test_a_file_that_does_not_hold_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(PackageError, match="does not hold") as caught:
        read_weights(data)
    assert "\n" not in str(caught.value)


def test_numbers_that_are_not_finite_are_refused_when_asked_for() -> None:
    data = np.array([1, np.nan, 1], "<f4").tobytes()
    [tensor] = read_weights(with_entry(data=data)).values()
    with pytest.raises(PackageError, match="must be finite"):
        tensor.decode()
    scaled = np.array([3e38], "<f4").tobytes() + bytes([127] * 8)
    with pytest.raises(PackageError, match="must be finite"):
        StoredTensor(kind="int8", shape=(8,), data=scaled).decode()


@pytest.mark.parametrize("store", [as_float32, as_float16, lambda x: as_packed(x, LAYOUT)])
def test_numbers_that_are_not_finite_are_not_stored(store) -> None:
    with pytest.raises(PackageError, match="can hold"):
        store(np.array([1, np.inf], np.float32))


def test_half_precision_takes_no_number_too_large_for_it() -> None:
    with pytest.raises(PackageError, match="float16 can hold"):
        as_float16(np.array([70_000], np.float32))


def test_a_file_may_not_say_more_numbers_in_all_than_may_be(monkeypatch) -> None:
    monkeypatch.setattr(weights, "MAX_NUMBERS", 5)
    assert len(write_weights({"a": normal(3), "b": normal(2)})) > 20
    with pytest.raises(PackageError, match="at most 5 numbers"):
        write_weights({"a": normal(3), "b": normal(3)})


def test_a_spread_has_no_spread() -> None:
    one = np.ones(3, np.float32)
    with pytest.raises(PackageError, match="but is that of a spread"):
        write_weights({"a": one, "a.spread": one, "a.spread.spread": one})
