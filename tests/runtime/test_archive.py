"""A package in one file is the same package, and the same file each time."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from signloom.errors import FormatError
from signloom.runtime.archive import pack
from signloom.runtime.installation import install
from tests.tiny_captioner import write_tiny_captioner
from tests.tiny_package import write_tiny_package


def test_what_is_packed_installs_as_the_same_package(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SIGNLOOM_MODELS", str(tmp_path / "mine"))
    for package in (
        write_tiny_package(tmp_path / "tiny"),
        write_tiny_captioner(tmp_path / "caption-colours-v1"),
    ):
        installed = install(pack(package, tmp_path / "another-name.zip"))
        assert (installed.id, installed.name) == (package.id, package.name)
        assert installed.path == tmp_path / "mine" / package.name


def test_the_same_package_gives_the_same_bytes(tmp_path: Path) -> None:
    package = write_tiny_package(tmp_path / "tiny")
    first = pack(package, tmp_path / "a.zip").read_bytes()
    for file in package.path.iterdir():
        os.utime(file, (1e9, 1e9))
    assert pack(package, tmp_path / "b.zip").read_bytes() == first
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        modes = {entry.external_attr >> 16 for entry in archive.infolist()}
    assert modes == {0o644}


def test_a_place_that_cannot_be_written_keeps_no_half(tmp_path: Path) -> None:
    package = write_tiny_package(tmp_path / "tiny")
    with pytest.raises(FormatError, match="nowhere"):
        pack(package, tmp_path / "nowhere" / "a.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]
