"""What is found in a corpus whose entries are read one by one, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic

from signloom.data.readers.reading import CorpusReading, E, Fault, Place


@dataclass
class CorpusFindings(Generic[E]):
    """What was found in a corpus.

    Attributes:
        seen: Its entries that hold.
        faults: What must be mended.
        remarks: What one must know.
    """

    seen: list[E] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    remarks: list[Fault] = field(default_factory=list)

    def refuse_empty(self, reading: CorpusReading[E], *, noun: str) -> None:
        """Add a fault where nothing is listed and nothing says why.

        Args:
            reading: The corpus.
            noun: What it should list one of.
        """
        if not reading.entries and not reading.faults:
            message = f"must list at least one {noun}, but lists none"
            self.faults += [Fault(Place(path), message) for path in reading.files[:1]]


def findings_of(reading: CorpusReading[E]) -> CorpusFindings[E]:
    """Begin with what the reader itself has found."""
    return CorpusFindings(faults=list(reading.faults), remarks=list(reading.remarks))
