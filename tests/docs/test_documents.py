"""Whatever the documents tell a reader to type works as written."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import Block, Command, read_blocks, read_commands

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
WITHOUT_CODE = {"", "text", "yaml", "json", "bibtex"}
COMMAND_TIMEOUT_S = 300


def run_command(command: Command) -> None:
    """Run a command as a reader would; what it prints must be what the document says."""
    scripts = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        command.line, shell=True, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=COMMAND_TIMEOUT_S,
    )  # fmt: skip
    assert done.returncode == 0, f"`{command.line}` exits {done.returncode}:\n{done.stderr}"
    if command.output.strip():
        same = doctest.OutputChecker().check_output(
            command.output, done.stdout, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        )
        assert same, f"`{command.line}` prints\n{done.stdout}"


def run_block(block: Block, *, place: str, names: dict[str, object]) -> None:
    """Run one block; names that Python blocks define last to the end of the document."""
    if block.tested_by is not None:
        assert (ROOT / block.tested_by).is_file(), f"{place}: there is no {block.tested_by}"
    elif block.language == "console":
        for command in read_commands(block):
            run_command(command)
    elif block.language == "python":
        exec(compile(block.instead or block.body, place, "exec"), names)
    else:
        assert block.language in WITHOUT_CODE, f"{place}: `{block.language}` blocks are not tested"


@pytest.mark.slow
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_block_of_a_document_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__document__"}
    for block in read_blocks(path):
        run_block(block, place=f"{path.relative_to(ROOT)}:{block.line}", names=names)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_file_of_ours_leads_somewhere(path):
    targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("command", [Command("false", ""), Command("echo said", "heard\n")])
def test_a_command_that_fails_or_prints_something_else_is_caught(command):
    with pytest.raises(AssertionError):
        run_command(command)


def test_a_block_in_a_language_that_no_test_runs_is_caught():
    with pytest.raises(AssertionError, match="bash"):
        run_block(Block(1, "bash", "true\n", None, None), place="x.md:1", names={})
