"""Speech in, text out: cut sound at its pauses, hear each passage, refine what was heard."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import get_args

import numpy as np

from signloom.errors import ConfigError
from signloom.features.passages import Passage, cut_passages
from signloom.features.resampling import Samples
from signloom.features.room import with_room
from signloom.pipelines.transcription import (
    Said,
    Transcription,
    describe_passage,
    merged,
    placed_at,
    summed_up,
)
from signloom.pipelines.transcription_input import Advance, Recording, Source, open_recording
from signloom.runtime.package import load_package
from signloom.runtime.registry import DEFAULT_TRANSCRIBE_MODEL
from signloom.runtime.transcribe_settings import banned_tokens
from signloom.runtime.transcriber import BATCH, Heard, TranscriberSession
from signloom.search.ctc import greedy
from signloom.search.refine import RefineOptions, Stop, refine
from signloom.search.slots import Floats
from signloom.tokens.vocabulary import Vocabulary

_logger = logging.getLogger(__name__)
GROUP = 2 * BATCH
"""Passages that are heard together at most: enough for batches of similar lengths."""
LEAST_S = 0.1
"""What is shorter holds no word."""


@dataclass(frozen=True, eq=False)
class _Passage:
    """A passage on its way.

    Attributes:
        owner: Number of its recording.
        start_s: When it begins in that.
        end_s: When it ends.
        heard_s: When what is heard begins: the room that is put before it comes earlier.
        features: What is heard of it [frames, features].
    """

    owner: int
    start_s: float
    end_s: float
    heard_s: float
    features: Floats


class Transcriber:
    """A transcription model, ready to run.

    Args:
        model: Name or folder of a model package; by default the one that knows the ten English
            digits, and nothing else.
        iterations: Passes that refine a transcript at most, 0 to 100; 0 takes what CTC hears. By
            default what the package says.
        stop: When refinement ends earlier: at a transcript seen before (`cycle`), at one seen last
            (`adaptive`), or `never`.
        threads: Threads inside one operator.

    Attributes:
        package: The model package.
        settings: What the model is.

    Raises:
        PackageError: The package is unknown, damaged or not one of the system `transcribe`.
        ConfigError: An option does not hold.
    """

    def __init__(
        self,
        model: str | Path | None = None,
        *,
        iterations: int | None = None,
        stop: Stop = "cycle",
        threads: int = 1,
    ) -> None:
        self.package = package = load_package(DEFAULT_TRANSCRIBE_MODEL if model is None else model)
        self._session = TranscriberSession(package, threads=threads)
        self.settings = settings = self._session.settings
        self._vocabulary = Vocabulary(package.vocabulary)
        if stop not in get_args(Stop):
            raise ConfigError(f"`stop` must be one of {', '.join(get_args(Stop))}, but is {stop}.")
        self._options = RefineOptions(
            iterations=settings.iterations if iterations is None else iterations,
            stop=stop,
            banned=banned_tokens(package),
        )
        _logger.info("model %s, id %s, from %s", package.name, package.id[:12], package.path)

    @property
    def iterations(self) -> int:
        """Passes that refine a transcript, at most."""
        return self._options.iterations

    def open(self, source: Source) -> Recording:
        """Open sound without transcribing it; of a file only the header is read.

        Args:
            source: Sound, a file of it, a film, or a microphone.

        Raises:
            FormatError: It is no sound, or cannot be read.
        """
        return open_recording(source, rate=self.settings.rate)

    def transcribe(
        self, source: Source | Recording, *, advance: Advance | None = None
    ) -> Transcription:
        """Transcribe one recording, of hours as well: it is heard passage by passage.

        Args:
            source: Sound, a file of it, a film, a microphone, or what `open` made of one.
            advance: Told how many more seconds are heard.

        Raises:
            FormatError: It is no sound, cannot be read, or does not hold.
        """
        return self.transcribe_many([source], advance=advance)[0]

    def transcribe_many(
        self, sources: Sequence[Source | Recording], *, advance: Advance | None = None
    ) -> list[Transcription]:
        """Transcribe several recordings; short ones are heard together.

        Args:
            sources: As for `transcribe`.
            advance: Told how many more seconds are heard.

        Raises:
            FormatError: As `transcribe`, for the first that does not hold.
        """
        opened = [one if isinstance(one, Recording) else self.open(one) for one in sources]
        most_s = self.settings.max_s
        said = self._say([one.passages(most_s=most_s, advance=advance) for one in opened])
        return [self._describe(*one) for one in zip(opened, said, strict=True)]

    def hear(self, utterances: Sequence[Samples]) -> list[Said]:
        """Say what is said in utterances, each heard as a whole, silence included.

        Args:
            utterances: Sound of each from -1 to 1, at the model's rate [samples]; one that is
                longer than the model hears at once is cut at its pauses after all.
        """
        rate, most_s = self.settings.rate, self.settings.max_s
        unit, language = self.settings.unit, self.settings.spoken_language
        cut: list[Iterable[Passage]] = [
            [Passage(0.0, samples)]
            if len(samples) <= most_s * rate
            else cut_passages([samples], rate=rate, most_s=most_s)
            for samples in utterances
        ]
        return [merged(said, unit=unit, spoken_language=language) for said in self._say(cut)]

    def _say(self, recordings: Sequence[Iterable[Passage]]) -> list[list[Said]]:
        """Say what is said in the passages of recordings."""
        said: list[list[Said]] = [[] for _ in recordings]
        passages = self._heard_of(recordings)
        while group := list(islice(passages, GROUP)):
            for passage, one in zip(group, self._hear(group), strict=True):
                said[passage.owner].append(one)
        return said

    def _heard_of(self, recordings: Sequence[Iterable[Passage]]) -> Iterator[_Passage]:
        """Give the passages of all recordings with their features, one after the other."""
        rate = self.settings.rate
        most = int(self.settings.max_s * rate)
        for owner, passages in enumerate(recordings):
            for passage in passages:
                roomy, before = with_room(passage.samples, rate=rate, most=most)
                features = self._session.acoustics.compute(roomy)
                if len(features):
                    start_s = passage.start_s
                    end_s = start_s + len(passage.samples) / rate
                    yield _Passage(owner, start_s, end_s, start_s - before / rate, features)

    def _hear(self, passages: Sequence[_Passage]) -> list[Said]:
        """Say what is said in passages."""
        found: dict[int, Said] = {}
        for heard in self._session.listen([one.features for one in passages]):
            for place, said in zip(heard.places, self._read(heard), strict=True):
                one = passages[place]
                found[place] = placed_at(
                    said,
                    one.heard_s,
                    step_s=self.settings.step_s,
                    within_s=(one.start_s, one.end_s),
                )
        return [found[place] for place in range(len(passages))]

    def _read(self, heard: Heard) -> Iterator[Said]:
        """Read a batch by CTC and refine what it reads."""
        banned = self._options.banned
        firsts = [
            greedy(row[None], np.array([len(row)]), banned=banned)[0] for row in heard.log_probs
        ]
        refined = refine(self._session, heard.memory, firsts, options=self._options)
        for found, first, row in zip(refined, firsts, heard.log_probs, strict=True):
            yield describe_passage(found, first, row, self._vocabulary)

    def _describe(self, recording: Recording, said: Sequence[Said]) -> Transcription:
        settings = self.settings
        known = summed_up(said, unit=settings.unit, spoken_language=settings.spoken_language)
        return Transcription(
            **known,
            stop=self._options.stop,
            kind=settings.kind,
            duration_s=recording.duration_s,
            num_passages=len(said),
            warnings=(*recording.warnings, *_remarks(recording, said)),
            model=self.package.name,
            model_id=self.package.id,
        )


def _remarks(recording: Recording, said: Sequence[Said]) -> Iterator[str]:
    """Say why nothing was heard."""
    if any(one.tokens for one in said):
        return
    if said:
        yield "Nothing is understood: the model hears none of its words in it."
    elif recording.duration_s < LEAST_S:
        yield f"The recording is too short to be heard: {recording.num_samples} samples."
    else:
        yield "Nothing is heard: there is no speech in it, or only steady noise."
