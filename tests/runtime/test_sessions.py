"""ONNX Runtime runs the step protocol: same numbers as numpy, cache in place, faults named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from signloom.errors import PackageError
from signloom.runtime.package import Package, load_package, write_package
from signloom.runtime.sessions import ProduceSession
from signloom.search.blocks import decode, decode_blocks
from signloom.search.slots import slot_frames
from tests.tiny_package import (
    ENCODER,
    FRAMES_PER_TOKEN,
    STEP,
    naive_step,
    serialise,
    write_tiny_package,
)

TOKENS = np.array([[3, 5, 7, 11, 4], [9, 8, 0, 0, 0], [6, 1, 12, 0, 0]])


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> ProduceSession:
    return ProduceSession(write_tiny_package(tmp_path_factory.mktemp("models") / "tiny"))


def test_lengths_are_the_expectation_of_the_softmax(session: ProduceSession) -> None:
    lengths = session.predict_lengths(session.encode(TOKENS))
    assert lengths.tolist() == [FRAMES_PER_TOKEN * count for count in (5, 2, 3)]
    assert lengths.dtype == np.int64


def test_expectation_and_argmax_differ_where_the_softmax_is_skewed(tmp_path: Path) -> None:
    session = ProduceSession(write_tiny_package(tmp_path / "skewed", length="argmax"))
    encoded = session.encode(TOKENS[:1])
    encoded.length_logits[0, :] = np.log([0.4, 0.1, 0.1, 0.1, 0.3] + [1e-30] * 55)
    assert session.predict_lengths(encoded).tolist() == [1]
    expecting = ProduceSession(write_tiny_package(tmp_path / "mean"))
    assert expecting.predict_lengths(encoded).tolist() == [3]


@pytest.mark.parametrize("lengths", [(1, 1, 1), (7, 3, 5), (13, 4, 29)])
def test_decoding_equals_a_naive_loop(session: ProduceSession, lengths: tuple[int, ...]) -> None:
    counts = np.array(lengths)
    total = max(lengths)
    expected = np.zeros((3, total, 150), dtype=np.float32)
    fed: list[np.ndarray] = []
    for position in range(0, total, 4):
        slots = min(4, total - position)
        window = expected[:, slot_frames(position, slots, shift=4, velocity_span=0)]
        cache = np.concatenate(fed) if fed else np.zeros((0, 3, 150), dtype=np.float32)
        expected[:, position : position + slots] = naive_step(
            TOKENS, window, cache, position=position, lengths=counts
        )
        fed.append(window.transpose(1, 0, 2))
    np.testing.assert_allclose(decode(session, TOKENS, counts), expected, atol=1e-5, rtol=1.3e-6)


def test_streamed_equals_whole(session: ProduceSession) -> None:
    counts = np.array([13, 7, 2])
    blocks = [piece.frames for piece in decode_blocks(session, TOKENS, counts)]
    assert [block.shape[1] for block in blocks] == [4, 4, 4, 1]
    assert np.array_equal(np.concatenate(blocks, axis=1), decode(session, TOKENS, counts))


def test_two_decodings_at_once_do_not_meet(session: ProduceSession) -> None:
    counts = np.array([13, 7, 2])
    alone = decode(session, TOKENS, counts)
    other = decode(session, TOKENS[::-1].copy(), counts)
    both = zip(
        decode_blocks(session, TOKENS, counts),
        decode_blocks(session, TOKENS[::-1].copy(), counts),
        strict=True,
    )
    first, second = (
        np.concatenate([piece.frames for piece in pieces], axis=1)
        for pieces in zip(*both, strict=True)
    )
    assert np.array_equal(first, alone)
    assert np.array_equal(second, other)


@pytest.mark.parametrize(
    ("graphs", "claim"),
    [
        ({"encoder": b"no graph", "step": b"no graph"}, r"`encoder\.onnx` .* cannot be run"),
        ({"step": b"no graph"}, r"must hold `encoder\.onnx`"),
    ],
)
def test_a_graph_that_is_none_is_named(
    tmp_path: Path, graphs: dict[str, bytes], claim: str
) -> None:
    tiny = write_tiny_package(tmp_path / "tiny")
    broken = write_package(
        tmp_path / "broken",
        graphs=graphs,
        config=tiny.config,
        vocabulary={"tokens": list(tiny.vocabulary)},
        card="",
    )
    with pytest.raises(PackageError, match=claim):
        ProduceSession(broken)


def test_a_graph_whose_names_are_no_text_is_refused_in_silence(tmp_path: Path, capsys) -> None:
    tiny = write_tiny_package(tmp_path / "tiny")
    graph = tiny.graph("encoder")
    broken = replace(tiny, graphs={"encoder": graph.replace(b"memory", b"m\xe1mory")})
    with pytest.raises(PackageError, match=r"`encoder\.onnx` .* cannot be run"):
        ProduceSession(broken)
    assert capsys.readouterr() == ("", "")


def test_a_graph_with_other_inputs_is_named(tmp_path: Path) -> None:
    tiny = write_tiny_package(tmp_path / "tiny")
    swapped = {"encoder": tiny.graph("step"), "step": tiny.graph("encoder")}
    broken = write_package(
        tmp_path / "broken",
        graphs=swapped,
        config=tiny.config,
        vocabulary={"tokens": list(tiny.vocabulary)},
        card="",
    )
    with pytest.raises(PackageError, match=r"must take \['tokens'\]"):
        ProduceSession(load_package(broken.path))


def broken(folder: Path, old: str, new: str, **changes: Any) -> Package:
    """Write the tiny package with something in its graphs put otherwise."""
    tiny = write_tiny_package(folder / "tiny", **changes)
    assert old in ENCODER + STEP
    graphs = {"encoder": ENCODER.replace(old, new), "step": STEP.replace(old, new)}
    return write_package(
        folder / "broken",
        graphs={name: serialise(text) for name, text in graphs.items()},
        config=tiny.config,
        vocabulary={"tokens": list(tiny.vocabulary)},
        card="",
    )


@pytest.mark.parametrize(
    "changes",
    [{"num_heads": 2}, {"head_dim": 75}, {"max_frames": 59}, {"num_layers": 2, "levels": [4, 2]}],
)
def test_graphs_of_other_sizes_than_the_config_says_are_refused(tmp_path: Path, changes) -> None:
    with pytest.raises(PackageError, match=r"must have shape .* by config\.json"):
        ProduceSession(write_tiny_package(tmp_path / "tiny", **changes))


def test_an_output_of_another_type_is_refused(tmp_path: Path) -> None:
    package = broken(tmp_path, "int64[B, N] tokens", "int32[B, N] tokens")
    with pytest.raises(PackageError, match=r"`tokens` must be a tensor\(int64\)"):
        ProduceSession(package)


@pytest.mark.parametrize(
    ("old", "new", "claim"),
    [
        ("steep = {-40.0}", "steep = {inf}", "`length_logits` must be finite"),
        ("half = {0.5}", "half = {inf}", "`frames` must be numbers"),
        ("float end = {61.0}", "float end = {60.0}", "`length_logits` must have shape"),
        ("frames = Add (each, fed)", "frames = Add (each, each)", "`frames` must have shape"),
        ("float hundredth = {0.01}", "float[2] hundredth = {0.01, 0.02}", "failed"),
    ],
)
def test_a_graph_that_fails_is_named_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], old: str, new: str, claim: str
) -> None:
    package = broken(tmp_path, old, new)
    with pytest.raises(PackageError, match=claim) as caught:
        decode(ProduceSession(package), TOKENS, np.array([7, 3, 5]))
    assert str(package.path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_a_graph_that_reads_another_file_is_refused(tmp_path: Path) -> None:
    tiny = write_tiny_package(tmp_path / "tiny")
    model = onnx.load_from_string(tiny.graph("encoder"))
    tensor = model.graph.initializer[0]
    tensor.data_location = onnx.TensorProto.EXTERNAL
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "/etc/passwd"
    graphs = {"encoder": model.SerializeToString(), "step": tiny.graph("step")}
    package = replace(tiny, graphs=graphs)
    with pytest.raises(PackageError, match=r"`encoder\.onnx` .* elsewhere"):
        ProduceSession(package)


def test_the_tiny_encoder_is_what_these_tests_think() -> None:
    assert f"{{{FRAMES_PER_TOKEN}.0}}" in ENCODER
