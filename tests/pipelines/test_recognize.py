"""A recogniser reads poses and films, in one go or many, and says when and how surely."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import signloom
from signloom.errors import ConfigError, FormatError, PackageError
from signloom.pipelines.extraction import Extraction
from signloom.pipelines.recognize import Recognizer, recognizer_name
from signloom.poses.mirror import mirror_pose
from signloom.poses.pose import Pose
from signloom.poses.retime import resample
from signloom.poses.skeleton import LEFT_HAND
from signloom.runtime.package import Package, load_package, write_package
from signloom.runtime.registry import fingerspelling_package
from signloom.search.ngram import count
from tests.evaluation.tiny_judge import VOCABULARY, write_down, write_tiny_judge
from tests.small_films import write_film
from tests.tiny_package import write_tiny_package
from tests.tiny_recognizers import film_of, write_pictures, write_tiny_watcher


@pytest.fixture(scope="module")
def hello() -> Pose:
    return signloom.produce("hello")


@pytest.fixture(scope="module")
def judge() -> Recognizer:
    return Recognizer(fingerspelling_package("recognize", "ase"))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Recognizer:
    return Recognizer(write_tiny_judge(tmp_path_factory.mktemp("judge") / "tiny").path)


def written(*tokens: str, frames: int = 2) -> Pose:
    return Pose.of(write_down(tokens, frames_per_token=frames))


def test_what_is_spelled_is_read_letter_by_letter(judge: Recognizer, hello: Pose) -> None:
    found = judge.recognize(hello)
    assert found.text == "hello"
    assert found.tokens == ("h", "e", "l", "<rep>", "o")
    assert [span.token for span in found.spans] == list("hello")
    starts = [span.start_s for span in found.spans]
    assert starts == sorted(starts)
    assert all(span.start_s < span.end_s <= found.duration_s for span in found.spans)
    assert 0.9 < found.confidence <= 1
    assert (found.kind, found.language, found.warnings) == ("fingerspelling", "ase", ())


def test_a_pose_from_elsewhere_is_brought_to_the_model(judge: Recognizer, hello: Pose) -> None:
    confidence = hello.confidence.copy()
    confidence[:, LEFT_HAND] = 0
    unseen = Pose(hello.frames, confidence, hello.fps)
    for pose in (unseen, mirror_pose(hello), resample(hello, 50.0)):
        assert judge.recognize(pose).text == "hello"


def test_a_recording_that_is_too_long_is_cut_and_read_as_one(
    tmp_path: Path, judge: Recognizer, hello: Pose
) -> None:
    package = load_package(fingerspelling_package("recognize", "ase"))
    write_package(
        tmp_path / "short",
        graphs=package.graphs,
        config=dict(package.config) | {"name": "short", "max_frames": hello.num_frames + 9},
        vocabulary={"tokens": list(package.vocabulary)},
        card=package.card,
    )
    twice = Pose.concatenate([hello, hello])
    short = Recognizer(tmp_path / "short", beam=5)
    cut, whole = short.recognize(twice), judge.recognize(twice)
    assert (cut.text, cut.num_pieces, whole.num_pieces) == ("hello hello", 2, 1)
    for one, other in zip(cut.spans, whole.spans, strict=True):
        assert one.token == other.token
        assert abs(one.start_s - other.start_s) < 0.2


def test_times_are_those_of_the_frames(tiny: Recognizer) -> None:
    found = tiny.recognize(written("a", "b", frames=3))
    assert [(span.token, span.start_s, span.end_s) for span in found.spans] == [
        ("a", 0.04, 0.16),
        ("b", 0.2, 0.32),
    ]


def test_many_recordings_give_what_each_gives_alone(tiny: Recognizer) -> None:
    poses = [written(*word) for word in ("abc", "d", "edcba", *["ab"] * 17)]
    done: list[int] = []
    together = tiny.recognize_many(poses, best=2, done=done.append)
    assert sum(done) == len(poses)
    for pose, one in zip(poses, together, strict=True):
        alone = tiny.recognize(pose, best=2)
        assert (one.text, one.spans) == (alone.text, alone.spans)
        assert one.log_prob == pytest.approx(alone.log_prob, abs=1e-5)
    assert tiny.recognize_many([]) == []


def test_other_readings_come_with_a_beam(tiny: Recognizer) -> None:
    pose = written("a", "b")
    assert tiny.recognize(pose).beam == 1
    found = tiny.recognize(pose, best=3)
    assert (found.beam, len(found.best), found.text) == (12, 3, "ab")
    scores = [one.score for one in found.best]
    assert scores == sorted(scores, reverse=True)
    assert len({one.text for one in found.best}) == 3


def ambiguous() -> Pose:
    """Give frames that say `a`, then `b` or `c` alike."""
    frames = write_down(["a", "b"]).reshape(6, 150)
    likewise = write_down(["a", "c"]).reshape(6, 150)
    return Pose.of(np.maximum(frames, likewise).reshape(6, 50, 3))


def test_a_language_model_decides_where_the_eye_cannot(tmp_path: Path) -> None:
    ngrams = count([VOCABULARY.encode("ac")] * 3 + [VOCABULARY.encode("b")], 2)
    write_tiny_judge(tmp_path / "knows", ngrams=ngrams, beam=5, language_model_weight=0.5)
    assert Recognizer(tmp_path / "knows", beam=1).recognize(ambiguous()).text == "ab"
    found = Recognizer(tmp_path / "knows").recognize(ambiguous())
    assert (found.text, found.beam, found.language_model_weight) == ("ac", 5, 0.5)
    assert found.score < found.log_prob
    without = Recognizer(tmp_path / "knows", language_model_weight=0.0).recognize(ambiguous())
    assert (without.text, without.language_model_weight) == ("ab", 0.0)
    write_tiny_judge(tmp_path / "eager", beam=5, insertion_bonus=1.0)
    eager = Recognizer(tmp_path / "eager").recognize(ambiguous())
    assert (eager.text, eager.score) == ("abc", pytest.approx(eager.log_prob + 3))


def test_of_several_languages_only_the_letters_of_one_are_written(tmp_path: Path) -> None:
    write_tiny_judge(tmp_path / "two", languages=["ase", "lls"], language=None)
    pose = written("q", "a")
    assert Recognizer(tmp_path / "two").language == "ase"
    assert Recognizer(tmp_path / "two").recognize(pose).text == "qa"
    found = Recognizer(tmp_path / "two", language="lls").recognize(pose)
    assert (found.text, found.language) == ("a", "lls")


def test_nobody_a_moment_or_nothing_gives_an_empty_result_that_says_so(tiny: Recognizer) -> None:
    pose = written("a")
    nobody = Pose(pose.frames, np.zeros_like(pose.confidence))
    still = Pose.of(np.zeros((9, 50, 3), np.float32))
    for source, warning in (
        (nobody, "Nobody is seen"),
        (Extraction(nobody, warnings=("x.mp4 shows nobody.",)), "shows nobody"),
        (still[:1], "too short to be read: 1 frames"),
        (still, "Nothing is read: the model sees no letters in it"),
    ):
        for best in (1, 3):
            found = tiny.recognize(source, best=best)
            assert (found.text, found.tokens, found.spans) == ("", (), ())
            assert (found.confidence, found.is_uncertain) == (0, True)
            assert len(found.warnings) == 1
            assert warning in found.warnings[0]


def test_pictures_come_from_a_video_or_a_folder(tmp_path: Path) -> None:
    watcher = Recognizer(write_tiny_watcher(tmp_path / "watcher").path)
    film = film_of(0, 2, 0, 3, 1)
    pictures = write_pictures(tmp_path / "frames", film)
    video = write_film(tmp_path / "x.mp4", film)
    for source in (pictures, video, str(video)):
        found = watcher.recognize(source)
        assert (found.text, found.tokens) == ("SUN NORTH RAIN", ("SUN", "NORTH", "RAIN"))
        assert found.spans[0].start_s == pytest.approx(0.16)
    with pytest.raises(ConfigError, match="watcher looks at pictures, but a pose has none"):
        watcher.recognize(written("a"))


def test_a_path_is_a_file_of_one_pose(tmp_path: Path, tiny: Recognizer) -> None:
    written("b", "a", "d").save(tmp_path / "x.json")
    assert tiny.recognize(tmp_path / "x.json").text == "bad"
    assert tiny.recognize(str(tmp_path / "x.json")).text == "bad"
    (tmp_path / "x.txt").touch()
    with pytest.raises(FormatError, match="must end in one of"):
        tiny.recognize(tmp_path / "x.txt")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beam": 0}, "`beam` must be 1 to 64, but is 0"),
        ({"beam": 65}, "`beam` must be 1 to 64, but is 65"),
        ({"language": "gsg"}, "must be one that tiny reads, ase, but it is 'gsg'"),
        ({"language_model_weight": -1.0}, "`language_model_weight` must be 0 to 10, but is -1"),
        ({"language_model_weight": float("nan")}, "`language_model_weight` must be 0 to 10"),
        ({"language_model_weight": 0.5, "beam": 5}, "0 here, but is 0.5: tiny has no language mod"),
    ],
)
def test_an_option_that_does_not_hold_is_refused_at_once(
    tiny: Recognizer, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        Recognizer(tiny.package.path, **options)


def test_a_language_model_needs_a_beam(tmp_path: Path, tiny: Recognizer) -> None:
    write_tiny_judge(tmp_path / "knows", ngrams=[[3, 1]])
    with pytest.raises(ConfigError, match="knows reads it with a beam above 1"):
        Recognizer(tmp_path / "knows", language_model_weight=0.5)
    for best in (0, 4):
        with pytest.raises(ConfigError, match=f"must be 1 to the beam of 3, but is {best}"):
            Recognizer(tiny.package.path, beam=3).recognize(written("a"), best=best)


def test_a_model_of_another_system_is_refused(tmp_path: Path) -> None:
    package: Package = write_tiny_package(tmp_path / "maker")
    with pytest.raises(PackageError, match="must be one of the system `recognize`"):
        Recognizer(package.path)


def test_without_a_model_the_one_that_reads_fingerspelling_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from signloom.runtime.registry import DEFAULT_RECOGNIZE_MODEL, known_packages

    monkeypatch.setenv("SIGNLOOM_MODELS", str(tmp_path))
    if DEFAULT_RECOGNIZE_MODEL not in known_packages():
        assert recognizer_name(None, "gsg") == fingerspelling_package("recognize", "gsg")
        assert recognizer_name(None, None) == fingerspelling_package("recognize", "ase")
        with pytest.raises(PackageError, match="for the language 'xyz'"):
            recognizer_name(None, "xyz")
        write_tiny_judge(tmp_path / DEFAULT_RECOGNIZE_MODEL)
    assert recognizer_name(None, None) == DEFAULT_RECOGNIZE_MODEL
    assert recognizer_name("tiny", "gsg") == "tiny"


def test_real_recordings_are_read_without_a_fault(data_dir: Path, judge: Recognizer) -> None:
    samples = data_dir / "sign/pose_format_samples/pose_evaluation"
    found = judge.recognize_many(sorted(samples.rglob("*.pose"))[:4], best=2)
    assert len(found) == 4
    for one in found:
        assert one.duration_s > 1
        assert bool(one.text) == (one.warnings == ())


def test_spaces_of_a_long_text_survive_where_passages_are_joined() -> None:
    text = "could sound they that no sound"
    pose = signloom.produce(text)
    found = signloom.recognize(pose)
    assert found.text == text
    assert pose.num_frames > 200
    assert found.num_pieces > 1


@pytest.mark.compiled  # the checker of shapes would refuse it first
def test_what_is_no_recording_is_refused(judge: Recognizer) -> None:
    with pytest.raises(FormatError, match="is of the type `ndarray`"):
        judge.recognize(np.zeros((5, 50, 3)))  # type: ignore[arg-type]
