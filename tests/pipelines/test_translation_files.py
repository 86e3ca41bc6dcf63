"""Files of every kind give their sources one by one, and one of the wrong kind is refused."""

from __future__ import annotations

import gzip
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

from signloom.errors import ConfigError, FormatError
from signloom.pipelines.translate import Translator
from signloom.pipelines.translation_files import find_files, gloss_lines, read_one, read_sources
from signloom.poses.formats import many
from signloom.poses.formats.recording import Recording
from tests.tiny_translator import STRIDE, spelled, write_tiny_translator


@pytest.fixture(scope="module")
def translators(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Translator]:
    folder = tmp_path_factory.mktemp("translators")
    for source in ("glosses", "features", "poses"):
        write_tiny_translator(folder / source, source=source)
    return {path.name: Translator(path) for path in sorted(folder.iterdir())}


def read(translator: Translator, path: Path) -> dict[str, str]:
    """Translate every source of a file."""
    items = list(read_sources(path, translator.settings))
    texts = translator.translate_many([item.source for item in items])
    return {item.name: one.text for item, one in zip(items, texts, strict=True)}


def features(*columns: int) -> np.ndarray:
    return np.repeat([[0, column, 0] for column in columns], STRIDE, axis=0).astype(np.float32)


@pytest.mark.parametrize("suffix", [".pose", ".json"])
def test_a_file_of_one_pose(
    translators: dict[str, Translator], tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"x{suffix}"
    spelled("cab").save(path)
    assert read(translators["poses"], path) == {str(path): "cab"}


def test_a_file_of_many_poses(translators: dict[str, Translator], tmp_path: Path) -> None:
    path = tmp_path / "x.skels"
    many.write_all([Recording(str(n), spelled(word)) for n, word in enumerate(["ab", "dad"])], path)
    assert read(translators["poses"], path) == {f"{path}:1": "ab", f"{path}:2": "dad"}
    with pytest.raises(FormatError, match="holds several"):
        read_one(path, translators["poses"].settings)


def test_files_of_features(translators: dict[str, Translator], tmp_path: Path) -> None:
    translator = translators["features"]
    np.save(tmp_path / "x.npy", features(1, 3).astype(np.float64))
    np.savez(tmp_path / "x.npz", one=features(2), two=features(0, 0))
    entries = [{"name": "dev/1", "signer": "S", "gloss": "G", "text": "t", "sign": [[0, 4, 0]]}]
    with gzip.open(tmp_path / "phoenix14t.pami0.dev", "wb") as file:
        pickle.dump(entries, file)
    assert read(translator, tmp_path / "x.npy") == {str(tmp_path / "x.npy"): "sonne morgen"}
    archive = tmp_path / "x.npz"
    assert read(translator, archive) == {f"{archive}:one": "nord", f"{archive}:two": "regen regen"}
    pickled = tmp_path / "phoenix14t.pami0.dev"
    assert read(translator, pickled) == {str(pickled): "abend"}
    assert translator.translate(pickled).text == "abend"


def test_a_pickle_that_wants_to_run_code_is_refused_and_runs_nothing(
    translators: dict[str, Translator], tmp_path: Path
) -> None:
    class Attack:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "ran"),)

    path = tmp_path / "x.pkl"
    path.write_bytes(pickle.dumps([{"sign": Attack()}]))
    with pytest.raises(FormatError, match="mkdir"):
        translators["features"].translate(path)
    assert not (tmp_path / "ran").exists()


def test_a_file_of_glosses_gives_its_lines(
    translators: dict[str, Translator], tmp_path: Path
) -> None:
    path = tmp_path / "x.gloss"
    path.write_bytes("\ufeffREGEN NORD\r\n\n  SONNE\n".encode())
    assert read(translators["glosses"], path) == {f"{path}:1": "regen nord", f"{path}:3": "sonne"}
    one = tmp_path / "phoenix2014T.dev"
    one.write_text("ABEND\n")
    assert read(translators["glosses"], one) == {str(one): "abend"}


@pytest.mark.parametrize(
    ("data", "message"), [(b" \n\n", "but is empty"), (b"", "but is empty"), (b"\xff", "UTF-8")]
)
def test_glosses_that_are_no_text_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(gloss_lines(data, "x.txt"))


@pytest.mark.parametrize(
    ("reads", "name", "message"),
    [
        ("poses", "x.npy", "poses reads poses, but .*x.npy holds features of frames"),
        ("poses", "x.txt", "but .*x.txt holds glosses"),
        ("features", "x.pose", "but .*x.pose holds poses"),
        ("glosses", "x.skels", "but .*x.skels holds poses"),
        ("poses", "x.doc", "must end in one of"),
    ],
)
def test_a_file_of_what_the_model_does_not_read_is_refused(
    translators: dict[str, Translator], tmp_path: Path, reads: str, name: str, message: str
) -> None:
    (tmp_path / name).touch()
    with pytest.raises((ConfigError, FormatError), match=message):
        list(read_sources(tmp_path / name, translators[reads].settings))


@pytest.mark.parametrize(
    ("reads", "name"), [("poses", "no.pose"), ("features", "no.npy"), ("glosses", "no.txt")]
)
@pytest.mark.parametrize("folder", [False, True])
def test_a_file_that_is_missing_or_a_folder_is_one_line(
    translators: dict[str, Translator], tmp_path: Path, reads: str, name: str, folder: bool
) -> None:
    if folder:
        (tmp_path / name).mkdir()
    with pytest.raises(FormatError, match=name) as caught:
        translators[reads].translate(tmp_path / name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("reads", "name"), [("poses", "x.pose"), ("features", "x.npy")])
def test_an_empty_file_is_refused(
    translators: dict[str, Translator], tmp_path: Path, reads: str, name: str
) -> None:
    (tmp_path / name).touch()
    with pytest.raises(FormatError, match=name):
        translators[reads].translate(tmp_path / name)


def test_a_folder_gives_what_the_model_reads_from_it_and_from_below(
    translators: dict[str, Translator], tmp_path: Path
) -> None:
    for name in ("b.pose", "a/c.json", "x.npy", "notes.txt", ".b.pose.1-2.partial", ".d.pose"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = find_files(tmp_path, translators["poses"].settings)
    assert [str(path.relative_to(tmp_path)) for path in found] == ["a/c.json", "b.pose"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match=r"must hold poses \(.pose"):
        find_files(tmp_path / "empty", translators["poses"].settings)
