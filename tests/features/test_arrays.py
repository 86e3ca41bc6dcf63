"""Tensors and arrays come out of a pickle as PyTorch and NumPy put them in."""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np
import pytest
import torch

from signloom.errors import FormatError
from signloom.features.arrays import Numbers, names_of_arrays
from signloom.features.bounded import Budget, ByteSource
from signloom.features.restricted import load

GRID = torch.arange(35.0).reshape(5, 7) / 3
TENSORS = {
    "whole": GRID,
    "cut": GRID[1:4, 2:],
    "in steps": GRID[::2, 1::3],
    "turned": GRID.t(),
    "three axes": torch.rand(3, 5, 7).transpose(0, 2),
    "no frame": torch.zeros(0, 7),
    "cut to no frame": GRID[5:],
    "one number": torch.tensor(2.5),
    "half": GRID.half(),
    "double": GRID.double(),
    "whole numbers": torch.arange(-7, 4),
    "small numbers": torch.arange(5, dtype=torch.uint8),
    "learnt": GRID.clone().requires_grad_(),
    "repeated within its storage": GRID.as_strided((3, 5), (2, 1)),
}
ARRAYS = {
    "C": np.arange(15, dtype=np.float32).reshape(5, 3),
    "Fortran": np.arange(15, dtype=np.float32).reshape(3, 5).T,
    "cut": np.arange(35.0).reshape(5, 7)[::2, 1:],
    "big-endian": np.arange(5, dtype=">f8"),
    "no frame": np.zeros((0, 7)),
    "bytes": np.arange(5, dtype=np.uint8),
    "truths": np.array([True, False]),
    "one number": np.float32(2.5),
}


def read(content: Any, protocol: int = 4) -> Any:
    budget = Budget()
    data = content if isinstance(content, bytes) else pickle.dumps(content, protocol)
    found = load(ByteSource(io.BytesIO(data), budget), names_of_arrays(budget))
    return found.values if isinstance(found, Numbers) else found


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("kind", TENSORS)
def test_a_tensor_is_read_without_pytorch_as_it_was(kind: str, protocol: int) -> None:
    expected = TENSORS[kind].detach().numpy()
    found = read(TENSORS[kind], protocol)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected, strict=True)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("kind", ARRAYS)
def test_an_array_is_read_as_it_was(kind: str, protocol: int) -> None:
    np.testing.assert_array_equal(read(ARRAYS[kind], protocol), ARRAYS[kind])


@pytest.mark.parametrize("other", ["numpy.core", "numpy._core"])
def test_either_name_of_numpys_core_is_known(other: str) -> None:
    data = pickle.dumps(ARRAYS["C"], 2)
    core = b"numpy._core" if b"numpy._core" in data else b"numpy.core"
    np.testing.assert_array_equal(read(data.replace(core, other.encode())), ARRAYS["C"])


@pytest.mark.parametrize(
    "array",
    [
        np.array([{"a": 1}], dtype=object),
        np.array(["text"]),
        np.zeros(3, dtype=[("a", "f4")]),
        np.zeros(3, dtype="M8[s]"),
        np.zeros(3, dtype=complex),
    ],
)
@pytest.mark.parametrize("protocol", [2, 5])
def test_an_array_of_anything_but_numbers_is_refused(array: Any, protocol: int) -> None:
    with pytest.raises(FormatError, match="array"):
        read(array, protocol)


def test_a_tensor_of_more_numbers_than_it_holds_is_refused() -> None:
    for wrong in (
        torch.zeros(1).as_strided((10**9, 178), (0, 0)),
        torch.zeros(5).as_strided((3, 3), (1, 1)),
    ):
        with pytest.raises(FormatError, match="more numbers than its storage"):
            read(wrong)


class Rebuilt:
    """Pickles as a call of `_rebuild_tensor_v2`."""

    def __init__(self, *arguments: Any) -> None:
        self.arguments = arguments

    def __reduce__(self) -> Any:
        return torch._utils._rebuild_tensor_v2, self.arguments


STORAGE = torch.storage.TypedStorage(
    wrap_storage=torch.zeros(6).untyped_storage(), dtype=torch.float32, _internal=True
)


@pytest.mark.parametrize(
    "arguments",
    [
        (STORAGE, 4, (2, 2), (2, 1)),
        (STORAGE, -1, (2, 2), (2, 1)),
        (STORAGE, 0, (2, 2), (-2, 1)),
        (STORAGE, 0, (-2, -2), (2, 1)),
        (STORAGE, 0, (2, 2), (2,)),
        (STORAGE, 0, (2**62, 2**62), (1, 1)),
        (STORAGE, 0, (1,) * 9, (1,) * 9),
        (STORAGE, 0.0, (2,), (1,)),
        (STORAGE, 0, "ab", (1, 1)),
        (b"123456", 0, (2,), (1,)),
        (STORAGE,),
    ],
)
def test_a_tensor_never_reaches_outside_its_storage(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(FormatError):
        read(Rebuilt(*arguments, *(False, {})[: 6 - len(arguments)]))


class Stored:
    """Pickles as a storage of any bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __reduce__(self) -> Any:
        return torch.storage._load_from_bytes, (self.data,)


def bytes_of_storage() -> bytes:
    file = io.BytesIO()
    torch.save(STORAGE, file, _use_new_zipfile_serialization=False)
    return file.getvalue()


def test_a_storage_that_is_damaged_or_of_another_format_is_refused() -> None:
    data = bytes_of_storage()
    assert len(read(Stored(data))) == 6
    newer = io.BytesIO()
    torch.save(STORAGE, newer)
    wrong_count = data.replace(b"K\x06Nt", b"K\x05Nt")
    too_many = data.replace(b"K\x06Nt", b"K\x60Nt")[:-32] + b"\x60" + b"\0" * 31
    big_endian = data.replace(b"little_endianq\x02\x88", b"little_endianq\x02\x89")
    assert len({data, wrong_count, too_many, big_endian}) == 4
    for wrong in (b"", data[:-1], data[:50], newer.getvalue(), wrong_count, too_many, big_endian):
        with pytest.raises(FormatError):
            read(Stored(wrong))


def test_every_prefix_of_a_file_is_refused() -> None:
    data = pickle.dumps([{"sign": GRID}])
    for end in range(1, len(data), 11):
        with pytest.raises(FormatError):
            read(data[:end])
