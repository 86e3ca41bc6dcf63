"""The reference of the command line says what the commands say."""

from __future__ import annotations

from tools.write_cli_reference import main, reference


def test_the_reference_is_what_make_reference_writes(repository):
    written = (repository / "docs/reference/cli.md").read_text(encoding="utf-8")
    assert written == reference(), "docs/reference/cli.md is out of date: run `make reference`"


def test_every_command_has_its_section():
    sections = [line.lstrip("# ") for line in reference().splitlines() if line.startswith("##")]
    assert {"signloom", "signloom produce", "signloom models list"} <= set(sections)


def test_the_reference_is_written_to_the_file_named(tmp_path):
    assert main([str(tmp_path / "cli.md")]) == 0
    assert (tmp_path / "cli.md").read_text(encoding="utf-8") == reference()


def test_a_missing_file_name_is_refused(capsys):
    assert main([]) == 2
    assert "one file" in capsys.readouterr().err
