"""Features of a corpus are computed once, and a run that was killed goes on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.data.captions import looking
from signloom.data.captions.looking import Looker
from signloom.errors import FormatError
from signloom.features.store import FeatureStore, read_network
from tests.small_pictures import colour_network, write_pictures


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    monkeypatch.setattr(looking, "SHARD_PICTURES", 7)
    folder = write_pictures(tmp_path / "pictures")
    return {path.stem: path for path in sorted((folder / "images").iterdir())}


def looker(folder: Path, *, network: bytes | None = None, mirrored: bool = False) -> Looker:
    graph = network or colour_network()
    return Looker(graph, network="colours", folder=folder, mirrored=mirrored)


def test_a_run_that_was_killed_goes_on(pictures: dict[str, Path], tmp_path: Path) -> None:
    folder, seen = tmp_path / "features", []

    def killed(count: int) -> None:
        seen.append(count)
        if sum(seen) > 15:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        looker(folder).look(pictures, advance=killed)
    assert len(FeatureStore(folder).names) == 14
    done = looker(folder).look(pictures)
    assert (done.kept, done.written, done.pictures, done.refused) == (2, 2, 24, [])
    whole = looker(tmp_path / "again")
    whole.look(pictures)
    for name in pictures:
        np.testing.assert_array_equal(
            FeatureStore(folder).get(name), FeatureStore(tmp_path / "again").get(name)
        )


def test_a_second_kill_loses_nothing(pictures: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "features"
    looker(folder).look(pictures)
    (folder / "features-00001.npy").unlink()
    seen = []

    def killed(count: int) -> None:
        seen.append(count)
        if len(seen) == 2:  # the first file is kept, the second begun
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        looker(folder).look(pictures, advance=killed)
    assert looker(folder).look(pictures).kept == 3


def test_only_what_has_changed_is_looked_at_again(
    pictures: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "features"
    looker(folder).look(pictures)
    names = list(pictures)
    pictures[names[8]].write_bytes(pictures[names[23]].read_bytes())
    (folder / "features-00003.npy").write_bytes(b"damaged")
    done = looker(folder).look(pictures)
    assert (done.kept, done.written) == (2, 2)
    store = FeatureStore(folder)
    np.testing.assert_array_equal(store.get(names[8]), store.get(names[23]))


def test_features_of_other_views_are_not_written_over(
    pictures: dict[str, Path], tmp_path: Path
) -> None:
    looker(tmp_path / "features").look(pictures)
    with pytest.raises(FormatError, match=r"cache of colours \(.*, plain and mirror.*, plain\. "):
        looker(tmp_path / "features", mirrored=True)


def test_a_network_that_a_kill_left_alone_is_gone_on_from(tmp_path: Path) -> None:
    (tmp_path / "image.onnx").write_bytes(b"another")
    assert read_network(tmp_path) is None
    looker(tmp_path)
    assert read_network(tmp_path) == colour_network()


def test_bad_pictures_are_left_out_and_named(pictures: dict[str, Path], tmp_path: Path) -> None:
    names = list(pictures)
    pictures[names[3]].write_bytes(b"no picture")
    pictures[names[9]].unlink()
    folder = tmp_path / "features"
    done = looker(folder).look(pictures)
    assert done.pictures == 22
    assert len(done.refused) == 2
    assert str(pictures[names[3]]) in done.refused[0]
    assert str(pictures[names[9]]) in done.refused[1]
    assert len(FeatureStore(folder).names) == 22
    again = looker(folder).look(pictures)
    assert (again.kept, again.refused) == (4, done.refused)


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FormatError, match="must be new, empty or a cache"):
        looker(tmp_path)
