"""What a model does not read, and what is empty or too long, is refused in one clear line."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from signloom.errors import UserError
from signloom.pipelines.translate import Translator
from signloom.poses.pose import Pose
from signloom.poses.skeleton import Skeleton
from tests.tiny_translator import spelled, write_tiny_translator


@pytest.fixture(scope="module")
def translators(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Translator]:
    folder = tmp_path_factory.mktemp("translators")
    for source in ("glosses", "features", "poses"):
        write_tiny_translator(folder / source, source=source)
    return {path.name: Translator(path) for path in sorted(folder.iterdir())}


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, dtype=np.float32)


TWO_JOINTS = Skeleton("two", ("a", "b"), ((0, 1),))
REFUSED: dict[str, tuple[str, Any, str]] = {
    "glosses to poses": ("poses", ["REGEN"], "poses reads poses, but text holds glosses"),
    "features to poses": ("poses", zeros(9, 150), "but an array holds features of frames"),
    "glosses to features": ("features", ["REGEN"], "reads features of frames, but text"),
    "a pose to features": ("features", spelled("a"), "but a pose holds poses"),
    "a pose to glosses": ("glosses", spelled("a"), "glosses reads glosses, but a pose"),
    "features to glosses": ("glosses", zeros(2, 3), "reads glosses, but an array"),
    "a width": ("features", zeros(9, 1024), "reads 3 features a frame, but there are 1024"),
    "no frame": ("features", zeros(0, 3), "at least one frame"),
    "one axis": ("features", zeros(3), r"must be real numbers \[frames, features\]"),
    "letters": ("features", np.array([["a", "b", "c"]]), "must be real numbers"),
    "NaN": ("features", np.full((5, 3), np.nan), "must hold finite numbers, but frame 0"),
    "long features": ("features", zeros(50_000, 3), "at most 88 frames at once, but there are 500"),
    "no gloss": ("glosses", "  ", "at least one gloss"),
    "no list": ("glosses", [], "at least one gloss"),
    "long glosses": ("glosses", "NORD " * 50_000, "at most 5 glosses at once, but there are 50000"),
    "unknown glosses": ("glosses", "nord quark", "knows none: 'nord quark'"),
    "a skeleton": (
        "poses",
        Pose(zeros(3, 2, 3), np.ones((3, 2), np.float32), skeleton=TWO_JOINTS),
        "but this one is of two",
    ),
    "a long utterance": ("poses", spelled("abcdabcdabcd"), "at most 88 frames at once, but there"),
    "a long piece": ("poses", spelled("abcdabcdabcd", "a"), "but a piece without a pause has 102"),
    "50,000 frames": ("poses", spelled("abcd" * 1563), "but there are 50030"),
    "a slow recording": (
        "poses",
        spelled("a" * 101, fps=0.1),
        "at most 50000 frames at once, but there are 205500 at 25 fps",
    ),
}


@pytest.mark.parametrize("mistake", REFUSED)
def test_a_source_that_does_not_hold_is_refused_at_once(
    translators: dict[str, Translator], mistake: str
) -> None:
    reads, source, message = REFUSED[mistake]
    start = time.process_time()
    with pytest.raises(UserError, match=message) as caught:
        translators[reads].prepare(source)
    assert "\n" not in str(caught.value)
    assert time.process_time() - start < 2


def test_a_pose_package_of_another_width_is_refused(tmp_path: Path) -> None:
    # The graph cannot be of another width than the settings, so that the settings alone must do.
    from dataclasses import replace

    from signloom.pipelines.translation_input import prepare

    write_tiny_translator(tmp_path / "poses", source="poses")
    settings = replace(Translator(tmp_path / "poses").settings, num_features=99)
    with pytest.raises(UserError, match="must read 150 numbers of each pose, but reads 99"):
        prepare(spelled("a"), settings, None)


def test_sentences_are_not_cut_at_rests(tmp_path: Path) -> None:
    """A person who signs a sentence may well let the arms hang in its middle."""
    from dataclasses import replace

    from signloom.pipelines.translation_input import prepare

    write_tiny_translator(tmp_path / "poses", source="poses")
    settings = Translator(tmp_path / "poses").settings
    pose = spelled("a", "b")
    assert len(prepare(pose, settings, None).pieces) == 2
    [whole] = prepare(pose, replace(settings, unit="words"), None).pieces
    assert whole.shape == (pose.num_frames, 150)
    assert whole.dtype == np.float32


def test_each_unknown_gloss_is_named_once(translators: dict[str, Translator]) -> None:
    ready = translators["glosses"].prepare("QUARK NORD TANG QUARK")
    assert ready.unknown == ("QUARK", "TANG")
    assert [piece.tolist() for piece in ready.pieces] == [[1, 4, 1, 1]]
