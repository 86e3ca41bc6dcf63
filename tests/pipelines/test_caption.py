"""Pictures in, captions out, through the whole runtime."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from signloom.errors import ConfigError, FormatError, PackageError
from signloom.pipelines.caption import BATCH, Captioner
from tests.small_pictures import COLOURS
from tests.tiny_captioner import GROUP, write_tiny_captioner
from tests.tiny_package import write_tiny_package


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("captioners")
    write_tiny_captioner(folder / "caption-colours-v1")
    return folder


@pytest.fixture(scope="module")
def captioner(folder: Path) -> Captioner:
    return Captioner(folder / "caption-colours-v1")


def plain(colour: str, width: int = 40, height: int = 24) -> np.ndarray:
    return np.tile(np.array(COLOURS[colour], np.uint8), (height, width, 1))


def test_pictures_are_captioned_together_as_each_alone(captioner: Captioner) -> None:
    colours = [*COLOURS, "red"] * (BATCH // 2)
    squares = [captioner.open(plain(colour)) for colour in colours]
    found = captioner.caption(squares)
    assert [one.text for one in found] == [f"a {colour} picture" for colour in colours]
    for square, one in zip(squares, found, strict=True):
        [alone] = captioner.caption([square])
        assert alone == one
    assert captioner.caption([]) == []


def test_a_caption_says_how_sure_it_is_and_what_else_it_might_be(captioner: Captioner) -> None:
    [found] = captioner.caption([captioner.open(plain("blue", 400, 30))])
    assert found.tokens == ("a", "blue", "picture")
    assert found.finished
    assert (found.width_px, found.height_px, found.group, found.beam) == (400, 30, GROUP, 3)
    assert found.confidence == pytest.approx(np.exp(5) / (np.exp(5) + 8), rel=1e-5)
    assert len(found.best) == 3
    assert found.best[0].text == found.text
    assert [one.score for one in found.best] == sorted(one.score for one in found.best)[::-1]
    report = found.to_dict()
    assert report["model"]["name"] == "caption-colours-v1"
    assert (report["kind"], report["spoken_language"]) == ("captions", "en")


def test_only_the_middle_square_is_looked_at(captioner: Captioner) -> None:
    pixels = np.concatenate([plain("red", 100), plain("green", 24), plain("red", 100)], axis=1)
    [found] = captioner.caption([captioner.open(pixels)])
    assert found.text == "a green picture"


def test_a_file_is_opened_as_its_pixels_are(captioner: Captioner, tmp_path: Path) -> None:
    Image.fromarray(plain("red")).save(tmp_path / "a.png")
    assert captioner.caption([captioner.open(tmp_path / "a.png")])[0].text == "a red picture"
    with pytest.raises(FormatError, match="No such file"):
        captioner.open(tmp_path / "b.png")


@pytest.mark.parametrize("beam", [0, 65])
def test_a_beam_out_of_range_is_refused(folder: Path, beam: int) -> None:
    with pytest.raises(ConfigError, match=f"`beam` must be 1 to 64, but is {beam}"):
        Captioner(folder / "caption-colours-v1", beam=beam)


def test_the_only_captioner_is_the_default(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SIGNLOOM_MODELS", str(tmp_path))
    with pytest.raises(PackageError, match=r"signloom models install NAME\.zip"):
        Captioner()
    write_tiny_package(tmp_path / "caption-in-name-only")
    write_tiny_captioner(tmp_path / "eye")
    assert Captioner().package.name == "eye"
    write_tiny_captioner(tmp_path / "caption-colours-v2")
    with pytest.raises(PackageError, match="several are installed: caption-colours-v2, eye"):
        Captioner()


def test_a_damaged_captioner_is_named_as_such(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SIGNLOOM_MODELS", str(tmp_path))
    package = write_tiny_captioner(tmp_path / "caption-colours-v1")
    (package.path / "config.json").write_text("[" * 9999)
    with pytest.raises(PackageError, match=r"checksum of `config.json`"):
        Captioner()


def test_a_model_of_features_reads_these_and_no_pictures(tmp_path: Path) -> None:
    write_tiny_captioner(tmp_path / "caption-regions-v1", has_image_network=False)
    captioner = Captioner(tmp_path / "caption-regions-v1")
    with pytest.raises(ConfigError, match="with an image network only"):
        captioner.caption([captioner.open(plain("red"))])
    features = [np.eye(3, dtype=np.float32)[[1] * rows] for rows in (4, 2)]
    assert [captioner.caption_features([one]) for one in features] == [["a green picture"]] * 2
    with pytest.raises(ConfigError, match=r"\[positions, 3\], but are \[2, 5\]"):
        captioner.caption_features([np.zeros((2, 5), np.float32)])
    with pytest.raises(ConfigError, match="at most 4 positions, but have 5"):
        captioner.caption_features([np.zeros((5, 3), np.float32)])


def test_a_package_of_another_system_is_refused(tmp_path: Path) -> None:
    write_tiny_package(tmp_path / "tiny")
    with pytest.raises(PackageError, match="must be one of the system `caption`"):
        Captioner(tmp_path / "tiny")


@pytest.mark.parametrize(
    ("field", "value"), [("positions", 3), ("num_features", 7), ("num_heads", 2), ("group", 0)]
)
def test_settings_that_do_not_fit_the_graphs_are_refused(field, value, tmp_path: Path) -> None:
    write_tiny_captioner(tmp_path / "bad", **{field: value})
    with pytest.raises(PackageError):
        Captioner(tmp_path / "bad")
