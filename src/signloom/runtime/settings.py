"""What `config.json` of a production package says, field by field, and the check that it does.

The exporter builds a `ProduceSettings` and writes `to_dict()`; the runtime reads it back with
`read`. So each key is named once, here. Further keys (how the model was trained) are allowed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from signloom.errors import PackageError
from signloom.poses.normalize import NUM_FEATURES
from signloom.runtime.package import Package

MAX_FRAMES = 10_000
LENGTH_RULES = ("expectation", "argmax")


@dataclass(frozen=True, kw_only=True)
class ProduceSettings:
    """Everything that running a production model needs to know beside its graphs."""

    name: str
    """Name of the package, `<system>-<corpus>[-<language>]-v<N>`."""
    system: Literal["produce"] = "produce"
    """Which of the five systems it is."""
    kind: str
    """What the output is, in honest words: `fingerspelling` or `signing`."""
    language: str
    """ISO 639-3 code of the sign language."""
    spoken_language: str
    """ISO 639-1 code of the language of the text."""
    fps: float = 25.0
    """Frames per second of the output, above 0."""
    max_frames: int = 300
    """Longest sequence in one go, frames; the number of classes of the length predictor."""
    max_tokens: int
    """Longest text in one go, tokens; longer texts are cut at word boundaries."""
    edge_frames: int = 6
    """Frames at either end in which the hand is raised from rest and lowered to it."""
    skeleton: str = "upper_body_50"
    """Name of the skeleton."""
    levels: tuple[int, ...]
    """Group size of each decoder layer, bottom first; how the graph was made, for the reader."""
    shift: int
    """Frames between a slot and the frame that it is fed, at least 1."""
    block: int
    """Frames that one pass completes, at least 1."""
    velocity_span: int
    """Frames before its first slot that a pass is fed; 0 without rich semantics."""
    num_layers: int
    """Decoder layers, the cache's L."""
    num_heads: int
    """Attention heads a layer, the cache's H."""
    head_dim: int
    """Size of a head, the cache's Dh."""
    features: Mapping[str, list[float]]
    """`mean` and `std` of the 150 features, as `Standardiser.to_dict` gives them."""
    length: Literal["expectation", "argmax"] = "expectation"
    """How a length is read from the predictor's softmax."""
    output_filter: bool = True
    """Whether the Savitzky-Golay filter runs over the output."""

    def to_dict(self) -> dict[str, Any]:
        """Give what `config.json` shall hold."""
        return asdict(self) | {"levels": list(self.levels), "features": dict(self.features)}

    @classmethod
    def read(cls, package: Package) -> ProduceSettings:
        """Read and check the settings of a package.

        Raises:
            PackageError: It is of another system, or a field is missing or does not hold.
        """
        config = package.config
        where = f"config.json of {package.path}"
        if package.system != "produce":
            raise PackageError(
                f"The model must be one of the system `produce`, but {package.name} is one of "
                f"`{package.system}`. Choose from `signloom models list`."
            )
        for field in fields(cls):
            if field.name not in config:
                raise PackageError(f"`{field.name}` is missing in {where}.")
        for names, holds, must in _RULES:
            for name in names:
                if not holds(config[name]):
                    raise PackageError(
                        f"`{name}` in {where} must be {must}, but is {str(config[name])[:60]!r}."
                    )
        values = {field.name: config[field.name] for field in fields(cls)}
        return cls(**(values | {"levels": tuple(values["levels"]), "fps": float(values["fps"])}))


def _is_whole(value: object, *, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MAX_FRAMES


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_statistics(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(value.get(key), list)
        and len(value[key]) == NUM_FEATURES
        and all(_is_number(number) for number in value[key])
        for key in ("mean", "std")
    )


_Rule = tuple[tuple[str, ...], Callable[[Any], bool], str]
_RULES: tuple[_Rule, ...] = (
    (
        ("name", "kind", "language", "spoken_language"),
        lambda value: isinstance(value, str) and bool(value),
        "a non-empty string",
    ),
    (
        ("max_frames", "max_tokens", "shift", "block", "num_layers", "num_heads", "head_dim"),
        lambda value: _is_whole(value, least=1),
        f"a whole number from 1 to {MAX_FRAMES}",
    ),
    (
        ("velocity_span", "edge_frames"),
        lambda value: _is_whole(value, least=0),
        f"a whole number from 0 to {MAX_FRAMES}",
    ),
    (("fps",), lambda value: _is_number(value) and 0 < value <= 240, "a number from 0 to 240"),
    (("skeleton",), lambda value: value == "upper_body_50", "upper_body_50"),
    (
        ("levels",),
        lambda value: isinstance(value, list) and all(_is_whole(level, least=1) for level in value),
        "a list of whole numbers",
    ),
    (("features",), _is_statistics, f"the lists `mean` and `std` of {NUM_FEATURES} numbers"),
    (("length",), lambda value: value in LENGTH_RULES, "expectation or argmax"),
    (("output_filter",), lambda value: isinstance(value, bool), "true or false"),
)
