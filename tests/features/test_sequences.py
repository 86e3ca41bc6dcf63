"""Files of features are read as they are, or refused by one clear line."""

from __future__ import annotations

import gzip
import os
import pickle
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from signloom.errors import FormatError
from signloom.features import slt_file
from signloom.features.bounded import MAX_BYTES
from signloom.features.sequences import read_sequences

ROWS = np.random.default_rng(3).normal(size=(5, 3))


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize(
    "sign",
    [
        torch.from_numpy(ROWS).float(),
        torch.from_numpy(ROWS).float().t().contiguous().t(),
        ROWS,
        ROWS.tolist(),
        list(ROWS),
        list(torch.from_numpy(ROWS)),
    ],
    ids=["tensor", "turned tensor", "array", "numbers", "rows", "rows of tensors"],
)
def test_a_pickle_of_slt_is_read(write_pickle, entry, sign: Any, packed: bool) -> None:
    path = write_pickle([entry(sign), entry(sign, name="dev/two", text=" ")], packed=packed)
    first, second = read_sequences(path)
    assert (first.name, first.signer, first.text) == ("dev/one", "Signer04", "morgen regnet es .")
    assert first.glosses == ("MORGEN", "REGEN")
    assert (second.name, second.text) == ("dev/two", "")
    assert first.features.dtype == np.float32
    np.testing.assert_array_equal(first.features, ROWS.astype(np.float32))
    assert first.features.flags.writeable
    assert first.features.flags.c_contiguous


def test_what_a_pickle_does_not_say_is_left_open(write_pickle) -> None:
    [found] = read_sequences(write_pickle([{"sign": ROWS, "signer": None}]))
    assert (found.name, found.text, found.glosses, found.signer) == ("1", "", (), "")
    assert found.num_frames == 5


@pytest.mark.parametrize("dtype", ["<f4", ">f8", "<f2", "<i8", "u1"])
def test_an_array_is_one_sequence_named_after_its_file(tmp_path: Path, dtype: str) -> None:
    expected = (ROWS * 9 + 50).astype(dtype)
    np.save(tmp_path / "mine.npy", expected)
    [found] = read_sequences(tmp_path / "mine.npy")
    assert (found.name, found.features.dtype) == ("mine", np.float32)
    np.testing.assert_array_equal(found.features, expected.astype(np.float32))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_an_archive_has_a_sequence_an_array(tmp_path: Path, save: Any) -> None:
    save(tmp_path / "a.npz", **{"one": ROWS, "b/two": np.asfortranarray(ROWS[:2])})
    first, second = read_sequences(tmp_path / "a.npz")
    assert (first.name, second.name) == ("one", "b/two")
    np.testing.assert_array_equal(second.features, ROWS[:2].astype(np.float32))


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".pkl"])
def test_a_sequence_of_no_frame_is_read(tmp_path: Path, suffix: str, write_pickle, entry) -> None:
    path = tmp_path / f"a{suffix}"
    if suffix == ".npy":
        np.save(path, ROWS[:0])
    elif suffix == ".npz":
        np.savez(path, one=ROWS[:0])
    else:
        write_pickle([entry(torch.zeros(0, 3))], name=path.name)
    [found] = read_sequences(path)
    assert found.features.shape == (0, 3)


WRONG = {
    "one axis": (ROWS[0], r"\[frames, features\], but is float64 \[3\]"),
    "no feature": (ROWS[:, :0], r"\[5, 0\]"),
    "complex": (ROWS + 1j, "real numbers|array of type"),
    "truths": (ROWS > 0, "real numbers.*bool"),
    "nan": (np.where(np.arange(5)[:, None] == 2, np.nan, ROWS), "finite.*frame 2 does not"),
    "too large for float32": (ROWS * 1e300, "finite"),
    "long": (np.zeros((12, 3)), "at most 11 frames, but has 12"),
}


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("suffix", [".npy", ".npz", ".pkl"])
def test_what_is_no_sequence_is_refused(
    tmp_path: Path, write_pickle, entry, kind: str, suffix: str
) -> None:
    values, reason = WRONG[kind]
    path = tmp_path / f"a{suffix}"
    if suffix == ".npy":
        np.save(path, values)
    elif suffix == ".npz":
        np.savez(path, one=values)
    else:
        write_pickle([entry(values)], name=path.name)
    with pytest.raises(FormatError, match=rf"a\{suffix}.*({reason})") as caught:
        read_sequences(path, max_frames=11)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({"a": 1}, "a list"),
        ([], "at least one sequence"),
        ([1], "entry 1 must be a dictionary with `sign`"),
        ([{"name": "a"}], "entry 1 must be a dictionary with `sign`"),
        ([{"sign": ROWS, "name": 3}], "`name`"),
        ([{"sign": ROWS, "text": "x" * 20_001}], "at most 20000 characters as `text`"),
        ([{"sign": None}], "`sign`"),
        ([{"sign": []}], "`sign`"),
        ([{"sign": [[]]}], "`sign`"),
        ([{"sign": [[1.0, 2.0], [3.0]]}], "equally many numbers"),
        ([{"sign": [[1.0, "2"]]}], "other things"),
        ([{"sign": [[1.0, 10**400]]}], "finite"),
        ([{"sign": [ROWS]}], "`sign`"),
        ([{"sign": ROWS}, {"sign": ROWS[:, 1:], "name": "b"}], "one width, but 'b' has 2"),
    ],
)
def test_a_pickle_of_anything_else_is_refused(write_pickle, content: Any, reason: str) -> None:
    with pytest.raises(FormatError, match=rf"x\.dev.*{reason}") as caught:
        read_sequences(write_pickle(content))
    assert "\n" not in str(caught.value)


def test_a_list_that_repeats_a_row_thousands_of_times_is_refused_before_it_is_unfolded(
    write_pickle, entry
) -> None:
    row = [0.5] * 4500
    many = [row] * 4600
    with pytest.raises(FormatError, match="small enough"):
        read_sequences(write_pickle([entry(many)]))


def test_a_missing_an_empty_or_a_cut_file_is_refused(tmp_path: Path, write_pickle, entry) -> None:
    good = write_pickle([entry()]).read_bytes()
    path = tmp_path / "y.dev"
    with pytest.raises(FormatError, match="No such file"):
        read_sequences(path)
    with pytest.raises(FormatError, match="a folder"):
        read_sequences(tmp_path)
    for data, reason in (
        (b"", "empty"),
        (good[:-9], "damaged"),
        (good[:20], "damaged"),
        (good[:60] + b"xxxx" + good[64:], "damaged"),
        (gzip.compress(b""), "cut short"),
        (b"hello", "damaged pickle or none"),
    ):
        path.write_bytes(data)
        with pytest.raises(FormatError, match=rf"y\.dev.*({reason})"):
            read_sequences(path)


def test_a_name_that_promises_numpy_is_held_to_it(tmp_path: Path) -> None:
    for suffix in (".npy", ".npz"):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(pickle.dumps([{"sign": ROWS}]))
        with pytest.raises(FormatError, match="as its name says"):
            read_sequences(path)


def test_an_array_never_brings_a_pickle_along(tmp_path: Path) -> None:
    objects = np.array([[{"a": 1}]], dtype=object)
    np.save(tmp_path / "a.npy", objects)
    np.savez(tmp_path / "a.npz", one=objects)
    for name in ("a.npy", "a.npz"):
        with pytest.raises(FormatError):
            read_sequences(tmp_path / name)


def test_a_header_that_claims_more_than_there_is_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", ROWS)
    claimed = (
        (tmp_path / "a.npy").read_bytes().replace(b"(5, 3), }         ", b"(5000000000, 3), }")
    )
    assert b"5000000000" in claimed
    (tmp_path / "a.npy").write_bytes(claimed)
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("one.npy", claimed)
    for name in ("a.npy", "a.npz"):
        with pytest.raises(FormatError):
            read_sequences(tmp_path / name, max_frames=10**10)


@pytest.mark.parametrize("wrong", [b"(((((((", b"{'descr'", b"[][][]["])
def test_a_header_that_is_no_header_is_refused(tmp_path: Path, wrong: bytes) -> None:
    np.save(tmp_path / "a.npy", ROWS)
    data = (tmp_path / "a.npy").read_bytes()
    damaged = data[:10] + wrong + b" " * (117 - len(wrong)) + b"\n" + data[128:]
    (tmp_path / "a.npy").write_bytes(damaged)
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("one.npy", damaged)
    for name in ("a.npy", "a.npz"):
        with pytest.raises(FormatError, match="damaged"):
            read_sequences(tmp_path / name)


def test_an_archive_of_other_things_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    for name, data in (("one.npy", b""), ("one.npy", b"hello"), ("data.pkl", pickle.dumps(1))):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, data)
        with pytest.raises(FormatError, match=r"a\.npz must be an archive of NumPy"):
            read_sequences(path)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(FormatError, match="damaged"):
        read_sequences(path)
    with zipfile.ZipFile(path, "w"):
        pass
    with pytest.raises(FormatError, match="at least one sequence"):
        read_sequences(path)


def test_what_unfolds_beyond_the_bound_is_stopped(write_pickle, entry) -> None:
    path = write_pickle([entry(np.zeros((1000, 300)))])
    assert path.stat().st_size < 20_000
    assert len(list(slt_file.read(path, max_bytes=3_000_000))) == 1
    with pytest.raises(FormatError, match="more bytes than are allowed"):
        list(slt_file.read(path, max_bytes=1_000_000))
    assert MAX_BYTES < 10**10


def test_a_gzip_bomb_is_stopped_long_before_it_has_unfolded(tmp_path: Path) -> None:
    path = tmp_path / "bomb.dev"
    piece = gzip.compress(b"\x8e" + (2**22).to_bytes(8, "little") + bytes(2**22))
    path.write_bytes(gzip.compress(b"\x80\x04]") + 40 * piece)
    tracemalloc.start()
    with pytest.raises(FormatError, match="more bytes than are allowed"):
        read_sequences(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert path.stat().st_size < 200_000
    assert peak < 0.6 * 40 * 2**22


def test_a_pipe_is_refused_unread(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FormatError, match="a pipe"):
        read_sequences(tmp_path / "pipe")
    with pytest.raises(FormatError, match="a pipe"):
        list(slt_file.read(tmp_path / "pipe"))


def test_an_archive_that_unfolds_too_far_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("a.npy", bytes(10))
    data = path.read_bytes()
    claimed = (2**31).to_bytes(4, "little")
    central = data.index(b"PK\x01\x02") + 24
    path.write_bytes(data[:central] + claimed + data[central + 4 :])
    with pytest.raises(FormatError, match="must unpack to at most"):
        read_sequences(path)
