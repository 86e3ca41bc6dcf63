"""`signloom produce --batch`: one text a line, one file a text, resumable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from signloom.cli.inputs import read_stdin
from signloom.cli.manner import Manner, name_left_out
from signloom.cli.outputs import SOME_REFUSED, answer, answer_json, note, slug
from signloom.cli.progress import progress
from signloom.errors import FormatError, TextError, UserError
from signloom.pipelines.decoding import GROUP
from signloom.pipelines.produce import Producer
from signloom.pipelines.script import Script
from signloom.poses.formats import WRITERS
from signloom.poses.formats.atomic import check_folder

MAX_FILE_BYTES = 64 * 2**20


@dataclass(frozen=True)
class Batch:
    """What is asked for.

    Attributes:
        file: Texts, one a line; empty lines count but give nothing. `-` is standard input.
        folder: Where the outputs go, named by line number and text.
        suffix: Format of the outputs, with or without the dot.
    """

    file: Path
    folder: Path
    suffix: str = ".pose"


@dataclass
class Summary:
    """What has come of the lines so far."""

    produced: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def refuse(self, number: int, text: str, error: UserError) -> None:
        """Name a line that cannot be produced, and go on."""
        self.refused.append({"line": number, "text": text, "reason": str(error)})
        note(f"refused: line {number}: {error}")


def run_batch(batch: Batch, *, manner: Manner, overwrite: bool, as_json: bool) -> int:
    """Produce every line that has no output yet; name those that cannot be.

    Returns:
        The exit code: 0, or 3 when lines were refused.

    Raises:
        UserError: File, folder, suffix or model does not hold; nothing has been written.
    """
    suffix = _check_suffix(batch.suffix)
    lines = _read_lines(batch.file)
    check_folder(batch.folder)
    producer = manner.open()
    batch.folder.mkdir(parents=True, exist_ok=True)
    summary = Summary()
    with progress("produce", len(lines)) as advance:
        for start in range(0, len(lines), GROUP):
            ready = []
            for number, text in lines[start : start + GROUP]:
                output = batch.folder / f"{number:05d}-{slug(text)}{suffix}"
                if output.is_file() and not overwrite:
                    summary.skipped.append({"line": number, "output": str(output)})
                    continue
                try:
                    script = manner.read(producer, text)
                except TextError as error:
                    summary.refuse(number, text, error)
                    continue
                ready.append((number, output, script))
            _produce(producer, ready, manner=manner, summary=summary)
            advance(len(lines[start : start + GROUP]))
    _report(summary, producer, as_json=as_json)
    return SOME_REFUSED if summary.refused else 0


def _produce(
    producer: Producer,
    ready: Sequence[tuple[int, Path, Script]],
    *,
    manner: Manner,
    summary: Summary,
) -> None:
    made = producer.produce_many([script for _, _, script in ready])
    productions = map(manner.adapt, made)
    for (number, output, _), production in zip(ready, productions, strict=True):
        try:
            production.save(output)
        except UserError as error:
            summary.refuse(number, production.text, error)
            continue
        if production.left_out:
            named = ", ".join(production.left_out)
            note(f"left out of line {number}, not {name_left_out(producer)}: {named}")
        summary.produced.append(
            {"line": number, "output": str(output), **_brief(production.to_dict())}
        )


def _brief(report: dict[str, Any]) -> dict[str, Any]:
    keys = ("text", "spelled", "num_frames", "duration_s", "notes", "left_out", "num_passes")
    return {key: report[key] for key in keys}


def _report(summary: Summary, producer: Producer, *, as_json: bool) -> None:
    note(
        f"{len(summary.produced)} produced, {len(summary.skipped)} there already, "
        f"{len(summary.refused)} refused"
    )
    if as_json:
        package = producer.session.package
        head = {"kind": producer.settings.kind, "model": {"name": package.name, "id": package.id}}
        answer_json(head | vars(summary))
        return
    for item in summary.produced:
        answer(item["output"])


def _check_suffix(suffix: str) -> str:
    dotted = f".{suffix.lower().removeprefix('.')}"
    if dotted not in WRITERS:
        raise FormatError(f"--format must be one of {' '.join(WRITERS)}, but is {suffix!r}.")
    return dotted


def _read_lines(file: Path) -> list[tuple[int, str]]:
    """Give the lines that hold something, and their numbers from 1."""
    data = _read_bytes(file)
    if len(data) > MAX_FILE_BYTES:
        raise FormatError(f"{file} must have at most {MAX_FILE_BYTES} bytes. Cut it into several.")
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise FormatError(f"{file} must be UTF-8 text, but is not: {error.reason}.") from error
    found = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise TextError(f"{file} must hold at least one line of text, but is empty.")
    return found


def _read_bytes(file: Path) -> bytes:
    """Read a file, or standard input if it is `-`, but no more than shows that it is too long."""
    if str(file) == "-":
        return read_stdin(MAX_FILE_BYTES + 1)
    try:
        with file.open("rb") as stream:
            return stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise FormatError(
            f"The texts must be a file, but {file} is not: {error.strerror}."
        ) from error
