"""A transcriber hears passages of any length as each alone, and refuses what is no result."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.errors import FormatError, PackageError
from signloom.runtime.transcriber import BATCH_FRAMES, Memory, TranscriberSession
from signloom.search.refine import Refiner
from tests.tiny_transcriber import DECODER, ENCODER, TABLE, write_tiny_transcriber


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> TranscriberSession:
    return TranscriberSession(write_tiny_transcriber(tmp_path_factory.mktemp("x") / "tiny"))


def sounds(*lengths: int, seed: int = 0) -> list[np.ndarray]:
    """Give features of passages of so many frames, none like another."""
    rng = np.random.default_rng(seed)
    return [rng.normal(0, 9, (length, 5)).astype(np.float32) for length in lengths]


def test_passages_are_heard_in_batches_as_each_alone(session: TranscriberSession) -> None:
    features = sounds(5, 1, 400, 7, *range(2, 20))
    heard = list(session.listen(features))
    places = [place for one in heard for place in one.places]
    assert sorted(places) == list(range(len(features)))
    assert 1 < len(heard) < len(features)
    for batch in heard:
        for row, (place, log_probs) in enumerate(zip(batch.places, batch.log_probs, strict=True)):
            [alone] = session.listen([features[place]])
            steps = -(-len(features[place]) // 4)
            assert log_probs.shape == (steps, 9)
            assert np.allclose(log_probs, alone.log_probs[0], atol=1e-6)
            assert batch.memory.steps[row] == steps
            assert np.allclose(batch.memory.values[row, :steps], alone.memory.values[0])
    assert list(session.listen([])) == []


def test_a_batch_is_bounded_padding_included(session: TranscriberSession) -> None:
    lengths = [BATCH_FRAMES // 5] * 7
    sizes = [len(one.places) for one in session.listen(sounds(*lengths))]
    assert sizes == [4, 3]


def test_the_decoder_is_a_refiner_that_keeps_rows_apart(session: TranscriberSession) -> None:
    assert isinstance(session, Refiner)
    [heard] = session.listen(sounds(9, 11, 10))
    tokens = np.array([[4, 7, 0], [5, 0, 0], [8, 6, 4]])
    lengths = np.array([2, 1, 3])
    logits = session.predict(tokens, lengths, heard.memory)
    first = heard.memory.values[:, :, 0, 0, 0, 0].sum(axis=1) / heard.memory.steps
    assert logits.shape == (1, 3, 3, 9)
    np.testing.assert_allclose(logits[0], TABLE[tokens] + first[:, None, None], rtol=1e-5)
    taken = session.take(heard.memory, np.array([2, 0]))
    again = session.predict(tokens[[2, 0]], lengths[[2, 0]], taken)
    np.testing.assert_allclose(again, logits[:, [2, 0]], atol=1e-5)


def test_what_is_no_passage_is_refused(session: TranscriberSession) -> None:
    for features, message in (
        (np.zeros((7, 3), np.float32), r"hears features \[frames, 5\], but they are \[7, 3\]"),
        (np.zeros(7, np.float32), r"but they are \[7\]"),
        (np.zeros((0, 5), np.float32), "hears 1 to 500 frames of 10 ms at once, but there are 0"),
        (np.zeros((501, 5), np.float32), "but there are 501. Cut the recording"),
    ):
        with pytest.raises(FormatError, match=message):
            next(session.listen([features]))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("LogSoftmax (scores)", "Abs (scores)", "`log_probs` must be at most 0, but are not"),
        ("LogSoftmax (scores)", "Sqrt (scores)", "`log_probs` must be at most 0, but are not"),
        ("Div (more, stride)", "Identity (more)", "`out_lengths` must be 0 to the 2 steps"),
        (
            "memory = Expand (deep, sizes)",
            "twice = Concat <axis = 1> (deep, deep)\n memory = Expand (twice, sizes)",
            r"`memory` must be \[1, 2, 1, 2, 1, 1\], but is \[1, 4, 1, 2, 1, 1\]",
        ),
        (
            "deep = Unsqueeze (first, rest)",
            "wide = Unsqueeze (first, rest)\n deep = Log (wide)",
            "`memory` must be finite, but is not",
        ),
    ],
)
def test_an_encoder_that_gives_what_is_no_use_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    graph = ENCODER.replace(old, new)
    session = TranscriberSession(write_tiny_transcriber(tmp_path / "x", encoder=graph))
    with pytest.raises(PackageError, match=rf"`encoder.onnx` of .* does not hold: {message}"):
        next(session.listen([np.full((7, 5), -3.0, np.float32)]))


def test_a_stride_that_the_encoder_has_not_is_refused(tmp_path: Path) -> None:
    package = write_tiny_transcriber(tmp_path / "transcribe-tones-v1", stride=2)
    session = TranscriberSession(package)
    with pytest.raises(PackageError, match=r"a step for every 2 frames, but are \[3\] for \[9\]"):
        list(session.listen([np.zeros((9, 5), np.float32)]))


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("Log (sum)", "`logits` must be finite, at most 1e[+]30, but are not"),
        ("Concat <axis = 1> (sum, sum)", r"`logits` must have shape \[1, 1, 3, 9\], but has"),
    ],
)
def test_a_decoder_that_gives_no_scores_is_refused(tmp_path: Path, new: str, message: str) -> None:
    graph = DECODER.replace("moved = Add (read, wide)", f"sum = Add (read, wide)\n moved = {new}")
    session = TranscriberSession(write_tiny_transcriber(tmp_path / "x", decoder=graph))
    memory = Memory(np.zeros((1, 2, 1, 2, 1, 1), np.float32), np.array([2]))
    with pytest.raises(PackageError, match=rf"`decoder.onnx` of .* does not hold: {message}"):
        session.predict(np.array([[4, 5, 6]]), np.array([3]), memory)


def test_what_lies_beyond_a_transcript_may_be_anything(tmp_path: Path) -> None:
    late = "ids = Cast <to = 1> (tokens)\n sure = Log (ids)\n tall = Unsqueeze (sure, behind)"
    graph = DECODER.replace("Add (read, wide)", "Add (sum, tall)").replace(
        "moved", f"sum = Add (read, wide)\n {late}\n moved", 1
    )
    graph = graph.replace("float two", "int64[1] behind = {2}, float two")
    session = TranscriberSession(write_tiny_transcriber(tmp_path / "x", decoder=graph))
    memory = Memory(np.zeros((2, 1, 1, 2, 1, 1), np.float32), np.array([1, 1]))
    logits = session.predict(np.array([[4, 5], [6, 0]]), np.array([2, 1]), memory)
    assert np.isneginf(logits[0, 1, 1]).all()
    with pytest.raises(PackageError, match="`logits` must be finite"):
        session.predict(np.array([[4, 5], [6, 0]]), np.array([2, 2]), memory)


def test_graphs_that_do_not_fit_their_config_are_refused_at_once(tmp_path: Path) -> None:
    for name, changes, message in (
        ("pitch", {"pitch": True}, r"`encoder.onnx` .*`features` must have shape \[any, any, 8\]"),
        ("heads", {"num_heads": 2}, r"`memory` must have shape \[any, any, 1, 2, 2, 1\]"),
        ("two", {"readers": 2}, r"`decoder.onnx` .*`logits` must have shape \[2, any, any, 9\]"),
    ):
        package = write_tiny_transcriber(tmp_path / name, **changes)
        with pytest.raises(PackageError, match=message):
            TranscriberSession(package)
    graph = ENCODER.replace("out_lengths", "ends")
    with pytest.raises(
        PackageError, match=r"must take .* and give \['log_probs', 'memory', 'out_l"
    ):
        TranscriberSession(write_tiny_transcriber(tmp_path / "ends", encoder=graph))
