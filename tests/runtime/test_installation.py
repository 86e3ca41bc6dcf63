"""Packages are installed whole or not at all, and nothing in an archive is believed."""

from __future__ import annotations

import stat
import warnings
import zipfile
from pathlib import Path

import pytest

from signloom.errors import PackageError
from signloom.runtime import checksums, installation
from signloom.runtime.installation import install
from signloom.runtime.package import Package
from signloom.runtime.registry import DEFAULT_PRODUCE_MODEL, known_packages
from tests.tiny_package import write_tiny_package


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Package:
    monkeypatch.setenv("SIGNLOOM_MODELS", str(tmp_path / "mine"))
    return write_tiny_package(tmp_path / "made" / "tiny")


def zipped(package: Package, path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(package.path.iterdir()):
            archive.write(file, file.name)
    return path


def test_a_folder_and_an_archive_give_the_same_package(package: Package, tmp_path: Path) -> None:
    assert install(package.path).id == package.id
    again = install(zipped(package, tmp_path / "t.zip"), overwrite=True)
    assert again.id == package.id
    assert known_packages()["tiny"] == again.path
    assert [path.name for path in again.path.parent.iterdir()] == ["tiny"]


def test_a_name_that_is_taken_is_kept(package: Package) -> None:
    install(package.path)
    with pytest.raises(PackageError, match="--overwrite"):
        install(package.path)


def test_a_bundled_name_cannot_be_taken(package: Package, tmp_path: Path) -> None:
    other = write_tiny_package(tmp_path / DEFAULT_PRODUCE_MODEL)
    with pytest.raises(PackageError, match="comes with signloom"):
        install(other.path, overwrite=True)


def evil(package: Package, path: Path, name: str, *, content: bytes = b"x", mode: int = 0) -> Path:
    with zipfile.ZipFile(zipped(package, path), "a") as archive:
        entry = zipfile.ZipInfo(name)
        entry.external_attr = mode << 16
        archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return path


@pytest.mark.parametrize("name", ["../x.onnx", "/tmp/x.onnx", "sub/x.onnx", "x.py", "X.onnx"])
def test_a_name_that_no_package_has_is_refused(package: Package, tmp_path: Path, name: str) -> None:
    with pytest.raises(PackageError, match="may hold"):
        install(evil(package, tmp_path / "t.zip", name))
    assert list((tmp_path / "mine").iterdir()) == []


def test_a_link_is_refused(package: Package, tmp_path: Path) -> None:
    path = evil(package, tmp_path / "t.zip", "extra.onnx", mode=stat.S_IFLNK | 0o777)
    with pytest.raises(PackageError, match="plain files"):
        install(path)


def test_an_archive_that_unpacks_to_too_much_is_refused(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = evil(package, tmp_path / "t.zip", "extra.onnx", content=bytes(300_000))
    monkeypatch.setattr(installation, "MAX_BYTES", 200_000)
    with pytest.raises(PackageError, match="at most 200000 bytes"):
        install(path)


def test_a_text_that_is_too_large_is_refused_before_it_is_unpacked(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checksums, "MAX_TEXT_BYTES", 5)
    with pytest.raises(PackageError, match=r"must unpack to at most 5 bytes, but says"):
        install(evil(package, tmp_path / "t.zip", "extra.onnx"))


def test_a_name_that_is_no_text_is_refused(package: Package, tmp_path: Path) -> None:
    path = evil(package, tmp_path / "t.zip", "éxtra.onnx")
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xff\xff"))
    with pytest.raises(PackageError, match="must be a whole zip file, but is not"):
        install(path)


def test_an_archive_that_says_less_than_it_unpacks_to_is_refused(
    package: Package, tmp_path: Path
) -> None:
    path = evil(package, tmp_path / "t.zip", "extra.onnx", content=bytes(3_000_000))
    said, true = (size.to_bytes(4, "little") for size in (7, 3_000_000))
    data = path.read_bytes()
    assert data.count(true) == 2
    path.write_bytes(data.replace(true, said))
    with pytest.raises(PackageError, match="whole zip file, but is not: Bad CRC"):
        install(path)
    assert list((tmp_path / "mine").iterdir()) == []


def test_files_too_many_or_of_one_name_are_refused(package: Package, tmp_path: Path) -> None:
    cases = {
        "many": ([f"g{number}.onnx" for number in range(64)], "at most 64 files, but holds 65"),
        "twice": (["a"] * 2, "each file once, but holds a more often"),
    }
    for name, (more, message) in cases.items():
        with warnings.catch_warnings(), zipfile.ZipFile(tmp_path / name, "w") as archive:
            warnings.simplefilter("ignore", UserWarning)
            for entry in more:
                archive.writestr(entry, b"x")
            archive.writestr("card.md", b"# X")
        with pytest.raises(PackageError, match=message):
            install(tmp_path / name)
    assert list((tmp_path / "mine").iterdir()) == []


def test_a_file_that_no_package_lists_is_refused(package: Package, tmp_path: Path) -> None:
    with pytest.raises(PackageError, match=r"holds `extra.onnx`, which `checksums.json` does not"):
        install(evil(package, tmp_path / "t.zip", "extra.onnx"))
    assert list((tmp_path / "mine").iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all" * 99])
def test_what_is_no_archive_is_refused(package: Package, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.zip").write_bytes(content)
    with pytest.raises(PackageError, match="whole zip file"):
        install(tmp_path / "t.zip")


def test_what_is_neither_a_file_nor_a_folder_is_refused_unread(package: Package) -> None:
    for source, claim in (("/dev/zero", "but /dev/zero is none"), ("a" * 300, "cannot be read")):
        with pytest.raises(PackageError, match=claim):
            install(Path(source))


def test_packed_bytes_that_cannot_be_unpacked_are_one_line(package: Package, tmp_path: Path):
    path = zipped(package, tmp_path / "t.zip")
    with zipfile.ZipFile(path) as archive:
        entry = archive.getinfo("card.md")
    data = bytearray(path.read_bytes())
    data[entry.header_offset + 30 + len(entry.filename)] = 0xFF
    path.write_bytes(data)
    with pytest.raises(PackageError, match="whole zip file, but is not: Error -3"):
        install(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_packed_in_a_rare_way_is_refused(package: Package, tmp_path: Path, method: int):
    with zipfile.ZipFile(tmp_path / "t.zip", "w", method) as archive:
        for file in package.path.iterdir():
            archive.write(file, file.name)
    with pytest.raises(PackageError, match=r"must be deflated, but .* is not"):
        install(tmp_path / "t.zip")


def test_a_damaged_file_is_refused_and_nothing_installed(package: Package, tmp_path: Path) -> None:
    path = zipped(package, tmp_path / "t.zip")
    (package.path / "card.md").write_text("# Another card\n")
    with pytest.raises(PackageError, match="checksum"):
        install(package.path)
    data = path.read_bytes()
    (tmp_path / "cut.zip").write_bytes(data[: len(data) // 2])
    with pytest.raises(PackageError, match="whole zip file"):
        install(tmp_path / "cut.zip")
    with pytest.raises(PackageError, match="is not there"):
        install(tmp_path / "none.zip")
    assert list((tmp_path / "mine").iterdir()) == []
