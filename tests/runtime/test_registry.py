"""Packages are found by name in two places, or by folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from signloom.errors import PackageError
from signloom.runtime.registry import bundled_folder, find_package, known_packages, user_folder


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SIGNLOOM_MODELS", str(tmp_path / "models"))
    for name in ("zebra", "apple"):
        (tmp_path / "models" / name).mkdir(parents=True)
        (tmp_path / "models" / name / "checksums.json").touch()
    (tmp_path / "models" / "no-package").mkdir()
    return tmp_path / "models"


def test_a_users_packages_are_known_by_folder_name(models: Path) -> None:
    known = known_packages()
    assert list(known) == sorted(known)
    assert {"zebra", "apple"} <= set(known)
    assert "no-package" not in known
    assert find_package("apple") == models / "apple"


def test_a_folder_is_found_by_path(models: Path) -> None:
    assert find_package(models / "no-package") == models / "no-package"
    assert find_package(str(models / "zebra")) == models / "zebra"


@pytest.mark.parametrize("name", ["pear", "", "apple/..x", "zebra\n"])
def test_an_unknown_name_lists_the_known_ones(models: Path, name: str) -> None:
    with pytest.raises(PackageError, match=r"Unknown model .* Known models: .*apple, .*zebra"):
        find_package(name)


def test_no_user_folder_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SIGNLOOM_MODELS", str(tmp_path / "nowhere"))
    assert all(folder.parent == bundled_folder() for folder in known_packages().values())


@pytest.mark.parametrize(
    ("platform", "variable", "tail"),
    [
        ("linux", "XDG_DATA_HOME", ("signloom", "models")),
        ("win32", "LOCALAPPDATA", ("signloom", "models")),
        ("darwin", "HOME", ("Library", "Application Support", "signloom", "models")),
    ],
)
def test_the_user_folder_is_the_platforms(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, platform: str, variable: str, tail: tuple[str]
) -> None:
    monkeypatch.delenv("SIGNLOOM_MODELS", raising=False)
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setenv(variable, str(tmp_path))
    assert user_folder() == tmp_path.joinpath(*tail)


def test_the_home_of_an_unknown_user_is_no_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(PackageError, match=r"The model must not .* '~nosuchuser/x'"):
        find_package("~nosuchuser/x")
    monkeypatch.setenv("SIGNLOOM_MODELS", "~nosuchuser")
    with pytest.raises(PackageError, match="SIGNLOOM_MODELS must not"):
        known_packages()


@pytest.mark.parametrize("name", ["n" * 256, "a/" * 5000, "nul\0", "/tmp/\0"])
def test_names_that_no_folder_can_have_are_refused_in_one_line(models: Path, name: str) -> None:
    for given in (name, Path(name)):
        with pytest.raises(PackageError, match="model") as caught:
            find_package(given)
        assert str(caught.value).isprintable()
