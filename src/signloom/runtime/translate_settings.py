"""What `config.json` of a translation package says, field by field, and the check that it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from signloom.errors import PackageError
from signloom.runtime.config_rules import Rule, is_languages, number, read_fields, switch, whole
from signloom.runtime.package import Package, is_printed
from signloom.runtime.settings import MAX_HEAD_DIM, MAX_LAYERS, UNITS
from signloom.search.tokens import MAX_BEAM
from signloom.tokens.words import Unit

MAX_SIZE = 1_000_000
MAX_SAMPLES = 64


@dataclass(frozen=True, kw_only=True)
class TranslateSettings:
    """Everything that running a translator needs to know beside its graphs and weights."""

    name: str
    """Name of the package, `<system>-<corpus>[-<language>]-v<N>`."""
    system: Literal["translate"] = "translate"
    """Which of the five systems it is."""
    kind: str
    """What is read, in honest words: `fingerspelling` or `signing`."""
    language: str
    """ISO 639-3 code of the sign language, or `mul`: several."""
    languages: tuple[str, ...]
    """The sign languages; with several, each begins the decoder with its own token."""
    spoken_language: str
    """ISO 639-1 code of the language of the text; of several languages the first one's."""
    unit: Unit
    """What a token of the text is."""
    source: Literal["poses", "features", "glosses"]
    """What is read: features of poses (`poses.normalize`), features of another kind, or glosses."""
    num_features: int = 0
    """Numbers of a frame; 0 where glosses are read."""
    fps: float = 25.0
    """Frames per second that poses are brought to."""
    max_source: int
    """Longest source in training, frames or glosses; longer ones are refused."""
    max_tokens: int
    """Most tokens of a translation."""
    stride: int = 1
    """Frames from one position of the encoder to the next."""
    encoder_units: int = 0
    """Competing units of the encoder; 0 where none compete."""
    decoder_units: int = 0
    """Competing units of the decoder."""
    bayesian: bool = False
    """Whether weights have a posterior spread."""
    num_layers: int
    """Decoder layers, the cache's L."""
    num_heads: int
    """Attention heads a layer, the cache's H."""
    head_dim: int
    """Size of a head, the cache's Dh."""
    beam: int = 1
    """Hypotheses kept a step unless asked otherwise; tuned on validation."""
    length_penalty: float = 0.0
    """Exponent of the length penalty, likewise."""

    @property
    def is_stochastic(self) -> bool:
        """Whether there is anything to draw samples of."""
        return self.bayesian or bool(self.encoder_units or self.decoder_units)

    def to_dict(self) -> dict[str, Any]:
        """Give what `config.json` shall hold."""
        return asdict(self) | {"languages": list(self.languages)}

    @classmethod
    def read(cls, package: Package) -> TranslateSettings:
        """Read and check the settings of a package.

        Raises:
            PackageError: It is of another system, or a field is missing or does not hold.
        """
        values, where = read_fields(package, cls, system="translate", rules=_RULES)
        _check_together(values, where)
        return cls(**(values | {"languages": tuple(values["languages"])}))


def _check_together(config: Mapping[str, Any], where: str) -> None:
    if (config["source"] == "glosses") != (config["num_features"] == 0):
        raise PackageError(
            f"`num_features` in {where} must be 0 where the source is glosses, and only there, "
            f"but is {config['num_features']} with {config['source']}."
        )
    expected = config["languages"][0] if len(config["languages"]) == 1 else "mul"
    if config["language"] != expected:
        raise PackageError(
            f"`language` in {where} must be {expected} by its `languages`, "
            f"but is {config['language']}."
        )


_RULES: tuple[Rule, ...] = (
    (
        ("name", "kind", "language", "spoken_language"),
        is_printed,
        "a short name",
    ),
    (("languages",), is_languages, "a list of different codes of languages"),
    (("unit",), lambda value: value in UNITS, f"one of {', '.join(UNITS)}"),
    (
        ("source",),
        lambda value: value in ("poses", "features", "glosses"),
        "poses, features or glosses",
    ),
    whole("num_features", "encoder_units", "decoder_units", least=0, most=MAX_SIZE),
    whole("max_source", "max_tokens", "stride", least=1, most=MAX_SIZE),
    whole("num_layers", "num_heads", least=1, most=MAX_LAYERS),
    whole("head_dim", least=1, most=MAX_HEAD_DIM),
    whole("beam", least=1, most=MAX_BEAM),
    number("fps", least=1.0, most=240.0),
    number("length_penalty", least=0.0, most=10.0),
    switch("bayesian"),
)
