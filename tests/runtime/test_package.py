"""A model package is read whole and unaltered, or refused in one line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from signloom.errors import PackageError
from signloom.runtime.checksums import CHECKSUMS_FILE, listing, package_id
from signloom.runtime.package import load_package, write_package

CONTENT: dict[str, Any] = {
    "graphs": {"encoder": b"graph one", "step.onnx": b"graph two"},
    "config": {"name": "tiny", "system": "produce"},
    "vocabulary": {"tokens": ["<pad>", "<rep>", " ", "é"]},
    "card": "# Tiny\nFingerspells: no face, no grammar.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_package(tmp_path / "tiny", **CONTENT)
    return tmp_path / "tiny"


def rewrite(folder: Path, name: str, data: bytes) -> None:
    """Change a file and list the change, as someone who makes a package by hand would."""
    (folder / name).write_bytes(data)
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    del files[CHECKSUMS_FILE]
    (folder / CHECKSUMS_FILE).write_text(json.dumps(listing(files)))


def test_a_written_package_reads_back(folder: Path) -> None:
    package = load_package(folder)
    assert (package.name, package.system) == ("tiny", "produce")
    assert package.config["format_version"] == 1
    assert package.vocabulary == ("<pad>", "<rep>", " ", "é")
    assert package.card == CONTENT["card"]
    assert dict(package.graphs) == {"encoder": b"graph one", "step": b"graph two"}
    assert package.graph("step") == b"graph two"


def test_a_missing_graph_is_named(folder: Path) -> None:
    with pytest.raises(PackageError, match=r"`decoder\.onnx`"):
        load_package(folder).graph("decoder")


def test_the_id_is_that_of_the_content_and_not_of_the_place(folder: Path, tmp_path: Path) -> None:
    twin = write_package(tmp_path / "other" / "place", **CONTENT)
    assert twin.id == load_package(folder).id
    other = write_package(tmp_path / "changed", **(CONTENT | {"card": "Another card.\n"}))
    assert other.id != twin.id


def test_the_id_does_not_depend_on_white_space_or_order(folder: Path) -> None:
    before = load_package(folder).id
    sums = json.loads((folder / CHECKSUMS_FILE).read_text())
    reordered = dict(reversed(sums.items()))
    (folder / CHECKSUMS_FILE).write_text(json.dumps(reordered, indent=7))
    assert load_package(folder).id == before == package_id(reordered)


@pytest.mark.parametrize(
    "name", ["config.json", "vocabulary.json", "card.md", "encoder.onnx", "step.onnx"]
)
def test_one_changed_byte_in_any_file_is_refused(folder: Path, name: str) -> None:
    data = bytearray((folder / name).read_bytes())
    data[-1] ^= 1
    (folder / name).write_bytes(data)
    with pytest.raises(PackageError, match=f"checksum of `{name}`"):
        load_package(folder)


@pytest.mark.parametrize(
    "name", ["config.json", "vocabulary.json", "card.md", "encoder.onnx", CHECKSUMS_FILE]
)
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(PackageError, match=f"`{name}`"):
        load_package(folder)


def test_an_unlisted_file_is_refused(folder: Path) -> None:
    (folder / "extra.onnx").write_bytes(b"")
    with pytest.raises(PackageError, match=r"`extra\.onnx`.*does not list"):
        load_package(folder)


def test_a_link_is_refused_even_where_its_content_matches(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes((folder / "card.md").read_bytes())
    (folder / "card.md").unlink()
    (folder / "card.md").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PackageError, match="plain files only"):
        load_package(folder)


def test_a_folder_inside_is_refused(folder: Path) -> None:
    (folder / "inner").mkdir()
    with pytest.raises(PackageError, match="plain files only"):
        load_package(folder)


@pytest.mark.parametrize(
    "name", ["../outside.onnx", "/etc/passwd", "a/b.onnx", "Encoder.onnx", "weights.pkl", ""]
)
def test_a_listing_may_name_graphs_in_the_folder_only(folder: Path, name: str) -> None:
    sums = json.loads((folder / CHECKSUMS_FILE).read_text())
    (folder / CHECKSUMS_FILE).write_text(json.dumps(sums | {name: "0" * 64}))
    with pytest.raises(PackageError, match="may hold"):
        load_package(folder)


@pytest.mark.parametrize(
    "text", ["", "[1, 2]", '{"card.md": 7}', '{"card.md": "abc"}', "[" * 10**5]
)
def test_a_malformed_listing_is_refused(folder: Path, text: str) -> None:
    (folder / CHECKSUMS_FILE).write_text(text)
    with pytest.raises(PackageError, match=r"checksums\.json must"):
        load_package(folder)


def test_an_oversized_text_file_is_refused_before_it_is_read(folder: Path) -> None:
    os.truncate(folder / "config.json", 2**40)
    with pytest.raises(PackageError, match="at most 4194304 bytes"):
        load_package(folder)


@pytest.mark.parametrize(
    ("config", "claim"),
    [
        ({"format_version": 2, "name": "a", "system": "produce"}, "`format_version`.*but is 2"),
        ({"name": "a", "system": "produce"}, "`format_version`.*but is None"),
        ({"format_version": True, "name": "a", "system": "produce"}, "`format_version`"),
        ({"format_version": 1, "name": 3, "system": "produce"}, "`name`"),
        ({"format_version": 1, "name": "a", "system": "dance"}, "`system`.*'dance'"),
        ([], "must hold a JSON object"),
    ],
)
def test_a_config_that_does_not_hold_is_refused(folder: Path, config: object, claim: str) -> None:
    rewrite(folder, "config.json", json.dumps(config).encode())
    with pytest.raises(PackageError, match=claim):
        load_package(folder)


@pytest.mark.parametrize(
    "vocabulary",
    [{}, {"tokens": "abc"}, {"tokens": ["a"]}, {"tokens": ["a", "a"]}, {"tokens": [1, 2]}],
)
def test_a_vocabulary_that_does_not_hold_is_refused(folder: Path, vocabulary: object) -> None:
    rewrite(folder, "vocabulary.json", json.dumps(vocabulary).encode())
    with pytest.raises(PackageError, match="`tokens`"):
        load_package(folder)


@pytest.mark.parametrize("name", ["config.json", "card.md"])
def test_text_that_is_not_utf8_is_refused(folder: Path, name: str) -> None:
    rewrite(folder, name, b"\xff\xfe")
    with pytest.raises(PackageError, match="UTF-8"):
        load_package(folder)


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content | {"graphs": {}},
        lambda content: content | {"graphs": {"../step": b""}},
        lambda content: content | {"vocabulary": {"tokens": []}},
        lambda content: content | {"config": {"name": "tiny"}},
    ],
)
def test_writing_leaves_nothing_behind_when_the_content_makes_no_package(
    tmp_path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    with pytest.raises(PackageError):
        write_package(tmp_path / "tiny", **change(CONTENT))
    assert list(tmp_path.iterdir()) == []


def test_writing_refuses_what_is_there_and_replaces_a_package_on_request(folder: Path) -> None:
    changed = CONTENT | {"card": "Second.\n"}
    with pytest.raises(PackageError, match="exists already"):
        write_package(folder, **changed)
    assert load_package(folder).card == CONTENT["card"]
    assert write_package(folder, **changed, overwrite=True).card == "Second.\n"
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]


def test_writing_never_replaces_what_is_no_package(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    with pytest.raises(PackageError, match="exists already"):
        write_package(tmp_path / "thesis", **CONTENT, overwrite=True)
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "years of work"


def test_a_place_that_cannot_be_written_to_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PackageError, match="cannot be written"):
        write_package(tmp_path / "file" / "tiny", **CONTENT)


@pytest.mark.parametrize(
    "place", [lambda root: root / ("n" * 256), lambda root: root / "a\0b", lambda _: Path("\0")]
)
def test_a_name_that_no_folder_can_have_is_refused(
    tmp_path: Path, place: Callable[[Path], Path]
) -> None:
    with pytest.raises(PackageError, match="cannot be written"):
        write_package(place(tmp_path), **CONTENT)


@pytest.mark.parametrize("key", ["name", "kind", "language", "spoken_language"])
@pytest.mark.parametrize("value", ["", "\x1b[31m", "a\nb", "a b", "-a", "é", "a" * 101, 7, None])
def test_what_is_printed_of_a_config_is_plain(folder: Path, key: str, value: object) -> None:
    config = {"format_version": 1, "name": "a", "system": "produce", key: value}
    rewrite(folder, "config.json", json.dumps(config).encode())
    with pytest.raises(PackageError, match=f"`{key}`") as caught:
        load_package(folder)
    assert str(caught.value).isprintable()


def test_a_card_or_a_token_that_steers_the_terminal_is_refused(folder: Path) -> None:
    rewrite(folder, "card.md", b"# Fine\n\tand \x1b[31mred\n")
    with pytest.raises(PackageError, match=r"no control characters, but holds '\\x1b'"):
        load_package(folder)
    rewrite(folder, "card.md", b"")
    rewrite(folder, "vocabulary.json", json.dumps({"tokens": ["a", "\x1b"]}).encode())
    with pytest.raises(PackageError, match="printable"):
        load_package(folder)


def test_a_damaged_package_is_replaced_on_request(folder: Path) -> None:
    (folder / "step.onnx").unlink()
    (folder / "card.md").write_text("altered")
    assert write_package(folder, **CONTENT, overwrite=True).card == CONTENT["card"]


@pytest.mark.parametrize("name", ["chapter.txt", "inner/step.onnx"])
def test_a_package_with_something_else_in_it_is_never_replaced(folder: Path, name: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("years of work")
    with pytest.raises(PackageError, match="exists already"):
        write_package(folder, **CONTENT, overwrite=True)
    assert (folder / name).read_text() == "years of work"


def test_weights_are_a_file_of_their_own(tmp_path: Path) -> None:
    package = write_package(tmp_path / "heavy", **CONTENT, weights=b"numbers")
    assert (tmp_path / "heavy" / "weights.bin").read_bytes() == b"numbers"
    assert package.weights == load_package(tmp_path / "heavy").weights == b"numbers"
    assert package.num_bytes == len(b"graph one" + b"graph two" + b"numbers")
    assert set(package.graphs) == {"encoder", "step"}
    light = write_package(tmp_path / "heavy", **CONTENT, overwrite=True)
    assert light.weights is None
    assert light.id != package.id
    assert not (tmp_path / "heavy" / "weights.bin").exists()


def test_weights_are_verified_and_make_no_package_alone(tmp_path: Path) -> None:
    write_package(tmp_path / "heavy", **CONTENT, weights=b"numbers")
    (tmp_path / "heavy" / "weights.bin").write_bytes(b"Numbers")
    with pytest.raises(PackageError, match=r"checksum of `weights\.bin`"):
        load_package(tmp_path / "heavy")
    with pytest.raises(PackageError, match="must hold a graph"):
        write_package(tmp_path / "bare", **(CONTENT | {"graphs": {}}), weights=b"numbers")
