"""Shards give back what was written; what claims too much is refused before it is unfolded."""

from __future__ import annotations

import struct

import numpy as np
import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest

from signloom.data.example import Example
from signloom.data.shard_guard import SHARD_EXAMPLES, schema
from signloom.data.shards import Row, read_facts, read_shard, write_shard
from signloom.errors import FormatError
from tests.data.small_corpus import moving_frames


def row(name: str, count: int, *, seed: int = 0) -> Row:
    frames = moving_frames(count, seed=seed)
    return Row(Example(name, f"text {name}", (), frames, (), 25.0, ("A", "B"), "ann"), 0.25)


def columns(rows: list[dict]) -> arrow.Table:
    return arrow.Table.from_pylist(rows, schema=schema())


def plain(name: str = "a", count: int = 3, **changes) -> dict:
    values = {"name": name, "text": "t", "glosses": [], "signer": "", "fps": 25.0}
    values |= {"num_frames": count, "missing": 0.0, "frames": [0.5] * (150 * count)}
    return values | changes


def test_frames_come_back_bit_for_bit_as_views_that_cannot_be_written_to(tmp_path) -> None:
    rows = [row("a", 5), row("b", 11, seed=1), row("c", 1, seed=2)]
    write_shard(tmp_path / "s.parquet", rows)
    found = read_shard(tmp_path / "s.parquet")
    assert [one.example.name for one in found] == ["a", "b", "c"]
    for one, expected in zip(found, rows, strict=True):
        np.testing.assert_array_equal(one.example.frames, expected.example.frames)
        assert one.example.frames.dtype == np.float32
        assert not one.example.frames.flags.owndata
        assert not one.example.frames.flags.writeable
        assert one.example.glosses == ("A", "B")
        assert (one.example.text, one.example.signer) == (expected.example.text, "ann")
        assert one.missing == 0.25


def test_all_columns_but_frames_are_read_alone(tmp_path) -> None:
    write_shard(tmp_path / "s.parquet", [row("a", 5)])
    [facts] = read_facts(tmp_path / "s.parquet")
    assert facts.keys() == set(schema().names) - {"frames"}
    assert facts["num_frames"] == 5


FAULTY = {
    "nan": (plain(frames=[0.0] * 300 + [float("nan")] + [0.0] * 149), "joint 0 of frame 2"),
    "infinite": (plain(frames=[float("inf")] + [0.0] * 449), "inf"),
    "wrong width": (plain(frames=[0.0] * 449), "449 numbers for 3 frames"),
    "no frame": (plain(count=0), "0 numbers for 0 frames"),
    "negative count": (plain(num_frames=-1), "-1 frames"),
    "long text": (plain(text="a" * 20_001), "20000 characters"),
    "zero fps": (plain(fps=0.0), "fps"),
    "1000 fps": (plain(fps=1000.0), "fps"),
    "not a share": (plain(missing=float("nan")), "missing"),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_an_utterance_that_does_not_hold_is_named(tmp_path, fault: str) -> None:
    values, claim = FAULTY[fault]
    path = tmp_path / "s.parquet"
    parquet.write_table(columns([plain("good"), values]), path, use_dictionary=False)
    with pytest.raises(FormatError, match=r"s\.parquet: the utterance 'a' .*" + claim):
        read_shard(path)


def test_a_null_is_refused(tmp_path) -> None:
    table = arrow.Table.from_pylist(
        [plain(text=None)], schema=arrow.schema([field.with_nullable(True) for field in schema()])
    )
    parquet.write_table(table, tmp_path / "s.parquet", use_dictionary=False)
    with pytest.raises(FormatError, match=r"s\.parquet"):
        read_shard(tmp_path / "s.parquet")


def test_more_rows_than_a_shard_has_are_refused(tmp_path) -> None:
    path = tmp_path / "s.parquet"
    rows = [plain(str(number)) for number in range(SHARD_EXAMPLES + 1)]
    parquet.write_table(columns(rows), path, use_dictionary=False)
    with pytest.raises(FormatError, match="at most 64 rows, but says 65"):
        read_shard(path)


def test_a_small_file_that_unfolds_into_over_half_a_gigabyte_is_refused_unread(tmp_path) -> None:
    path = tmp_path / "s.parquet"
    bomb = columns([plain(text="a" * 2**24)])
    settings = {"compression": "zstd", "use_dictionary": False, "write_statistics": False}
    with parquet.ParquetWriter(path, schema(), **settings) as file:
        for _ in range(33):
            file.write_table(bomb)
    assert path.stat().st_size < 2**20
    before = arrow.default_memory_pool().max_memory()
    with pytest.raises(FormatError, match="at most 536870912 bytes when unfolded, but says 5"):
        read_shard(path)
    assert arrow.default_memory_pool().max_memory() == before


def test_a_bomb_of_a_dictionary_is_refused(tmp_path) -> None:
    path = tmp_path / "s.parquet"
    parquet.write_table(columns([plain(frames=[0.5] * 450)]), path, use_dictionary=True)
    with pytest.raises(FormatError, match=r"must be written plainly.*DICTIONARY"):
        read_shard(path)


def test_a_bomb_of_texts_that_repeat_the_one_before_is_refused_unread(tmp_path) -> None:
    path = tmp_path / "s.parquet"
    settings = {"column_encoding": {"glosses.list.element": "DELTA_BYTE_ARRAY"}}
    table = columns([plain(glosses=["a" * 2**16] * 90)])
    parquet.write_table(table, path, use_dictionary=False, write_statistics=False, **settings)
    assert path.stat().st_size < 2**18
    before = arrow.default_memory_pool().bytes_allocated()
    with pytest.raises(FormatError, match=r"must be written plainly.*DELTA_BYTE_ARRAY"):
        read_shard(path)
    assert arrow.default_memory_pool().bytes_allocated() <= before


def test_other_columns_are_refused(tmp_path) -> None:
    path = tmp_path / "s.parquet"
    parquet.write_table(arrow.table({"name": ["a"], "frames": [[1.0]]}), path)
    with pytest.raises(FormatError, match="must have the columns name, text"):
        read_shard(path)


@pytest.mark.parametrize("kept", [0, 3, 500, -9])
def test_a_truncated_shard_is_refused_in_one_line(tmp_path, kept: int) -> None:
    path = tmp_path / "s.parquet"
    write_shard(path, [row("a", 5)])
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(FormatError, match=r"s\.parquet is damaged or no Parquet file") as caught:
        read_shard(path)
    assert "\n" not in str(caught.value)


def test_every_flipped_byte_is_refused_by_the_checksum(tmp_path) -> None:
    path = tmp_path / "s.parquet"
    checksum = write_shard(path, [row("a", 3), row("b", 2)])
    assert [one.example.name for one in read_shard(path, checksum=checksum)] == ["a", "b"]
    data = path.read_bytes()
    rng = np.random.default_rng(0)
    for place in rng.integers(len(data), size=150):
        changed = bytearray(data)
        changed[place] ^= int(rng.integers(1, 256))
        path.write_bytes(changed)
        with pytest.raises(FormatError, match=r"s\.parquet must have the checksum"):
            read_shard(path, checksum=checksum)


def test_a_footer_of_two_gigabytes_in_a_small_file_is_refused(tmp_path) -> None:
    path = tmp_path / "s.parquet"
    path.write_bytes(b"PAR1" + bytes(1000) + struct.pack("<I", 2**31 - 1) + b"PAR1")
    with pytest.raises(FormatError, match="damaged or no Parquet"):
        read_shard(path)
