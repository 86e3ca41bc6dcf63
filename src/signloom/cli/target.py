"""Where the texts of `translate` and `recognize` go: printed, or into a file, as lines or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from signloom.cli.outputs import answer, answer_json
from signloom.poses.formats.atomic import check_writable, replacing


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where texts go.

    Attributes:
        output: A file to write, or None for standard output.
        as_json: Give reports rather than texts.
    """

    output: Path | None = None
    as_json: bool = False

    @property
    def wants_json(self) -> bool:
        """Whether reports are wanted, by the option or by the name of the file."""
        return self.as_json or (self.output is not None and self.output.suffix.lower() == ".json")

    def check(self) -> None:
        """Refuse a file that cannot be written.

        Raises:
            FormatError: It cannot.
        """
        if self.output is not None:
            check_writable(self.output)

    def give(self, lines: Sequence[str], documents: list[dict[str, Any]]) -> None:
        """Print or write the texts, or the reports where these are wanted.

        Raises:
            FormatError: The file cannot be written.
        """
        if self.output is not None:
            self._write(self.output, lines, documents)
            answer(str(self.output))
        elif self.wants_json:
            answer_json(documents)
        else:
            for line in lines:
                answer(line)

    def _write(self, path: Path, lines: Sequence[str], documents: list[dict[str, Any]]) -> None:
        text = "".join(f"{line}\n" for line in lines)
        if self.wants_json:
            text = json.dumps(documents, ensure_ascii=False, indent=2) + "\n"
        with replacing(path) as temporary:
            # As on standard output: a name that is no UTF-8 is escaped, which JSON reads, too.
            temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
