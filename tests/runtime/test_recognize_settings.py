"""`config.json` of a recognition package holds field by field, or is refused by field."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from signloom.errors import PackageError
from signloom.runtime.package import load_package
from signloom.runtime.recognize_settings import RecognizeSettings, language_model_of
from signloom.runtime.registry import fingerspelling_package
from tests.evaluation.tiny_judge import write_tiny_judge
from tests.tiny_package import write_tiny_package


def test_packages_of_the_first_release_lack_the_newer_fields() -> None:
    package = load_package(fingerspelling_package("recognize", "gsg"))
    assert "languages" not in package.config
    settings = RecognizeSettings.read(package)
    assert (settings.languages, settings.inputs) == (("gsg",), ("poses",))
    assert (settings.stride, settings.unit, settings.beam) == (2, "letters", 1)
    assert language_model_of(package) is None


def test_settings_read_back_as_written(tmp_path: Path) -> None:
    settings = RecognizeSettings(
        name="whole",
        kind="signing",
        languages=("ase", "gsg"),
        spoken_language="en",
        unit="glosses",
        inputs=("poses", "confidence", "language", "pictures"),
        picture_px=64,
        resized_px=72,
        stride=4,
        max_frames=777,
        beam=10,
        language_model_weight=0.5,
        insertion_bonus=-0.25,
    )
    package = write_tiny_judge(tmp_path / "whole", **settings.to_dict())
    assert RecognizeSettings.read(package) == settings
    assert RecognizeSettings.read(package) != replace(settings, beam=9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": None}, "`kind` is missing in config.json"),
        ({"language": None}, "`languages` is missing in config.json"),
        ({"languages": ["ase", "ase"]}, "a list of different codes of languages, but is"),
        ({"languages": []}, "a list of different codes"),
        ({"unit": "words"}, "must be letters or glosses, but is 'words'"),
        ({"inputs": ["poses", "sound"]}, "some of poses, confidence, pictures, language, but is"),
        ({"inputs": ["poses", "poses"]}, "must be a list of some of"),
        ({"inputs": [["poses"]]}, "must be a list of some of"),
        ({"inputs": "poses"}, "must be a list of some of"),
        ({"inputs": ["confidence"]}, "must name poses or pictures, but names confidence"),
        ({"inputs": ["pictures"]}, "must be 0 where no pictures are read, and only there, but is"),
        ({"picture_px": 64}, "must be 0 where no pictures"),
        (
            {"inputs": ["pictures"], "picture_px": 64, "resized_px": 63},
            "at least `picture_px` where pictures are read, but is 63 with a `picture_px` of 64",
        ),
        ({"resized_px": 64}, "but is 64 with a `picture_px` of 0"),
        ({"picture_px": 1025}, "a whole number from 0 to 1024"),
        ({"fps": float(10**9)}, "a number from 1 to 240"),
        ({"skeleton": "hand_21"}, "must be upper_body_50, but is 'hand_21'"),
        ({"stride": 0}, "a whole number from 1 to 64, but is '0'"),
        ({"max_frames": 10**9}, "a whole number from 1 to 50000"),
        ({"beam": 65}, "a whole number from 1 to 64"),
        ({"beam": True}, "a whole number from 1 to 64"),
        ({"language_model_weight": -1}, "a number from 0 to 10"),
        ({"insertion_bonus": "much"}, "a number from -10 to 10"),
    ],
)
def test_what_does_not_hold_is_refused_by_its_name(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    package = write_tiny_judge(tmp_path / "tiny", **changes)
    with pytest.raises(PackageError, match=message):
        RecognizeSettings.read(package)


def test_a_package_of_another_system_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="must be one of the system `recognize`, but maker is"):
        RecognizeSettings.read(write_tiny_package(tmp_path / "maker"))


def test_counts_make_a_language_model_or_are_refused(tmp_path: Path) -> None:
    package = write_tiny_judge(tmp_path / "good", ngrams=[[0, 5, 3], [5, 0, 3]])
    model = language_model_of(package)
    assert model is not None
    assert (model.order, model.num_tokens) == (2, 29)
    package = write_tiny_judge(tmp_path / "bad", ngrams=[[0, 29, 3]])
    with pytest.raises(PackageError, match=r"vocabulary.json of .*bad does not hold: .*`ngrams`"):
        language_model_of(package)
