"""A text becomes a movement: the same streamed as whole, with an honest report."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import signloom
from signloom.errors import PackageError, TextError
from signloom.pipelines.joining import MAX_BRIDGE_STEP
from signloom.pipelines.produce import Producer
from signloom.pipelines.script import MAX_CHARACTERS
from signloom.poses.pose import Pose
from tests.tiny_package import FRAMES_PER_TOKEN, write_tiny_package

LONG = "one two three extraordinarily four " * 9


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_package(tmp_path_factory.mktemp("models") / "tiny").path


@pytest.fixture(scope="module")
def producer(folder: Path) -> Producer:
    return Producer(folder)


@pytest.mark.parametrize("text", ["a", "hello", "new york", LONG])
def test_streamed_equals_whole(producer: Producer, text: str) -> None:
    whole = producer.produce(text).pose
    streamed = Pose.concatenate(list(producer.stream(text)))
    assert np.array_equal(streamed.frames, whole.frames)
    assert np.array_equal(streamed.confidence, whole.confidence)


def test_texts_together_equal_each_alone(producer: Producer) -> None:
    texts = ["hello", LONG, "a", "new york city", "abc" * 9]
    together = list(producer.produce_many([producer.read(text) for text in texts]))
    for text, found in zip(texts, together, strict=True):
        alone = producer.produce(text)
        np.testing.assert_allclose(found.pose.frames, alone.pose.frames, atol=1e-5, rtol=1.3e-6)
        assert found.to_dict() == alone.to_dict()


def test_the_report_says_what_was_made(producer: Producer) -> None:
    production = producer.produce("Hello")
    report = json.loads(json.dumps(production.to_dict()))
    assert report["kind"] == "fingerspelling"
    assert (report["text"], report["spelled"]) == ("Hello", "hello")
    assert report["num_frames"] == 5 * FRAMES_PER_TOKEN == production.pose.num_frames
    assert report["duration_s"] == 1.4
    assert report["num_passes"] == 9  # ⌈35 / 4⌉
    assert report["spans_estimated"] is True
    assert [span["letter"] for span in report["spans"]] == list("hello")
    assert report["format_version"] == 1
    assert set(report["spans"][0]) == {
        *("letter", "index", "word", "start_s", "end_s", "start_frame", "end_frame")
    }
    assert report["model"] == {"name": "tiny", "id": producer.session.package.id}
    assert (report["notes"], report["left_out"]) == ([], [])


def test_every_passage_takes_its_own_predicted_length(producer: Producer) -> None:
    script = producer.read(LONG)
    assert len(script.passages) > 9
    production = producer.produce(script)
    frames = [FRAMES_PER_TOKEN * len(tokens) for tokens in script.passages]
    assert production.pose.num_frames > sum(frames)
    assert production.num_passes == sum(-(-count // 4) for count in frames)


def test_spans_follow_the_passages_in_time(producer: Producer) -> None:
    production = producer.produce(LONG)
    letters = "".join(span.letter for span in production.spans)
    assert letters == production.spelled.replace(" ", "")
    words = production.spelled.split(" ")
    for span in production.spans:
        assert production.spelled[span.index] == span.letter
        assert production.spelled[: span.index].count(" ") == span.word < len(words)
        assert span.start_frame == pytest.approx(span.start_s * 25, abs=0.6)
        assert span.end_frame == pytest.approx(span.end_s * 25, abs=0.6)
    starts = [span.start_s for span in production.spans]
    assert starts == sorted(starts)
    assert production.spans[-1].end_s <= production.pose.duration_s


def test_whoever_waits_hears_of_every_passage(producer: Producer) -> None:
    script = producer.read(LONG)
    heard: list[int] = []
    told = producer.produce(script, on_passage=heard.append)
    assert heard == [1] * len(script.passages)
    assert told.to_dict() == producer.produce(script).to_dict()


def test_passages_are_joined_without_a_jump(producer: Producer) -> None:
    frames = producer.produce(LONG).pose.frames
    passages = [producer.produce("extraord").pose.frames, producer.produce("one two").pose.frames]
    within = max(np.linalg.norm(np.diff(part, axis=0), axis=-1).max() for part in passages)
    steps = np.linalg.norm(np.diff(frames, axis=0), axis=-1)
    assert steps.max() <= max(2 * within, MAX_BRIDGE_STEP)


def test_a_word_cut_inside_is_noted(producer: Producer) -> None:
    notes = producer.produce("extraordinarily").notes
    assert len(notes) == 1
    assert "extraordinarily" in notes[0]
    assert "8 letters" in notes[0]


def test_accents_and_numbers_are_spelled_and_the_rest_is_named(producer: Producer) -> None:
    production = producer.produce("Café 2 ✓")
    assert production.spelled == "cafe two"
    assert production.notes
    assert production.left_out == ("✓ (CHECK MARK)",)
    with pytest.raises(TextError, match="✓"):
        producer.produce("Café 2 ✓", strict=True)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("", "must not be empty"),
        (" \n\t", "must not be empty"),
        ("✓ 你好", "Nothing is left to spell"),
        ("a" * (MAX_CHARACTERS + 1), f"at most {MAX_CHARACTERS} characters, but has 20001"),
        ("a\ud800b", "valid Unicode"),
    ],
)
def test_a_text_that_leaves_nothing_is_refused(producer: Producer, text: str, claim: str) -> None:
    with pytest.raises(TextError, match=claim):
        producer.produce(text)
    with pytest.raises(TextError, match=claim):
        producer.stream(text)


@pytest.mark.slow
def test_the_longest_text_is_produced(producer: Producer) -> None:
    text = "ab " * (MAX_CHARACTERS // 3)
    assert len(producer.produce(text).spans) == 2 * (MAX_CHARACTERS // 3)


def test_the_public_functions_take_a_package_folder(folder: Path) -> None:
    pose = signloom.produce("hello", folder)
    assert isinstance(pose, signloom.Pose)
    blocks = list(signloom.stream("hello", model=folder))
    assert len(blocks) > 1
    assert np.array_equal(Pose.concatenate(blocks).frames, pose.frames)
    with pytest.raises(PackageError, match="Unknown model"):
        signloom.produce("hello", "no-such-model")


@pytest.mark.compiled  # the shape checker would be the caller
@pytest.mark.parametrize("function", [signloom.produce, signloom.stream])
def test_the_public_functions_warn_once_of_what_is_left_out(
    folder: Path, function: Callable[..., object]
) -> None:
    with pytest.warns(UserWarning, match="left out") as caught:
        function("a ✓ ♥", folder)
    [warning] = caught
    assert str(warning.message) == (
        "left out, not in the alphabet: ✓ (CHECK MARK), ♥ (BLACK HEART SUIT)"
    )


def test_the_warning_points_at_the_caller_s_line(folder: Path, tmp_path: Path) -> None:
    script = tmp_path / "caller.py"
    script.write_text(f"import signloom\n\nsignloom.produce('a ✓', {str(folder)!r})\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stderr.startswith(f"{script}:3: UserWarning: left out")


@pytest.mark.compiled  # the shape checker would refuse them first
@pytest.mark.parametrize(
    ("text", "found"), [(None, "a NoneType"), (5, "an int"), (b"hi", "a bytes")]
)
def test_what_is_no_text_is_refused(folder: Path, text: object, found: str) -> None:
    for function in (signloom.produce, signloom.stream):
        with pytest.raises(TextError, match=f"must be a string, but is {found}"):
            function(text, folder)


def test_saved_json_has_report_and_frames(producer: Producer, tmp_path: Path) -> None:
    production = producer.produce("hi")
    production.save(tmp_path / "hi.json")
    document = json.loads((tmp_path / "hi.json").read_text(encoding="utf-8"))
    assert document["kind"] == "fingerspelling"
    assert len(document["frames"]) == document["num_frames"] == production.pose.num_frames
    assert Pose.load(tmp_path / "hi.json").num_frames == production.pose.num_frames


@pytest.mark.parametrize("suffix", ["pose", "gif", "png"])
def test_a_production_is_saved_by_suffix(producer: Producer, tmp_path: Path, suffix: str) -> None:
    producer.produce("hi").save(tmp_path / f"hi.{suffix}")
    assert (tmp_path / f"hi.{suffix}").stat().st_size > 0
