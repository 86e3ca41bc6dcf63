"""A pickle of plain data is read; one that names code is refused and nothing of it is run."""

from __future__ import annotations

import builtins
import io
import os
import pickle
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import torch

from signloom.errors import FormatError
from signloom.features.arrays import names_of_arrays
from signloom.features.bounded import Budget, ByteSource
from signloom.features.restricted import Maker, load
from signloom.features.sequences import read_sequences

PLAIN = [{"a": (1, -2, 3.5, True, None), "b": ["ä", b"\x00", (), [], {}]}, 2**70, (1,), (1, 2, 3)]


def read(data: bytes, *, steps: int = 10_000) -> Any:
    budget = Budget(2**30, steps)
    return load(ByteSource(io.BytesIO(data), budget), names_of_arrays(budget))


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_plain_data_is_read_as_it_was_written(protocol: int) -> None:
    assert read(pickle.dumps(PLAIN, protocol)) == PLAIN
    long = ["x" * 300, "y" * 70_000, [*range(1300)]]
    assert read(pickle.dumps(long, protocol)) == long


def test_what_is_meant_twice_is_one_object() -> None:
    rows = [1, 2]
    first, second = read(pickle.dumps([rows, rows]))
    assert first is second


class Runs:
    """Runs something when a pickle of it is loaded."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = function, arguments

    def __reduce__(self) -> Any:
        return self.call


def code_by(way: str, marker: Path) -> object:
    touch = f"touch {marker}"
    if way == "os.system":
        return Runs(os.system, touch)
    if way == "builtins.eval":
        return Runs(builtins.eval, f"open({str(marker)!r}, 'w')")
    if way == "copyreg":
        return Runs(__import__("copyreg")._reconstructor, Path, object, None)
    if way == "inside a tensor":
        return torch_storage_that(touch)
    return Runs(getattr, Path(str(marker)), "touch")


def torch_storage_that(touch: str) -> object:
    """Hide a call where `torch.load` would look for a storage."""
    data = b"".join(pickle.dumps(part, 2) for part in (0x1950A86A20F9469CFC6C, 1001))
    data += pickle.dumps({"little_endian": True}, 2) + pickle.dumps(Runs(os.system, touch), 2)
    return Runs(torch.storage._load_from_bytes, data)


@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize(
    ("way", "named"),
    [
        ("os.system", r"`posix\.system`"),
        ("builtins.eval", r"`(builtins|__builtin__)\.eval`"),
        ("copyreg", r"`(copyreg|copy_reg)\._reconstructor`"),
        ("inside a tensor", r"`posix\.system`"),
        ("getattr", r"`(builtins|__builtin__)\.getattr`"),
    ],
)
def test_code_is_named_and_refused_and_never_run(
    write_pickle, tmp_path: Path, entry, way: str, named: str, protocol: int
) -> None:
    marker = tmp_path / "marker"
    path = write_pickle([entry(code_by(way, marker))], protocol=protocol)
    with pytest.raises(FormatError, match=named) as caught:
        read_sequences(path)
    assert "\n" not in str(caught.value)
    assert "nothing of it was run" in str(caught.value)
    assert not marker.exists()


def test_the_marker_would_be_there_if_it_were_run(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    pickle.loads(pickle.dumps(code_by("os.system", marker)))
    assert marker.exists()


def test_code_in_the_oldest_protocol_is_refused_by_its_name() -> None:
    with pytest.raises(FormatError, match=r"`posix\.system`"):
        read(pickle.dumps(Runs(os.system, "true"), 0))


def test_an_old_instance_instruction_is_refused_by_its_name() -> None:
    with pytest.raises(FormatError, match=r"`os\.system`"):
        read(b"(ios\nsystem\n.")


def test_a_name_cannot_write_over_a_terminal_or_fill_it() -> None:
    name = "\x1b[2J\n" + "x" * 500
    with pytest.raises(FormatError) as caught:
        read(pickle.dumps(("os", name), 4)[:-1].replace(b"\x86\x94", b"\x93") + b".")
    assert r"`os.\x1b[2J\nxxx" in str(caught.value)
    assert len(str(caught.value)) < 220


def test_a_function_of_ours_cannot_be_changed_or_got_at() -> None:
    known = {("a", "b"): Maker(list)}

    def run(*instructions: bytes) -> object:
        source = ByteSource(io.BytesIO(b"".join(instructions) + b"."), Budget(999, 99))
        return load(source, known)

    made = b"ca\nb\n"
    assert run(made, b")R") == []
    for wrong in ((made, b"}b"), (made, b")R}b"), (b"K\x01)R",), (made, b"]R"), (made, b")\x81")):
        with pytest.raises(FormatError):
            run(*wrong)


DAMAGED = {
    "nothing": b"",
    "no stop": b"\x80\x04]",
    "an empty stack": b"\x80\x04.",
    "no mark": b"\x80\x04]e.",
    "an unknown memo": b"\x80\x04h\x07.",
    "no text": b"\x80\x04\x8c\x01\xff.",
    "an unknown protocol": b"\x80\x09].",
    "an unknown instruction": b"\x80\x04\xff.",
    "an extension": b"\x80\x04\x82\x01.",
    "an odd dictionary": b"\x80\x04}(\x8c\x01au.",
    "keys that hash slowly": b"\x80\x04}))\x86Ns.",
    "a reference to elsewhere": b"\x80\x04K\x01Q.",
    "too few for a tuple": b"\x80\x04K\x01\x87.",
    "appended to a number": b"\x80\x04K\x01K\x02a.",
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damage_is_one_clear_error(damage: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(DAMAGED[damage])
    assert "\n" not in str(caught.value)


CLAIMS = {
    "a place in a table": b"\x80\x04Nr" + struct.pack("<I", 2**32 - 1) + b"0.",
    "bytes": b"\x80\x04\x8e" + struct.pack("<Q", 2**29) + b"x.",
    "more bytes than are allowed": b"\x80\x04\x8e" + struct.pack("<Q", 2**62) + b"x.",
    "a text": b"\x80\x04\x8d" + struct.pack("<Q", 2**62) + b"x.",
    "a frame": b"\x80\x04\x95" + struct.pack("<Q", 2**62) + b"x.",
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_no_memory_is_taken_for_what_a_file_only_claims(claim: str) -> None:
    tracemalloc.start()
    with pytest.raises(FormatError):
        read(CLAIMS[claim])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40_000_000


def test_instructions_are_counted() -> None:
    data = pickle.dumps([[] for _ in range(100)])
    assert len(read(data, steps=500)) == 100
    with pytest.raises(FormatError, match="more instructions"):
        read(data, steps=100)


@pytest.mark.parametrize("protocol", [2, 3])
def test_calls_on_one_text_again_and_again_are_paid_for(protocol: int) -> None:
    text = b"X" + struct.pack("<I", 1000) + b"x" * 1000 + b"q\x01"
    call = b"c_codecs\nencode\nh\x01X\x06\x00\x00\x00latin1\x86R"
    budget = Budget(20_000, 10_000)
    with pytest.raises(FormatError, match="more bytes"):
        load(ByteSource(io.BytesIO(b"]" + text + call * 500), budget), names_of_arrays(budget))


def test_a_tensor_is_what_pytorch_reads() -> None:
    tensor = torch.arange(15.0).reshape(5, 3)
    found = read(pickle.dumps(tensor)).values
    assert (found == tensor.numpy()).all()
    assert not found.flags.writeable
