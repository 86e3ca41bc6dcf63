"""Blocks are found, and marked ones are understood."""

from __future__ import annotations

import pytest

from tests.docs.blocks import Command, read_blocks, read_commands

DOCUMENT = """\
# Title

```python
x = 1
```

<!-- run: signloom train toy -->
```console
$ signloom train large
```

<!-- tested: tests/test_wheel.py -->
```console
$ pip install signloom
```

```console
$ first \\
    --option
said
$ second
```
"""


@pytest.fixture
def blocks(tmp_path):
    path = tmp_path / "document.md"
    path.write_text(DOCUMENT, encoding="utf-8")
    return read_blocks(path)


def test_every_block_is_found_with_its_line_and_language(blocks):
    found = [(block.line, block.language) for block in blocks]
    assert found == [(3, "python"), (7, "console"), (12, "console"), (17, "console")]


def test_a_toy_replaces_the_commands(blocks):
    assert read_commands(blocks[1]) == [Command("signloom train toy", "")]


def test_a_block_may_name_the_test_that_covers_it(blocks):
    assert [block.tested_by for block in blocks] == [None, None, "tests/test_wheel.py", None]


def test_commands_are_joined_over_lines_and_split_from_their_output(blocks):
    first, second = read_commands(blocks[3])
    assert first.line.split() == ["first", "--option"]
    assert first.output == "said\n"
    assert second == Command("second", "")


def test_output_without_a_command_is_refused(tmp_path):
    path = tmp_path / "document.md"
    path.write_text("```console\nsaid\n```\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 1"):
        read_commands(read_blocks(path)[0])
