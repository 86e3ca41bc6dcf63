"""Tables and figures from the command line, at toy size."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from signloom.reproduction.psat_rs.published import TABLE_1
from tests.cli.conftest import Run

TOY = tuple(
    part
    for override in (
        "model.dim=12",
        "model.ffn_dim=20",
        "model.num_heads=3",
        "model.max_frames=40",
        "timing.tokens=5",
        "timing.repeats=1",
    )
    for part in ("--set", override)
)
SHORT = (*TOY, "--set", "timing.frames=9")
TABLE = ("reproduce", "psat-rs", *SHORT, "--set", "timing.uncached_repeats=1")
CACHED = ("--set", "timing.uncached_repeats=0")
PACKAGES = tuple(part for name in ("AT", "NAT", "PSAT") for part in ("--model", f"{name}=tiny"))
FIGURE_5 = ("reproduce", "psat-rs", "--figure", "5", *PACKAGES)


@pytest.mark.compiled
def test_table_1_has_every_configuration_and_each_is_exact(run: Run) -> None:
    done = run(*TABLE, "--table", "1")
    assert done.code == 0
    folder = Path("reproductions/psat-rs")
    document = json.loads((folder / "table1.json").read_text())
    markdown = (folder / "table1.md").read_text()
    assert len(document["rows"]) == len(TABLE_1) == 8
    for row, (levels, (scores, _)) in zip(document["rows"], TABLE_1.items(), strict=True):
        assert row["config"]["levels"] == list(levels)
        assert row["result"]["largest_difference"] <= 1e-5
        assert row["name"] in done.stdout
        [line] = [one for one in markdown.splitlines() if one.startswith(f"| {row['name']} |")]
        assert f"{scores.bleu4:.2f}" in line
        assert line.count("|") == markdown.splitlines()[2].count("|")
    assert "8 measured, 0 there already" in done.stderr
    again = run(*TABLE, "--table", "1", "--json")
    assert "0 measured, 8 there already" in again.stderr
    assert json.loads(again.stdout)["rows"] == document["rows"]


@pytest.mark.compiled
def test_table_3_compares_both_schedules_with_at_and_nat(run: Run) -> None:
    done = run(*TABLE, *CACHED, "--table", "3", "--json", "--out", "mine")
    assert done.code == 0
    document = json.loads(done.stdout)
    passes = {row["name"]: row["result"]["passes"] for row in document["rows"]}
    assert passes == {
        "AT (1, 1, 1, 1)": 9,
        "NAT": 1,
        "PSAT (8, 4, 2, 1)": 2,
        "PSAT (8, 4, 2, 1) injected": 9,
    }
    assert document["paper"]["NAT"]["speedup"] == 18.4
    assert Path("mine/table3.md").is_file()


@pytest.mark.compiled
def test_another_size_is_measured_anew(run: Run) -> None:
    command = ("reproduce", "psat-rs", "--figure", "4a", *TOY)
    first = run(*command, "--set", "timing.lengths=[2, 3]")
    assert "2 measured, 0 there already" in first.stderr
    second = run(*command, "--set", "timing.lengths=[2, 3, 5]")
    assert "1 measured, 2 there already" in second.stderr
    third = run(*command, "--set", "timing.lengths=[3]", "--set", "model.ffn_dim=21")
    assert "1 measured, 0 there already" in third.stderr
    with Image.open("reproductions/psat-rs/figure4a.png") as picture:
        assert picture.format == "PNG"


@pytest.mark.compiled
def test_figure_4b_has_a_bar_for_each_tuple_of_levels(run: Run) -> None:
    done = run("reproduce", "psat-rs", "--figure", "4b", *SHORT)
    assert done.code == 0
    assert "AT (1, 1, 1, 1)" in done.stdout
    assert "PSAT (8, 6, 4, 2)" in done.stdout
    assert "1 measured" in done.stderr
    assert Path("reproductions/psat-rs/figure4b.png").is_file()


def test_figure_5_shows_each_model_and_the_truth_at_their_own_lengths(run: Run) -> None:
    done = run(*FIGURE_5, "--text", "Bee", "--json")
    assert done.code == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["text"] == "bee"
    assert list(document["strips"]) == ["AT", "NAT", "PSAT", "truth"]
    for strip in document["strips"].values():
        assert len(strip["moments"]) == 10
        assert strip["moments"][-1] == strip["num_frames"] - 1
    assert document["strips"]["AT"]["num_frames"] != document["strips"]["truth"]["num_frames"]
    with Image.open("reproductions/psat-rs/figure5.png") as picture:
        assert picture.size == (190 + 10 * 330 + 10, 4 * 376)


def test_without_a_system_what_there_is_is_listed(run: Run) -> None:
    done = run("reproduce")
    assert (done.code, done.stdout.splitlines()) == (
        0,
        [
            "psat-rs: tables 1, 3 and figures 4a, 4b, 5, 6",
            "lwta: tables 1, 2, 3, 4, 7, variants, samples, scales",
            "stamf: tables isl13, placements-isl13, placements-boston104, boston104, "
            "boston104-official, streams, searches, unseen, speed",
            "satic: tables 1, 3, 4, 5 and figures curves",
            "nat-ubd: tables 1, 3, 4, 5, speed, speakers, noise, mandarin, synthetic",
        ],
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("satic-x", "--table", "1"),
            "must be one of psat-rs, lwta, stamf, satic, nat-ubd, but is 'satic-x'",
        ),
        (("psat-rs",), "tables 1, 3 and figures 4a, 4b, 5, 6"),
        (("psat-rs", "--table", "2"), "must be one of 1, 3, but is '2'"),
        (("psat-rs", "--figure", "7"), "must be one of 4a, 4b, 5, 6, but is '7'"),
        (("psat-rs", "--table", "1", "--figure", "5"), "not allowed with"),
        (("psat-rs", "--table", "1", "--set", "model.dims=3"), "Did you mean `dim`?"),
        (("psat-rs", "--table", "1", "--set", "models.dim=3"), "Did you mean `model`?"),
        (("psat-rs", "--table", "1", "--set", "model.dim=13"), "multiple of `model.num_heads`"),
        (("psat-rs", "--table", "1", "--set", "timing.repeats=0"), "`timing.repeats` must be"),
        (("psat-rs", "--table", "1", "--set", "timing.frames=301"), "at most `model.max_frames`"),
        (("psat-rs", "--table", "1", "--model", "AT=tiny"), "must go with --figure 5 or 6"),
        (("psat-rs", "--figure", "4a", "--set", "timing.lengths=[]"), "`timing.lengths` must"),
        (("psat-rs", "--figure", "4b", "--text", "hi"), "must go with --figure 5 or 6"),
        (("psat-rs", "--figure", "5", "--model", "tiny"), "--model must read ROW=DIR"),
        (("psat-rs", "--figure", "5", "--model", "SAT=tiny"), "must name one of AT, NAT, PSAT"),
        (("psat-rs", "--figure", "5", *PACKAGES, "--model", "AT=tiny"), "AT has two"),
        (("psat-rs", "--figure", "5", *PACKAGES[:-1], "PSAT=no"), "Known models: "),
        (("psat-rs", "--figure", "5", *PACKAGES, "--text", "✓"), "Nothing is left"),
        (("psat-rs", "--figure", "5", *PACKAGES, "--text", "ab" * 40), "Cut it into several"),
        (("psat-rs", "--figure", "6", *PACKAGES, "--set", "model.dim=8"), "as they were trained"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    done = run("reproduce", *arguments)
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.splitlines()) == 1
    assert message in done.stderr
    assert list(Path().iterdir()) == []


def test_without_models_a_figure_says_how_to_make_them(run: Run) -> None:
    done = run("reproduce", "psat-rs", "--figure", "6", "--model", "AT=tiny")
    assert done.code == 2
    assert len(done.stderr.splitlines()) == 1
    assert "runs/at" not in done.stderr
    for name, levels in (("nat", "[0,0,0]"), ("psat", "[8,4,2]")):
        assert f"--set 'model.levels={levels}' --out runs/{name}" in done.stderr
        assert f"signloom export runs/{name}/last.ckpt models/produce-{name}-v1" in done.stderr
        assert f"--model {name.upper()}=models/produce-{name}-v1" in done.stderr
