"""One text of `signloom produce`: where it comes from, where the pose goes, what is said."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from signloom.cli.outputs import answer, answer_json, note, slug
from signloom.errors import FormatError, TextError
from signloom.pipelines.produce import Producer
from signloom.pipelines.script import MAX_CHARACTERS
from signloom.poses.formats import check_output


def run_single(
    text: str | None,
    outputs: Sequence[Path],
    *,
    model: str | None,
    as_json: bool,
    strict: bool,
    overwrite: bool,
) -> None:
    """Produce one text; everything that can be refused is refused before anything is written.

    Args:
        text: The text, or `-` or None for standard input.
        outputs: Files to write.
        model: Name or folder of the model package.
        as_json: Print the report as JSON rather than the paths.
        strict: Refuse a text of which something would be left out.
        overwrite: Replace the file that the text names when no output is given.

    Raises:
        UserError: Text, model or an output does not hold.
    """
    for path in outputs:
        check_output(path)
    if text is None or text == "-":
        text = _read_stdin(is_asked=text == "-")
    producer = Producer(model)
    script = producer.read(text, strict=strict)
    if not outputs and not as_json:
        outputs = [_default_output(script.spelled, overwrite=overwrite)]
    production = producer.produce(script)
    for path in outputs:
        production.save(path)
    for change in production.notes:
        note(f"note: {change}")
    if production.left_out:
        named = ", ".join(production.left_out)
        note(f"left out, not in the alphabet: {named}")
    if as_json:
        answer_json(production.to_dict() | {"outputs": [str(path) for path in outputs]})
        return
    note(f"{production.kind}, {production.pose.duration_s:.1f} s, by {production.model}")
    for path in outputs:
        answer(str(path))


def _read_stdin(*, is_asked: bool) -> str:
    if not is_asked and sys.stdin.isatty():
        raise TextError('A text is needed. Try `signloom produce "hello"`, or pipe it in.')
    # No character has more than four bytes, so more bytes than this are too many characters.
    data = sys.stdin.buffer.read(4 * MAX_CHARACTERS + 5)
    if len(data) > 4 * MAX_CHARACTERS + 4:
        raise TextError(
            f"A text must have at most {MAX_CHARACTERS} characters, but standard input has more. "
            "Give a text a line with --batch."
        )
    try:
        return data.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise TextError(f"Standard input must be UTF-8, but is not: {error.reason}.") from error


def _default_output(spelled: str, *, overwrite: bool) -> Path:
    path = Path(f"{slug(spelled)}.pose")
    check_output(path)
    if path.exists() and not overwrite:
        raise FormatError(
            f"{path} exists already. Name another file with -o, or replace it with --overwrite."
        )
    return path
