"""What `config.json` of a captioning package says, field by field, and its check."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from signloom.runtime.config_rules import Rule, number, read_fields, switch, whole
from signloom.runtime.package import Package, is_printed
from signloom.runtime.settings import MAX_HEAD_DIM, MAX_LAYERS
from signloom.runtime.translate_settings import MAX_SIZE
from signloom.search.tokens import MAX_BEAM

MAX_GROUP = 32
MAX_POSITIONS = 10_000
MAX_TOKENS = 1000


@dataclass(frozen=True, kw_only=True)
class CaptionSettings:
    """Everything that running a captioner needs to know beside its graphs."""

    name: str
    """Name of the package, `<system>-<corpus>[-<language>]-v<N>`."""
    system: Literal["caption"] = "caption"
    """Which of the five systems it is."""
    kind: str = "captions"
    """What is written, in honest words."""
    spoken_language: str
    """ISO 639-1 code of the captions."""
    group: int
    """Words that come at once, K."""
    num_features: int
    """Numbers of one position of a picture."""
    positions: int
    """Most positions of a picture."""
    has_image_network: bool = True
    """Whether it looks at pictures; if not, it is given features."""
    max_tokens: int
    """Most words of a caption."""
    num_layers: int
    """Decoder layers, the cache's L."""
    num_heads: int
    """Attention heads a layer, the cache's H."""
    head_dim: int
    """Size of a head, the cache's Dh."""
    beam: int = 3
    """Captions kept a step unless asked otherwise."""
    length_penalty: float = 0.0
    """Exponent of the length penalty."""
    suppress: bool = True
    """Whether repeats are suppressed, where words come in groups, unless asked otherwise."""

    def to_dict(self) -> dict[str, Any]:
        """Give what `config.json` shall hold."""
        return asdict(self)

    @classmethod
    def read(cls, package: Package) -> CaptionSettings:
        """Read and check the settings of a package.

        Raises:
            PackageError: It is of another system, or a field is missing or does not hold.
        """
        values, _ = read_fields(package, cls, system="caption", rules=_RULES)
        return cls(**values)


_RULES: tuple[Rule, ...] = (
    (("name", "kind", "spoken_language"), is_printed, "a short name"),
    whole("group", least=1, most=MAX_GROUP),
    whole("num_features", least=1, most=MAX_SIZE),
    whole("positions", least=1, most=MAX_POSITIONS),
    whole("max_tokens", least=1, most=MAX_TOKENS),
    whole("num_layers", "num_heads", least=1, most=MAX_LAYERS),
    whole("head_dim", least=1, most=MAX_HEAD_DIM),
    whole("beam", least=1, most=MAX_BEAM),
    number("length_penalty", least=0.0, most=10.0),
    switch("has_image_network", "suppress"),
)
