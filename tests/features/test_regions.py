"""Bottom-up features are read picture by picture, without unpickling."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.features.regions import RegionFolder
from signloom.features.store import PictureFeatures


def test_both_forms_of_the_field_are_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    one, other = (rng.normal(size=(count, 9)).astype(np.float32) for count in (11, 36))
    np.savez(tmp_path / "17.npz", feat=one, bbox=np.zeros((11, 4)))
    np.save(tmp_path / "18.npy", other)
    folder = RegionFolder(tmp_path)
    assert isinstance(folder, PictureFeatures)
    assert folder.names == ("17", "18")
    assert (folder.num_features, folder.views) == (9, 1)
    assert "19" not in folder
    np.testing.assert_array_equal(folder.get("17"), one)
    np.testing.assert_array_equal(folder.get("18"), other)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.array([object()]), "must hold an array"),
        (np.zeros((0, 9), np.float32), "at least one region"),
        (np.zeros((2, 5), np.float32), "must have 9 features a region as others have, but has 5"),
        (np.full((2, 9), np.nan, np.float32), "finite"),
        (np.zeros((2000, 9), np.float32), "at most 1000"),
        (np.zeros(9, np.float32), "must be real numbers"),
    ],
)
def test_what_does_not_hold_is_refused(values, message: str, tmp_path: Path) -> None:
    np.save(tmp_path / "1.npy", np.ones((3, 9), np.float32))
    np.save(tmp_path / "2.npy", values, allow_pickle=True)
    with pytest.raises(FormatError, match=message):
        RegionFolder(tmp_path).get("2")


def test_an_archive_without_features_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "1.npz", a=np.ones(3), b=np.ones(3))
    with pytest.raises(FormatError, match="it must hold `feat`, but holds a, b"):
        RegionFolder(tmp_path)


@pytest.mark.parametrize("member", ["feat", "feat.npy"])
def test_a_member_that_is_no_array_is_refused(tmp_path: Path, member: str) -> None:
    with zipfile.ZipFile(tmp_path / "1.npz", "w") as archive:
        archive.writestr(member, b"hello")
    with pytest.raises(FormatError, match=r"1\.npz .*(must be an array, but is none|must hold)"):
        RegionFolder(tmp_path)


def test_an_archive_that_unfolds_without_end_is_refused_before_it_does(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "1.npz", feat=np.zeros((900, 20_000), np.float32))
    assert (tmp_path / "1.npz").stat().st_size < 2**20
    with pytest.raises(FormatError, match="must unfold into at most"):
        RegionFolder(tmp_path)


def test_a_folder_of_neither_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="holds neither"):
        RegionFolder(tmp_path)
