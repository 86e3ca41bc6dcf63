"""The size limits hold at their edges."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.check_sizes import Finding, check_file, check_folders, main


def write(folder: Path, source: str, name: str = "room.py") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    return path


def function(lines: int, *, docstring_lines: int = 0) -> str:
    body = ["    pass"] * (lines - 1)
    if docstring_lines:
        body.insert(0, '    """' + "\n" * (docstring_lines - 1) + '    """')
    return "\n".join(["def f():", *body]) + "\n"


def verdicts(findings: list[Finding]) -> list[bool]:
    return [finding.fails for finding in findings]


@pytest.mark.parametrize(
    ("lines", "expected"), [(250, []), (251, [False]), (400, [False]), (401, [True])]
)
def test_a_file_warns_past_250_lines_and_fails_past_400(tmp_path, lines, expected):
    assert verdicts(check_file(write(tmp_path, "x = 1\n" * lines))) == expected


@pytest.mark.parametrize(
    ("lines", "expected"), [(35, []), (36, [False]), (60, [False]), (61, [True])]
)
def test_a_function_warns_past_35_lines_and_fails_past_60(tmp_path, lines, expected):
    assert verdicts(check_file(write(tmp_path, function(lines)))) == expected


def test_a_docstring_does_not_count_towards_a_function(tmp_path):
    assert check_file(write(tmp_path, function(35, docstring_lines=40))) == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("a, b, c, d, e, f, g, h", []),
        ("self, a, b, c, d, e, f, g, h", []),
        ("a, b, c, d, e, f, g, h, i", [True]),
        ("a, b, /, c, d, *rest, e, f, g, **more", [True]),
    ],
)
def test_nine_arguments_are_too_many(tmp_path, arguments, expected):
    source = f"async def f({arguments}):\n    pass\n"
    assert verdicts(check_file(write(tmp_path, source))) == expected


@pytest.mark.parametrize("name", ["utils.py", "deep/common/mask.py", "manager.py"])
def test_a_name_that_says_nothing_fails(tmp_path, name):
    assert verdicts(check_file(write(tmp_path, "", name))) == [True]


def test_every_file_under_the_folders_is_checked(tmp_path):
    write(tmp_path, function(61), "a/first.py")
    write(tmp_path, function(61), "b/c/second.py")
    assert len(check_folders([tmp_path / "a", tmp_path / "b"])) == 2


def test_warnings_are_printed_and_pass(tmp_path, capsys):
    path = write(tmp_path, function(36))
    assert main([str(tmp_path)]) == 0
    expected = f"warning: {path}:1: `f` has 36 lines; 60 are the most\n"
    assert capsys.readouterr().out == expected


def test_errors_are_printed_and_fail(tmp_path, capsys):
    write(tmp_path, function(61))
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith("error: ")


def test_a_missing_folder_is_refused(tmp_path, capsys):
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err
