"""What `config.json` of a transcription package says, field by field, and its check."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from signloom.errors import PackageError, TextError
from signloom.runtime.config_rules import Rule, number, read_fields, switch, whole
from signloom.runtime.package import Package, is_printed
from signloom.runtime.settings import MAX_HEAD_DIM, MAX_LAYERS
from signloom.search.refine import MAX_ITERATIONS
from signloom.tokens.targets import never_said
from signloom.tokens.transcripts import SpokenUnit
from signloom.tokens.vocabulary import Vocabulary

SPOKEN_UNITS = get_args(SpokenUnit)
FRAMES_PER_S = 100
"""Frames of a second of sound: one every 10 ms."""
MAX_MELS = 512
MIN_PASSAGE_S, MAX_PASSAGE_S = 1.0, 600.0
MAX_READERS = 2
MAX_STRIDE = 64


@dataclass(frozen=True, kw_only=True)
class TranscribeSettings:
    """Everything that running a transcriber needs to know beside its graphs."""

    name: str
    """Name of the package, `<system>-<corpus>[-<language>]-v<N>`."""
    system: Literal["transcribe"] = "transcribe"
    """Which of the five systems it is."""
    kind: str = "speech"
    """What is heard, in honest words."""
    spoken_language: str
    """ISO 639-1 code of what is said."""
    unit: SpokenUnit
    """What a token of the text is."""
    rate: int
    """Samples a second that sound is brought to."""
    num_mels: int = 80
    """Mel filters of a frame."""
    pitch: bool = True
    """Whether three features of pitch follow them."""
    stride: int = 4
    """Frames of one step of the encoder; a frame is 10 ms."""
    num_layers: int
    """Decoder layers, the memory's L."""
    num_heads: int
    """Attention heads a layer, the memory's H."""
    head_dim: int
    """Size of a head, the memory's Dh."""
    readers: int = 1
    """Decoders that read side by side: 2 where one reads forwards and one backwards."""
    iterations: int = 10
    """Passes that refine a transcript unless asked otherwise, at most."""
    max_s: float
    """Longest passage that is heard at once, in seconds, by what was trained on."""

    @property
    def max_frames(self) -> int:
        """Frames of the longest passage."""
        return round(self.max_s * FRAMES_PER_S)

    @property
    def step_s(self) -> float:
        """Seconds of one step of the encoder."""
        return self.stride / FRAMES_PER_S

    def to_dict(self) -> dict[str, Any]:
        """Give what `config.json` shall hold."""
        return asdict(self)

    @classmethod
    def read(cls, package: Package) -> TranscribeSettings:
        """Read and check the settings of a package.

        Raises:
            PackageError: It is of another system, or a field is missing or does not hold.
        """
        values, _ = read_fields(package, cls, system="transcribe", rules=_RULES)
        return cls(**values)


def banned_tokens(package: Package) -> tuple[int, ...]:
    """Give the ids that no transcript holds: padding, `<unk>` and what begins or ends a sentence.

    Raises:
        PackageError: The vocabulary lacks what every one of a transcriber has.
    """
    try:
        return never_said(Vocabulary(package.vocabulary))
    except TextError as error:
        raise PackageError(f"The vocabulary of {package.path} is incomplete: {error}") from error


_RULES: tuple[Rule, ...] = (
    (("name", "kind", "spoken_language"), is_printed, "a short name"),
    (
        ("unit",),
        lambda value: value in SPOKEN_UNITS,
        f"one of {', '.join(SPOKEN_UNITS)}",
    ),
    whole("rate", least=4000, most=192_000),
    whole("num_mels", least=1, most=MAX_MELS),
    switch("pitch"),
    whole("stride", least=1, most=MAX_STRIDE),
    whole("num_layers", "num_heads", least=1, most=MAX_LAYERS),
    whole("head_dim", least=1, most=MAX_HEAD_DIM),
    whole("readers", least=1, most=MAX_READERS),
    whole("iterations", least=0, most=MAX_ITERATIONS),
    number("max_s", least=MIN_PASSAGE_S, most=MAX_PASSAGE_S),
)
