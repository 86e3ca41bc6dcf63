"""`signloom translate` gives a text for each input, and names what it cannot translate."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from signloom.poses.formats import many
from signloom.poses.formats.recording import Recording
from tests.cli.conftest import Outcome, Run
from tests.small_films import greys, write_film
from tests.small_models import write_model
from tests.tiny_recognizers import write_pictures
from tests.tiny_translator import STRIDE, spelled, write_tiny_translator


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("translators")
    for source in ("glosses", "features", "poses"):
        write_tiny_translator(folder / source, source=source)
    return folder


@pytest.fixture
def poses(run: Run, packages: Path) -> tuple[object, ...]:
    """Give a command that reads poses, and three of them: two good, one damaged."""
    Path("poses").mkdir()
    spelled("cab").save("poses/a.pose")
    spelled("bad", "add").save("poses/c.json")
    Path("poses/b.pose").write_bytes(Path("poses/a.pose").read_bytes()[:-99])
    return ("translate", "--model", packages / "poses")


@pytest.fixture
def glosses(packages: Path) -> tuple[object, ...]:
    return ("translate", "--model", packages / "glosses")


def is_one_line(done: Outcome) -> bool:
    return done.code == 2 and done.stderr.count("\n") == 1 and not done.stdout


def test_one_pose_gives_one_line(run: Run, poses: tuple[object, ...]) -> None:
    done = run(*poses, "poses/a.pose")
    assert (done.code, done.stdout) == (0, "cab\n")
    assert done.stderr == "fingerspelling, ase, by poses\n"


def test_several_inputs_are_told_apart_by_their_names(run: Run, poses: tuple[object, ...]) -> None:
    done = run(*poses, "poses/c.json", "poses/a.pose", "poses/a.pose")
    assert (done.code, done.stdout) == (0, "poses/c.json\tbad add\nposes/a.pose\tcab\n")
    assert "2 translated, 0 refused" in done.stderr


def test_of_a_folder_the_bad_file_is_named_and_the_rest_is_done(
    run: Run, poses: tuple[object, ...]
) -> None:
    done = run(*poses, "poses")
    assert (done.code, done.stdout) == (3, "poses/a.pose\tcab\nposes/c.json\tbad add\n")
    assert "refused: poses/b.pose" in done.stderr
    assert "2 translated, 1 refused" in done.stderr
    report = json.loads(run(*poses, "poses", "--json").stdout)
    assert [item["name"] for item in report] == ["poses/a.pose", "poses/b.pose", "poses/c.json"]
    assert "poses/b.pose" in report[1]["refused"]


def test_more_inputs_than_a_group_come_in_their_order(run: Run, packages: Path) -> None:
    words = [f"{first}{second}" for first in "abcd" for second in "abcda"]
    many.write_all([Recording("", spelled(word)) for word in words], Path("x.skels"))
    done = run("translate", "--model", packages / "poses", "x.skels")
    assert done.stdout.splitlines() == [f"x.skels:{n}\t{word}" for n, word in enumerate(words, 1)]


def test_a_sequence_that_breaks_a_file_ends_it_and_is_named(run: Run, packages: Path) -> None:
    many.write_all([Recording("", spelled(word)) for word in ("ab", "cd")], Path("x.skels"))
    with Path("x.skels").open("a") as file:
        file.write("1 2 3\n")
    done = run("translate", "--model", packages / "poses", "x.skels")
    assert (done.code, done.stdout) == (3, "x.skels:1\tab\nx.skels:2\tcd\n")
    assert "refused: x.skels line 3" in done.stderr


def test_the_only_input_is_refused_in_one_line(run: Run, poses: tuple[object, ...]) -> None:
    for path in ("poses/b.pose", "no.pose", "poses/no", "x" * 300 + ".pose"):
        done = run(*poses, path)
        assert is_one_line(done), done.stderr
        assert "refused" not in done.stderr


def test_the_report_says_what_was_read_and_how_sure_that_is(
    run: Run, poses: tuple[object, ...]
) -> None:
    arguments = ("--json", "--best", 2, "--samples", 3, "--seed", 5, "--language", "gsg")
    [item] = json.loads(run(*poses, "poses/a.pose", *arguments).stdout)
    assert (item["name"], item["kind"], item["language"]) == (
        "poses/a.pose",
        "fingerspelling",
        "gsg",
    )
    assert (item["beam"], item["samples"], item["seed"]) == (2, 3, 5)
    assert (item["models"][0]["name"], len(item["models"][0]["id"])) == ("poses", 64)
    assert item["text"] == item["best"][0]["text"] != item["best"][1]["text"]
    assert 0.5 < item["confidence"] < 1
    assert 0 < item["spread"] < 0.5
    assert len(item["token_confidences"]) == len(item["token_spreads"]) == len(item["tokens"]) + 1
    assert item["finished"] is True


def test_two_models_are_an_ensemble(run: Run, poses: tuple[object, ...], packages: Path) -> None:
    done = run(*poses, "--model", packages / "poses", "poses/a.pose")
    assert (done.code, done.stdout) == (0, "cab\n")
    assert "by poses and poses" in done.stderr
    done = run(*poses, "--model", packages / "glosses", "poses/a.pose")
    assert is_one_line(done)
    assert "agree in `source`, but poses and glosses have poses and glosses" in done.stderr


def test_glosses_come_from_the_command_line_a_file_or_standard_input(
    run: Run, glosses: tuple[object, ...]
) -> None:
    assert run(*glosses, "--glosses", "MORGEN REGEN").stdout == "morgen regen\n"
    done = run(*glosses, "-", stdin=b"MORGEN\n\nREGEN NORD\n")
    assert (done.code, done.stdout) == (0, "-:1\tmorgen\n-:3\tregen nord\n")
    Path("x.txt").write_text("ABEND\n")
    assert run(*glosses, "x.txt").stdout == "abend\n"


def test_a_line_of_glosses_that_does_not_hold_is_named(
    run: Run, glosses: tuple[object, ...]
) -> None:
    done = run(*glosses, "-", stdin=b"MORGEN\nQUARK\n" + b"NORD " * 6 + b"\nNORD QUARK\n")
    assert (done.code, done.stdout) == (3, "-:1\tmorgen\n-:4\tnord\n")
    assert "refused: -:2: glosses must know at least one" in done.stderr
    assert "refused: -:3: glosses reads at most 5 glosses at once, but there are 6" in done.stderr
    assert "note: -:4: not known to the model: QUARK" in done.stderr


def test_an_uncertain_or_unfinished_translation_is_noted(run: Run, tmp_path: Path) -> None:
    write_tiny_translator(
        tmp_path / "unsure", weights={"sureness": np.array([-0.5], np.float32)}, max_tokens=1
    )
    done = run("translate", "--model", tmp_path / "unsure", "--glosses", "MORGEN REGEN NORD")
    assert (done.code, done.stdout) == (0, "morgen regen\n")
    assert "note: uncertain: confidence 0." in done.stderr
    assert "note: cut off" in done.stderr


def test_features_are_read_from_numpy_files(run: Run, packages: Path) -> None:
    np.save("x.npy", np.repeat([[0, 3, 0]], 2 * STRIDE, axis=0))
    done = run("translate", "--model", packages / "features", "x.npy")
    assert (done.code, done.stdout) == (0, "morgen morgen\n")
    np.save("wide.npy", np.zeros((50_000, 4)))
    done = run("translate", "--model", packages / "features", "wide.npy")
    assert is_one_line(done)
    assert "wide.npy: features reads 3 features a frame, but there are 4" in done.stderr


def test_the_output_may_be_a_file_of_texts_or_a_report(run: Run, poses: tuple[object, ...]) -> None:
    done = run(*poses, "poses/a.pose", "-o", "x.txt")
    assert (done.code, done.stdout, Path("x.txt").read_text()) == (0, "x.txt\n", "cab\n")
    assert run(*poses, "poses/a.pose", "-o", "x.json", "--best", 2).code == 0
    [item] = json.loads(Path("x.json").read_text())
    assert (item["text"], len(item["best"])) == ("cab", 2)
    assert run(*poses, "poses/a.pose", "-o", "y.txt", "--json").code == 0
    assert json.loads(Path("y.txt").read_text())[0]["text"] == "cab"


MISTAKES: dict[str, tuple[tuple[object, ...], str]] = {
    "no input": ((), "none is"),
    "both inputs": (("x.txt", "--glosses", "NORD"), "INPUT and --glosses are"),
    "empty glosses": (("--glosses", ""), "at least one gloss"),
    "unknown glosses": (("--glosses", "QUARK"), "knows none: 'QUARK'"),
    "empty input": (("-",), "but is empty"),
    "a missing file": (("no.txt",), "cannot be read"),
    "a pose": (("x.pose",), "reads glosses, but x.pose holds poses"),
    "an empty folder": (("empty",), "must hold glosses"),
    "another language": (("--glosses", "NORD", "--language", "ase"), "reads, gsg, but it is 'ase'"),
    "no beam": (("--glosses", "NORD", "--beam", 0), "`beam` must be 1 to 64"),
    "best without JSON": (("--glosses", "NORD", "--best", 2), "--best must go with --json"),
    "best over beam": (("--glosses", "NORD", "--best", 3, "--beam", 2, "--json"), "beam of 2"),
    "too many samples": (("--glosses", "NORD", "--samples", 65), "`samples` must be 0 to 64"),
    "no thread": (("--glosses", "NORD", "--threads", 0), "--threads must be 1 to"),
    "no penalty": (("--glosses", "NORD", "--length-penalty", -1), "`length_penalty` must be"),
    "no number": (("--glosses", "NORD", "--beam", "x"), "invalid int value"),
    "an output's folder": (("--glosses", "NORD", "-o", "no/x.txt"), "does not exist"),
    "an output that is a folder": (("--glosses", "NORD", "-o", "empty"), "is a folder"),
    "a second model": (("--glosses", "NORD", "--model", "no"), "Known models: "),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line(run: Run, glosses: tuple[object, ...], mistake: str) -> None:
    arguments, message = MISTAKES[mistake]
    Path("empty").mkdir()
    before = set(Path().rglob("*"))
    done = run(*glosses, *arguments)
    assert is_one_line(done), done.stderr
    assert message in done.stderr
    assert set(Path().rglob("*")) == before


def test_poses_do_not_come_from_standard_input(run: Run, poses: tuple[object, ...]) -> None:
    done = run(*poses, "-")
    assert is_one_line(done)
    assert "poses reads poses, but standard input holds glosses" in done.stderr


def test_a_package_that_makes_poses_is_refused(run: Run) -> None:
    done = run("translate", "--model", "tiny", "--glosses", "NORD")
    assert is_one_line(done)
    assert "one of the system `translate`, but tiny is one of `produce`" in done.stderr


def test_a_model_that_fails_ends_everything_in_one_line(run: Run, tmp_path: Path) -> None:
    weights = {"sureness": np.array([-3e38], np.float32)}
    write_tiny_translator(tmp_path / "broken", source="poses", weights=weights)
    many.write_all([Recording("", spelled("ab"))] * 17, Path("x.skels"))
    done = run("translate", "--model", tmp_path / "broken", "x.skels")
    assert is_one_line(done)
    assert "`logits` must be finite" in done.stderr


def test_members_whose_sum_is_no_number_are_refused(run: Run, tmp_path: Path) -> None:
    weights = {
        "sureness": np.array([-4e37], np.float32),
        "sureness.spread": np.array([1e-3], np.float32),
    }
    write_tiny_translator(tmp_path / "vast", weights=weights)
    command = ("translate", "--model", tmp_path / "vast", "--glosses", "NORD", "--samples", 7)
    done = run(*command, "--beam", 2)
    assert is_one_line(done), done.stderr
    assert "`logits` must be finite" in done.stderr


def test_a_name_that_is_no_text_is_escaped_wherever_it_is_written(
    run: Run, glosses: tuple[object, ...]
) -> None:
    name = os.fsdecode(b"\xff\n\x1b[2J.txt")
    Path(name).write_text("NORD\nSONNE \x1b[31m\n")
    shown = r"\udcff\n\x1b[2J.txt"
    done = run(*glosses, name)
    assert done.stdout == f"{shown}:1\tnord\n{shown}:2\tsonne\n"
    assert rf"{shown}:2: not known to the model: \x1b[31m" in done.stderr
    assert run(*glosses, name, "-o", "out.txt").code == 0
    assert Path("out.txt").read_text() == done.stdout
    assert run(*glosses, name, "-o", "out.json").code == 0
    assert json.loads(Path("out.json").read_text())[0]["name"] == f"{name}:1"
    assert "\x1b" not in run(*glosses, f"{name}.nowhere").stderr


@pytest.mark.parametrize("bad", ["empty", "x" * 300])
def test_of_several_inputs_one_that_has_nothing_is_refused_alone(
    run: Run, glosses: tuple[object, ...], bad: str
) -> None:
    Path("empty").mkdir()
    Path("good.txt").write_text("NORD\n")
    done = run(*glosses, bad, "good.txt", "--json")
    assert done.code == 3
    first, second = json.loads(done.stdout)
    assert (first["name"], second["text"]) == (bad, "nord")
    assert is_one_line(run(*glosses, bad))


def test_a_film_is_translated_by_a_model_that_reads_poses(
    run: Run, poses: tuple[object, ...], glosses: tuple[object, ...]
) -> None:
    write_film(Path("dark.mp4"), greys(5, height=64, width=48) // 99)
    write_pictures(Path("films/frames"), greys(3, height=64, width=48) // 99)
    keypoints = ("--keypoints", write_model(Path("model.onnx")))
    done = run(*poses, *keypoints, "dark.mp4")
    assert (done.code, done.stdout) == (0, "\n")
    assert "note: dark.mp4 shows nobody" in done.stderr
    done = run(*poses, *keypoints, "films", "poses/a.pose")
    assert (done.code, done.stdout) == (0, "films/frames\t\nposes/a.pose\tcab\n")
    assert "note: films/frames: films/frames shows nobody" in done.stderr
    [item] = json.loads(run(*poses, *keypoints, "dark.mp4", "--json").stdout)
    assert (item["text"], item["confidence"], item["num_pieces"]) == ("", 0, 0)
    assert "shows nobody" in item["warnings"][0]
    for film, message in (
        ("dark.mp4", "reads glosses, but dark.mp4 holds poses"),
        ("films/frames", "films/frames must hold glosses"),
    ):
        done = run(*glosses, film)
        assert is_one_line(done)
        assert message in done.stderr


def test_a_camera_is_for_models_that_read_poses(
    run: Run, poses: tuple[object, ...], glosses: tuple[object, ...]
) -> None:
    for command, message in ((poses, "Camera 99 must be there"), (glosses, "reads glosses, but")):
        done = run(*command, "--camera", 99)
        assert is_one_line(done), done.stderr
        assert message in done.stderr
    done = run(*poses, "--camera", 99, "poses/a.pose")
    assert is_one_line(done)
    assert "INPUT and --camera are" in done.stderr
