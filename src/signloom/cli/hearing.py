"""What `signloom produce --audio` spells: the words that are said in a recording."""

from __future__ import annotations

from pathlib import Path

from signloom.cli.outputs import note, shown
from signloom.cli.pictured import doubts
from signloom.cli.progress import progress
from signloom.errors import TextError
from signloom.pipelines.transcribe import Transcriber


def hear(path: Path, *, model: str | None) -> str:
    """Transcribe a recording, and say what was heard.

    Args:
        path: Sound, or a film.
        model: Name or folder of the model package that hears it.

    Raises:
        UserError: The model or the recording does not hold.
        TextError: Nothing is heard.
    """
    transcriber = Transcriber(model)
    recording = transcriber.open(path)
    expected_s = recording.expected_s
    with progress("transcribe", None if expected_s is None else int(expected_s)) as advance:
        found = transcriber.transcribe(recording, advance=advance)
    if not found.text:
        raise TextError(f"{path} must hold words to be spelled. {' '.join(found.warnings)}")
    for doubt in doubts(found):
        note(f"note: {doubt}")
    note(f"heard: {shown(found.text)}")
    return found.text
