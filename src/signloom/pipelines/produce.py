"""Text to pose: clean, spell, split, decode, filter, join.

Streaming and whole production take the same steps in the same order and so give the same
numbers. The length is always the model's own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path

import numpy as np

from signloom.errors import PackageError
from signloom.pipelines.decoding import GROUP, Block, decode_passages
from signloom.pipelines.joining import Joiner
from signloom.pipelines.production import Production
from signloom.pipelines.script import Script, write_script, write_sentence
from signloom.pipelines.spans import LetterSpan, estimate_spans, place_spans
from signloom.poses.pose import Pose
from signloom.runtime.package import Package, load_package
from signloom.runtime.registry import DEFAULT_PRODUCE_MODEL, fingerspelling_package
from signloom.runtime.sessions import open_session
from signloom.tokens.alphabet import Alphabet
from signloom.tokens.vocabulary import Vocabulary

_logger = logging.getLogger(__name__)


class Producer:
    """A production model, ready to run.

    Args:
        model: Name or folder of a model package; by default the one that fingerspells.
        language: ISO 639-3 code of the sign language; by default American, or the model's own.
        threads: Threads inside one operator.

    Attributes:
        settings: What the model is.
        vocabulary: Its tokens.
        alphabet: Its letters, if it spells; None for a model of words or glosses.

    Raises:
        PackageError: The package is unknown, damaged, of another language or not one of the system
            `produce`, or no package of the language is known.
    """

    def __init__(
        self, model: str | Path | None = None, *, language: str | None = None, threads: int = 1
    ) -> None:
        package = load_package(model_name(model, language))
        self.session = open_session(package, threads=threads)
        self.settings = self.session.settings
        _refuse_other_language(package, self.settings.language, wanted=language)
        self.vocabulary = Vocabulary(package.vocabulary)
        self.alphabet = (
            Alphabet.from_tokens(
                package.vocabulary,
                language=self.settings.language,
                spoken_language=self.settings.spoken_language,
            )
            if self.settings.unit == "letters"
            else None
        )
        _logger.info("model %s, id %s, from %s", package.name, package.id[:12], package.path)

    def read(self, text: str, *, strict: bool = False) -> Script:
        """Clean a text and cut it into tokens and passages without producing it.

        Raises:
            TextError: The text is empty or too long, nothing of it can be signed, or something
                would be left out under `strict`.
        """
        settings = self.settings
        if self.alphabet is not None:
            return write_script(text, self.alphabet, max_tokens=settings.max_tokens, strict=strict)
        return write_sentence(
            text,
            self.vocabulary,
            unit=settings.unit,
            spoken_language=settings.spoken_language,
            max_tokens=settings.max_tokens,
            strict=strict,
        )

    def produce(
        self,
        text: str | Script,
        *,
        strict: bool = False,
        on_passage: Callable[[int], object] | None = None,
    ) -> Production:
        """Produce a text, or what `read` made of it, whole.

        Args:
            text: Any text of at most 20,000 characters, or a script.
            strict: As `read`.
            on_passage: Called with 1 whenever another passage is there.

        Raises:
            TextError: As `read`.
        """
        script = text if isinstance(text, Script) else self.read(text, strict=strict)
        blocks = self._decode(script.passages)
        return self._report(script, _telling(blocks, on_passage) if on_passage else blocks)

    def stream(self, text: str | Script, *, strict: bool = False) -> Iterator[Pose]:
        """Check a text at once unless `read` has, then give its frames as they are decoded.

        Put together, the blocks are exactly what `produce` gives.

        Raises:
            TextError: As `read`.
        """
        script = text if isinstance(text, Script) else self.read(text, strict=strict)
        joiner = Joiner(self.settings)
        pieces = (
            joiner.push(block.features, is_last=block.is_last)
            for block in self._decode(script.passages)
        )
        return (Pose.of(frames, fps=self.settings.fps) for frames in pieces if len(frames))

    def produce_many(self, scripts: Sequence[Script]) -> Iterator[Production]:
        """Produce several texts together, which is faster than one by one.

        Each differs from its production alone by rounding only.

        Args:
            scripts: What `read` gave.
        """
        owners = [number for number, script in enumerate(scripts) for _ in script.passages]
        passages = tuple(chain.from_iterable(script.passages for script in scripts))
        blocks = self._decode(passages, first_group=GROUP)
        for number, own in groupby(blocks, key=lambda block: owners[block.passage]):
            yield self._report(scripts[number], own)

    def _decode(
        self, passages: Sequence[tuple[str, ...]], *, first_group: int = 1
    ) -> Iterator[Block]:
        ids = [np.array(self.vocabulary.encode(tokens), dtype=np.int64) for tokens in passages]
        return decode_passages(self.session, ids, first_group=first_group)

    def _report(self, script: Script, blocks: Iterator[Block]) -> Production:
        settings = self.settings
        joiner = Joiner(settings)
        pieces = []
        lengths = []
        num_passes = 0
        for _, own in groupby(blocks, key=attrgetter("passage")):
            length = 0
            for block in own:
                pieces.append(joiner.push(block.features, is_last=block.is_last))
                length += len(block.features)
                num_passes += block.num_passes
            lengths.append(length)
        package = self.session.package
        return Production(
            pose=Pose.of(np.concatenate(pieces), fps=settings.fps),
            kind=settings.kind,
            text=script.text,
            spelled=script.spelled,
            language=settings.language,
            spans=self._spans(script, lengths, joiner.starts),
            spans_estimated=True,
            notes=script.notes,
            left_out=script.left_out,
            model=package.name,
            model_id=package.id,
            num_passes=num_passes,
        )

    def _spans(
        self, script: Script, lengths: Sequence[int], starts: Sequence[int]
    ) -> tuple[LetterSpan, ...]:
        settings = self.settings
        if settings.unit == "words":
            return ()  # signs do not follow the order of the words
        spans = (
            span
            for tokens, length, start in zip(script.passages, lengths, starts, strict=True)
            for span in estimate_spans(
                tokens,
                length,
                edge_frames=settings.edge_frames,
                first_frame=start,
                fps=settings.fps,
            )
        )
        return place_spans(spans, script.spelled)


def model_name(model: str | Path | None, language: str | None) -> str | Path:
    """Choose the model: the one that is given, or the one that fingerspells a language.

    Raises:
        PackageError: No package of the language is known.
    """
    if model is not None:
        return model
    return fingerspelling_package("produce", language) if language else DEFAULT_PRODUCE_MODEL


def _refuse_other_language(package: Package, language: str, *, wanted: str | None) -> None:
    if wanted is not None and wanted != language:
        raise PackageError(
            f"The model must be one of the language {wanted[:40]!r}, but {package.name} is one of "
            f"`{language}`. Leave the model or the language out."
        )


def _telling(blocks: Iterator[Block], on_passage: Callable[[int], object]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if block.is_last:
            on_passage(1)
