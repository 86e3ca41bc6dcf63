"""The `corpus` section of a transcription recipe, and the corpus it opens."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from signloom.data.speech.corpus import SpeechCorpus
from signloom.data.speech.recorded import RecordedSpeech
from signloom.data.speech.strings import DigitStrings
from signloom.errors import ConfigError
from signloom.features.acoustic import Acoustics
from signloom.tokens.transcripts import SpokenUnit

STRINGS = "fsdd-strings"


@dataclass(frozen=True, kw_only=True)
class SpeechCorpusConfig:
    """What is transcribed, and what the model hears of it."""

    reader: str = STRINGS
    """A speech reader of `signloom data readers`, or `fsdd-strings`: digits joined to strings."""
    path: str = ""
    """Folder of the data."""
    options: tuple[str, ...] = ()
    """Options of the reader, `name=value` each."""
    spoken_language: str = "zh"
    """ISO 639-1 code of what is said; that of the strings is `en`."""
    unit: SpokenUnit = "characters"
    """What a token is, `words` or `characters`; of the strings `words`."""
    least: int = field(default=1, metadata={"least": 1, "most": 1000000})
    """How often a token must occur in training not to be `<unk>`."""
    max_s: float = field(default=20.0, metadata={"least": 0.5, "most": 60})
    """Longer utterances are left out of training, seconds."""
    rate: int = field(default=16000, metadata={"least": 4000, "most": 48000})
    """Samples a second that sound is brought to; that of the strings is 8000."""
    num_mels: int = field(default=80, metadata={"least": 8, "most": 128})
    """Mel filters."""
    pitch: bool = True
    """Whether three features of pitch follow."""
    num_train: int = field(default=4000, metadata={"least": 1, "most": 1000000})
    """Training strings, of digits."""
    num_dev: int = field(default=300, metadata={"least": 1, "most": 100000})
    """Development strings, of digits."""
    num_test: int = field(default=1000, metadata={"least": 1, "most": 100000})
    """Test strings, of digits."""
    seed: int = field(default=2026, metadata={"least": 0, "most": 2147483647})
    """Decides the strings."""
    held_out: str = ""
    """A speaker whose digits are tested and not learned."""

    def acoustics(self, rate: int) -> Acoustics:
        """Say how sound of the corpus becomes features."""
        return Acoustics(rate=rate, num_mels=self.num_mels, pitch=self.pitch)

    def open(self) -> SpeechCorpus:
        """Read or build it; see `RecordedSpeech` and `DigitStrings`.

        Raises:
            ConfigError: The folder is not there, or options go with strings.
            FormatError: The data does not hold.
        """
        if not (self.path and Path(self.path).is_dir()):
            raise ConfigError(f"`corpus.path` must be the path of a folder, but is {self.path!r}.")
        if self.reader != STRINGS:
            return RecordedSpeech(
                self.reader,
                Path(self.path),
                self.options,
                spoken_language=self.spoken_language,
                unit=self.unit,
                rate=self.rate,
                least=self.least,
                max_s=self.max_s,
            )
        if self.options:
            raise ConfigError(
                f"`corpus.options` must be empty for {STRINGS}, but has {self.options[0]!r}."
            )
        return DigitStrings(
            Path(self.path),
            seed=self.seed,
            num_train=self.num_train,
            num_dev=self.num_dev,
            num_test=self.num_test,
            held_out=self.held_out,
        )
