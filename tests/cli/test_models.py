"""`signloom models` tells which packages there are and what each is."""

from __future__ import annotations

import json
from pathlib import Path

from signloom.runtime.registry import (
    DEFAULT_PRODUCE_MODEL,
    DEFAULT_RECOGNIZE_MODEL,
    DEFAULT_TRANSCRIBE_MODEL,
    DEFAULT_TRANSLATE_MODEL,
    known_packages,
)
from tests.cli.conftest import Run
from tests.tiny_captioner import write_tiny_captioner
from tests.tiny_package import write_tiny_package
from tests.tiny_transcriber import write_tiny_transcriber


def test_models_are_listed_with_their_kind(run: Run) -> None:
    done = run("models", "list")
    [line] = [line for line in done.stdout.splitlines() if line.startswith("tiny ")]
    assert "produce" in line
    assert "fingerspelling" in line


def test_the_list_has_a_header_with_the_unit_and_marks_the_defaults(run: Run) -> None:
    header, *lines = run("models", "list").stdout.splitlines()
    assert header.split() == ["name", "system", "kind", "language", "MB"]
    defaults = [line.split()[0] for line in lines if line.endswith("  default")]
    named = (
        DEFAULT_PRODUCE_MODEL,
        DEFAULT_RECOGNIZE_MODEL,
        DEFAULT_TRANSCRIBE_MODEL,
        DEFAULT_TRANSLATE_MODEL,
    )
    assert defaults == [name for name in named if name in known_packages()]
    items = json.loads(run("models", "list", "--json").stdout)
    assert [item["name"] for item in items if item["default"]] == defaults


def test_a_model_that_writes_only_is_listed_with_the_language_that_it_writes(
    run: Run, tmp_path: Path, monkeypatch
) -> None:
    folder = write_tiny_transcriber(tmp_path / "x/ear").path.parent
    write_tiny_captioner(folder / "eye")
    monkeypatch.setenv("SIGNLOOM_MODELS", str(folder))
    lines = [line.split() for line in run("models", "list").stdout.splitlines()]
    assert ["ear", "transcribe", "speech", "en"] in [line[:4] for line in lines]
    assert ["eye", "caption", "captions", "en"] in [line[:4] for line in lines]


def test_a_damaged_model_is_listed_as_such(run: Run, models: Path, monkeypatch) -> None:
    write_tiny_package(Path("mine/broken"))
    Path("mine/broken/card.md").write_text("another")
    monkeypatch.setenv("SIGNLOOM_MODELS", "mine")
    done = run("models", "list")
    assert done.code == 0
    assert "damaged: The checksum of `card.md`" in done.stdout
    items = {item["name"]: item for item in json.loads(run("models", "list", "--json").stdout)}
    assert "checksum" in items["broken"]["damaged"]


def test_a_model_is_shown_with_its_card_and_id(run: Run, models: Path) -> None:
    shown = run("models", "show", "tiny").stdout
    assert "no face, no mouth, no grammar" in shown
    document = json.loads(run("models", "show", models / "tiny", "--json").stdout)
    assert document["id"] in shown
    assert document["kind"] == "fingerspelling"
    assert document["config"]["block"] == 4
    assert document["vocabulary"][:3] == ["<pad>", "<rep>", " "]
