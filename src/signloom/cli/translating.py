"""The sources of `signloom translate`: read, translated in groups, and what is said of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from signloom.cli.inputs import read_stdin
from signloom.cli.outputs import SOME_REFUSED, answer, answer_json, note, shown
from signloom.cli.progress import progress
from signloom.errors import FormatError, UserError
from signloom.pipelines.translate import Search, Translator
from signloom.pipelines.translation import UNCERTAIN, Translation
from signloom.pipelines.translation_files import (
    MAX_TEXT_BYTES,
    Item,
    find_files,
    gloss_lines,
    read_sources,
)
from signloom.pipelines.translation_input import Prepared, refuse_other_source
from signloom.poses.formats.atomic import check_writable, replacing

GROUP = 16
"""Sources that are read before they are translated together."""
STDIN = Path("-")


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where translations go.

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


@dataclass
class Work:
    """Translations under way, by the number of their source.

    Attributes:
        translator: What translates.
        search: How.
        found: Translations and their names.
        refused: Reasons and their names.
        waiting: Sources that are read and not translated yet.
        taken: Sources read so far.
    """

    translator: Translator
    search: Search
    found: dict[int, tuple[str, Translation]] = field(default_factory=dict)
    refused: dict[int, tuple[str, str]] = field(default_factory=dict)
    waiting: list[tuple[int, str, Prepared]] = field(default_factory=list)
    taken: int = 0

    def take(self, item: Item) -> None:
        """Check a source; refuse it, or let it wait for its group."""
        try:
            ready = self.translator.prepare(item.source)
        except UserError as error:
            self.refuse(item.name, error)
            return
        self.waiting.append((self.taken, item.name, ready))
        self.taken += 1
        if len(self.waiting) == GROUP:
            self.finish()

    def refuse(self, name: str, error: UserError) -> None:
        """Count a source that cannot be translated, and go on."""
        reason = str(error) if not name or name in str(error) else f"{name}: {error}"
        self.refused[self.taken] = name, reason
        self.taken += 1

    def finish(self, done: Callable[[int], None] | None = None) -> None:
        """Translate what waits."""
        ready = [one for _, _, one in self.waiting]
        made = self.translator.translate_many(ready, search=self.search, done=done)
        for (number, name, _), translation in zip(self.waiting, made, strict=True):
            self.found[number] = name, translation
        self.waiting.clear()


def run_translate(
    translator: Translator, given: Sequence[Path] | str, *, search: Search, target: Target
) -> int:
    """Translate everything; refuse a lone source by raising, name one of several and go on.

    Args:
        translator: What translates.
        given: Files and folders, or one sentence of glosses.
        search: How to look for translations.
        target: Where they go.

    Returns:
        The exit code: 0, or 3 when sources were refused.

    Raises:
        UserError: The only source, a folder or the output does not hold.
    """
    if target.output is not None:
        check_writable(target.output)
    work = Work(translator, search)
    if isinstance(given, str):
        is_lone = True
        work.take(Item("--glosses", given))
        work.finish()
    else:
        is_lone = len(given) == 1 and not _is_folder(given[0])
        _work_through(_expanded(given, translator), work, is_lone=is_lone)
    refused = [reason for _, reason in work.refused.values()]
    if is_lone and work.taken == 1 and refused:
        raise UserError(refused[0])
    for reason in refused:
        note(f"refused: {shown(reason)}")
    _report(work, target, is_several=not is_lone or work.taken > 1)
    return SOME_REFUSED if refused else 0


def _expanded(given: Sequence[Path], translator: Translator) -> list[Path]:
    """Put the files of folders in their place; one of several that has none is refused later."""
    settings = translator.settings
    found: list[Path] = []
    for path in given:
        try:
            found += find_files(path, settings) if _is_folder(path) else [path]
        except UserError:
            if len(given) == 1:
                raise
            found.append(path)
    return list(dict.fromkeys(found))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name too long, a folder closed to us: what reads the file says which
        return False


def _work_through(paths: Sequence[Path], work: Work, *, is_lone: bool) -> None:
    with progress("translate", None if is_lone else len(paths)) as advance:
        behind = 0
        for path in paths:
            for item in _items(path, work):
                work.take(item)
            behind += 1
            if not work.waiting:
                advance(behind)
                behind = 0
        work.finish(advance if is_lone else None)
        advance(behind)


def _items(path: Path, work: Work) -> Iterator[Item]:
    """Give the sources of a file up to the first that cannot be read, and refuse that one."""
    try:
        yield from _read(path, work.translator)
    except UserError as error:
        work.refuse(str(path), error)


def _read(path: Path, translator: Translator) -> Iterator[Item]:
    if _is_folder(path):
        find_files(path, translator.settings)  # says what it lacks
    if path != STDIN:
        yield from read_sources(path, translator.settings)
        return
    refuse_other_source(translator.settings, "glosses", what="standard input")
    data = read_stdin(MAX_TEXT_BYTES + 1)
    if len(data) > MAX_TEXT_BYTES:
        raise FormatError(
            f"Standard input must have at most {MAX_TEXT_BYTES} bytes, but has more. Cut it."
        )
    yield from gloss_lines(data, "-")


def _report(work: Work, target: Target, *, is_several: bool) -> None:
    found = [(shown(name), one) for _, (name, one) in sorted(work.found.items())]
    for name, translation in found:
        for remark in _remarks(translation):
            note(f"note: {name}: {remark}" if is_several else f"note: {remark}")
    if is_several:
        note(f"{len(found)} translated, {len(work.refused)} refused")
    translator = work.translator
    names = " and ".join(package.name for package in translator.packages)
    note(f"{translator.settings.kind}, {translator.language}, by {names}")
    content = _documents(work) if target.wants_json else None
    lines = [f"{name}\t{one.text}" if is_several else one.text for name, one in found]
    if target.output is not None:
        _write(target.output, content, lines)
        answer(str(target.output))
    elif content is not None:
        answer_json(content)
    else:
        for line in lines:
            answer(line)


def _remarks(translation: Translation) -> Iterator[str]:
    if not translation.text:
        yield "nothing was read: the model sees no text in it"
    elif translation.is_uncertain:
        yield f"uncertain: confidence {translation.confidence:.2f} is below {UNCERTAIN:g}"
    if not translation.finished:
        yield "cut off: the model came to no end"
    if translation.unknown:
        yield f"not known to the model: {shown(', '.join(translation.unknown))}"


def _documents(work: Work) -> list[dict[str, Any]]:
    """Give a report for each source, in their order; of one that was refused the reason."""
    reports = {
        number: {"name": name} | translation.to_dict()
        for number, (name, translation) in work.found.items()
    }
    reasons = {
        number: {"name": name, "refused": reason} for number, (name, reason) in work.refused.items()
    }
    return [document for _, document in sorted((reports | reasons).items())]


def _write(path: Path, content: list[dict[str, Any]] | None, lines: Sequence[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    if content is not None:
        text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    with replacing(path) as temporary:
        # As on standard output: a name that is no UTF-8 is escaped, which JSON reads, too.
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
