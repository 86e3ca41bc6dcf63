"""Work on many sources that each become a text: read, done in groups, refused by name.

What is done with them is a `Job`: `signloom translate` has one, and `signloom recognize`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from signloom.cli.outputs import SOME_REFUSED, note, shown
from signloom.cli.overwriting import refuse_overwriting
from signloom.cli.progress import progress
from signloom.cli.target import Target
from signloom.errors import UserError
from signloom.pipelines.extraction import Camera
from signloom.pipelines.signing import is_folder

Given = Path | Camera | str
"""What the command line names: a file or folder, a camera, or a text itself."""
Advance = Callable[[int], None]


@runtime_checkable
class Result(Protocol):
    """What comes of a source."""

    @property
    def text(self) -> str:
        """The text."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Give the report, ready for JSON."""
        ...


@runtime_checkable
class Job(Protocol):
    """What is done with sources.

    Attributes:
        verb: What it is called, such as `translate`.
        done: The same when it is done, such as `translated`.
        group: Sources that are read before they are done together.
    """

    verb: str
    done: str
    group: int

    @property
    def described(self) -> str:
        """What does it, in one line."""
        ...

    def is_one(self, source: Path | Camera) -> bool:
        """Say whether it is a source by itself, though it may be a folder."""
        ...

    def find(self, folder: Path) -> list[Path]:
        """List the sources of a folder."""
        ...

    def count(self, source: Given) -> int | None:
        """Tell how many steps reading one takes, for a bar; None if nobody knows."""
        ...

    def read(self, source: Given, advance: Advance | None) -> Iterable[tuple[str, Any]]:
        """Read names and contents of what a source holds."""
        ...

    def prepare(self, content: Any) -> Any:
        """Check a content and bring it to what is run."""
        ...

    def run(self, ready: Sequence[Any], done: Advance | None) -> Sequence[Result]:
        """Do the work."""
        ...

    def remarks(self, result: Any) -> Iterator[str]:
        """Give what must be said about a result."""
        ...

    def conclude(self, results: Sequence[Any], *, is_several: bool) -> None:
        """Do what else is to be done, before anything is printed."""
        ...


@dataclass
class Work:
    """Sources under way, by their numbers.

    Attributes:
        job: What is done with them.
        found: Results and their names.
        refused: Reasons and their names.
        waiting: Sources that are read and not done yet.
        taken: Sources read so far.
    """

    job: Job
    found: dict[int, tuple[str, Result]] = field(default_factory=dict)
    refused: dict[int, tuple[str, str]] = field(default_factory=dict)
    waiting: list[tuple[int, str, Any]] = field(default_factory=list)
    taken: int = 0

    def take(self, name: str, content: Any) -> None:
        """Check a source; refuse it, or let it wait for its group."""
        try:
            ready = self.job.prepare(content)
        except UserError as error:
            self.refuse(name, error)
            return
        self.waiting.append((self.taken, name, ready))
        self.taken += 1
        if len(self.waiting) == self.job.group:
            self.finish()

    def refuse(self, name: str, error: UserError) -> None:
        """Count a source that does not hold, and go on."""
        reason = str(error) if not name or name in str(error) else f"{name}: {error}"
        self.refused[self.taken] = name, reason
        self.taken += 1

    def finish(self, done: Advance | None = None) -> None:
        """Do what waits."""
        made = self.job.run([one for _, _, one in self.waiting], done)
        for (number, name, _), result in zip(self.waiting, made, strict=True):
            self.found[number] = name, result
        self.waiting.clear()

    def documents(self) -> list[dict[str, Any]]:
        """Give a report for each source, in their order; of one that was refused the reason."""
        reports = {
            number: {"name": name} | result.to_dict()
            for number, (name, result) in self.found.items()
        }
        reasons = {
            number: {"name": name, "refused": reason}
            for number, (name, reason) in self.refused.items()
        }
        return [document for _, document in sorted((reports | reasons).items())]


def is_lone(job: Job, given: Sequence[Given]) -> bool:
    """Say whether one source was named, and not a folder of them."""
    return len(given) == 1 and not _is_collection(job, given[0])


def run_job(job: Job, given: Sequence[Given], target: Target) -> int:
    """Do everything; refuse a lone source by raising, name one of several and go on.

    Args:
        job: What is done.
        given: Files and folders, a camera, or one text.
        target: Where the texts go.

    Returns:
        The exit code: 0, or 3 when sources were refused.

    Raises:
        UserError: The only source, a folder or the output does not hold.
    """
    target.check()
    work, alone = Work(job), is_lone(job, given)
    sources = _expanded(given, job)
    refuse_overwriting(sources, target.output)
    _work_through(sources, work, alone=alone)
    refused = [reason for _, reason in work.refused.values()]
    if alone and work.taken == 1 and refused:
        raise UserError(refused[0])
    for reason in refused:
        note(f"refused: {shown(reason)}")
    _report(work, target, is_several=not alone or work.taken > 1)
    return SOME_REFUSED if refused else 0


def _is_collection(job: Job, source: Given) -> bool:
    return isinstance(source, Path) and is_folder(source) and not job.is_one(source)


def _expanded(given: Sequence[Given], job: Job) -> list[Given]:
    """Put the files of folders in their place; one of several that has none is refused later."""
    found: list[Given] = []
    for source in given:
        try:
            is_many = isinstance(source, Path) and _is_collection(job, source)
            found += job.find(Path(str(source))) if is_many else [source]
        except UserError:
            if len(given) == 1:
                raise
            found.append(source)
    return list(dict.fromkeys(found))


def _work_through(sources: Sequence[Given], work: Work, *, alone: bool) -> None:
    job = work.job
    steps = job.count(sources[0]) if alone else None
    with progress(job.verb, steps if alone else len(sources)) as advance:
        behind = 0
        for source in sources:
            for name, content in _items(source, work, advance if steps else None):
                work.take(name, content)
            behind += 1
            if not work.waiting and not steps:
                advance(behind)
                behind = 0
        work.finish(advance if alone and not steps else None)
        if not steps:
            advance(behind)


def _items(source: Given, work: Work, advance: Advance | None) -> Iterator[tuple[str, Any]]:
    """Give what a source holds up to the first that cannot be read, and refuse that one."""
    try:
        if isinstance(source, Path) and _is_collection(work.job, source):
            work.job.find(source)  # says what it lacks
        yield from work.job.read(source, advance)
    except UserError as error:
        work.refuse(str(source), error)


def _report(work: Work, target: Target, *, is_several: bool) -> None:
    found = [(shown(name), one) for _, (name, one) in sorted(work.found.items())]
    work.job.conclude([one for _, one in found], is_several=is_several)
    for name, result in found:
        for remark in work.job.remarks(result):
            note(f"note: {name}: {remark}" if is_several else f"note: {remark}")
    if is_several:
        note(f"{len(found)} {work.job.done}, {len(work.refused)} refused")
    note(work.job.described)
    lines = [f"{name}\t{one.text}" if is_several else one.text for name, one in found]
    target.give(lines, work.documents() if target.wants_json else [])
