"""One text of `signloom produce`: where it comes from, where the pose goes, what is said."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from signloom.cli.inputs import read_stdin
from signloom.cli.manner import Manner, name_left_out
from signloom.cli.outputs import answer, answer_json, note, slug
from signloom.cli.progress import progress
from signloom.errors import FormatError, TextError
from signloom.pipelines.decoding import GROUP
from signloom.pipelines.production import Production
from signloom.pipelines.script import MAX_CHARACTERS
from signloom.poses.formats import check_output
from signloom.poses.subtitles import check_subtitles, write_subtitles

MOVING = (".mp4", ".gif")
LONG_S = 10.0


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where one production goes.

    Attributes:
        outputs: Files to write; one that is named twice is written once.
        subtitle: Where the times of the words go.
        suffix: Format of the file that the text names when no output is given.
        overwrite: Replace that file if it is there.
    """

    outputs: Sequence[Path] = ()
    subtitle: Path | None = None
    suffix: str = ".pose"
    overwrite: bool = False

    def check(self) -> None:
        """Refuse files that cannot be written.

        Raises:
            FormatError: One cannot.
        """
        for path in self.outputs:
            check_output(path)
        if self.subtitle:
            check_subtitles(self.subtitle)


def run_single(text: str | None, target: Target, *, manner: Manner, as_json: bool) -> None:
    """Produce one text; everything that can be refused is refused before anything is written.

    Args:
        text: The text, or `-` or None for standard input.
        target: Where the result goes.
        manner: How it is to be signed.
        as_json: Print the report as JSON rather than the paths.

    Raises:
        UserError: Text, model or an output does not hold.
    """
    target.check()
    outputs = list(dict.fromkeys(target.outputs))
    if text is None or text == "-":
        text = _read_stdin(is_asked=text == "-")
    producer = manner.open()
    script = manner.read(producer, text)
    if not outputs and not as_json:
        outputs = [_default_output(script.spelled, target)]
    num_passages = len(script.passages)
    with progress("produce", num_passages, wanted=num_passages > GROUP) as advance:
        production = manner.adapt(producer.produce(script, on_passage=advance))
    for path in outputs:
        _save(production, path)
    if target.subtitle:
        write_subtitles(production.cues, target.subtitle)
        outputs.append(target.subtitle)
    _report(production, outputs, left_out=name_left_out(producer), as_json=as_json)


def _save(production: Production, path: Path) -> None:
    is_long = path.suffix.lower() in MOVING and production.pose.duration_s > LONG_S
    with progress(f"draw {path.name}", None, wanted=is_long):
        production.save(path)


def _report(
    production: Production, outputs: Sequence[Path], *, left_out: str, as_json: bool
) -> None:
    for change in production.notes:
        note(f"note: {change}")
    if production.left_out:
        named = ", ".join(production.left_out)
        note(f"left out, not {left_out}: {named}")
    if as_json:
        answer_json(production.to_dict() | {"outputs": [str(path) for path in outputs]})
        return
    note(f"{production.kind}, {production.pose.duration_s:.1f} s, by {production.model}")
    for path in outputs:
        answer(str(path))


def _read_stdin(*, is_asked: bool) -> str:
    if not is_asked and sys.stdin is not None and sys.stdin.isatty():
        raise TextError('A text is needed. Try `signloom produce "hello"`, or pipe it in.')
    # No character has more than four bytes, so more bytes than this are too many characters.
    data = read_stdin(4 * MAX_CHARACTERS + 5)
    if len(data) > 4 * MAX_CHARACTERS + 4:
        raise TextError(
            f"A text must have at most {MAX_CHARACTERS} characters, but standard input has more. "
            "Give a text a line with --batch."
        )
    try:
        return data.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise TextError(f"Standard input must be UTF-8, but is not: {error.reason}.") from error


def _default_output(spelled: str, target: Target) -> Path:
    path = Path(f"{slug(spelled)}.{target.suffix.lower().removeprefix('.')}")
    check_output(path)
    if path.exists() and not target.overwrite:
        raise FormatError(
            f"{path} exists already. Name another file with -o, or replace it with --overwrite."
        )
    return path
