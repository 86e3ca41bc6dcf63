"""What `config.json` of a production package says, field by field, and the check that it does.

The exporter builds a `ProduceSettings` and writes `to_dict()`; the runtime reads it back with
`read`. So each key is named once, here. Further keys (how the model was trained) are allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from signloom.errors import ConfigError, PackageError
from signloom.poses.normalize import NUM_FEATURES
from signloom.runtime.config_rules import (
    Rule,
    is_number,
    is_whole,
    number,
    read_fields,
    switch,
    whole,
)
from signloom.runtime.package import PRINTED, Package
from signloom.search.levels import KINDS, Schedule, schedule
from signloom.tokens.words import Unit

MAX_FRAMES = 10_000
MAX_LAYERS = 64
"""Most decoder layers, and most heads of one."""

MAX_HEAD_DIM = 1024
MAX_STATISTIC = 1e3
MIN_STD = 1e-6
LENGTH_RULES = ("expectation", "argmax")
UNITS = get_args(Unit)


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
    """Frames per second of the output, 1 to 240."""
    max_frames: int = 300
    """Longest sequence in one go, frames; the number of classes of the length predictor."""
    max_tokens: int
    """Longest text in one go, tokens; longer texts are cut at word boundaries."""
    edge_frames: int = 6
    """Frames at either end in which the hand is raised from rest and lowered to it."""
    skeleton: str = "upper_body_50"
    """Name of the skeleton."""
    levels: tuple[int, ...]
    """Group size of each decoder layer, bottom first."""
    schedule: Literal["block", "injected"] = "block"
    """Which graphs there are: `step` for all layers, or `layer_0`, `layer_1` …, one for each."""
    shift: int
    """Frames between a slot and the frame that it is fed; of `injected` the bottom layer's."""
    block: int
    """Most frames that one pass completes."""
    counter: bool = False
    """Whether a frame has its progress behind it, and the sequence ends where it reaches 1."""
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
    unit: Unit = "letters"
    """What a token of the text is."""
    length: Literal["expectation", "argmax"] = "expectation"
    """How a length is read from the predictor's softmax."""
    output_filter: bool = True
    """Whether the Savitzky-Golay filter runs over the output."""

    @property
    def plan(self) -> Schedule:
        """How the levels are fed and decoded.

        Raises:
            ConfigError: They cannot be decoded exactly; `read` has checked that they can.
        """
        return schedule(self.levels, kind=self.schedule, max_frames=self.max_frames)

    def to_dict(self) -> dict[str, Any]:
        """Give what `config.json` shall hold."""
        return asdict(self) | {"levels": list(self.levels), "features": dict(self.features)}

    @classmethod
    def read(cls, package: Package) -> ProduceSettings:
        """Read and check the settings of a package.

        Raises:
            PackageError: It is of another system, or a field is missing or does not hold.
        """
        values, where = read_fields(package, cls, system="produce", rules=_RULES)
        _check_together(values, where)
        return cls(**(values | {"levels": tuple(values["levels"]), "fps": float(values["fps"])}))


def _check_together(config: Mapping[str, Any], where: str) -> None:
    """Refuse fields that hold one by one, but not together."""
    largest = max(config["levels"])
    try:
        plan = schedule(
            tuple(config["levels"]), kind=config["schedule"], max_frames=config["max_frames"]
        )
    except ConfigError as error:
        raise PackageError(f"`levels` in {where} do not hold: {error}") from error
    checks = (
        (config["num_layers"] == len(config["levels"]), "`num_layers` must count the `levels`"),
        (config["shift"] == plan.shift, f"`shift` must be {plan.shift} by the `levels`"),
        (config["block"] == plan.block, f"`block` must be {plan.block} by the `levels`"),
        (largest <= config["max_frames"], "`levels` must be at most `max_frames`"),
        (config["velocity_span"] <= config["max_frames"], "`velocity_span` is over `max_frames`"),
        (not config["counter"] or largest == 1, "`levels` must be all 1 with `counter`"),
    )
    for holds, must in checks:
        if not holds:
            keys = ("num_layers", "levels", "shift", "block", "velocity_span", "max_frames")
            found = ", ".join(f"{key} {str(config[key])[:60]}" for key in keys)
            raise PackageError(f"In {where} {must}, but it has {found}.")


def _is_statistics(value: object) -> bool:
    return (
        isinstance(value, dict)
        and all(isinstance(value.get(key), list) for key in ("mean", "std"))
        and len(value["mean"]) == len(value["std"]) == NUM_FEATURES
        and all(is_number(n, least=-MAX_STATISTIC, most=MAX_STATISTIC) for n in value["mean"])
        and all(is_number(n, least=MIN_STD, most=MAX_STATISTIC) for n in value["std"])
    )


_RULES: tuple[Rule, ...] = (
    (
        ("name", *PRINTED),
        lambda value: isinstance(value, str) and bool(value),
        "a non-empty string",
    ),
    whole("max_frames", "max_tokens", "shift", "block", least=1, most=MAX_FRAMES),
    whole("num_layers", "num_heads", least=1, most=MAX_LAYERS),
    whole("head_dim", least=1, most=MAX_HEAD_DIM),
    whole("velocity_span", "edge_frames", least=0, most=MAX_FRAMES),
    number("fps", least=1.0, most=240.0),
    (("skeleton",), lambda value: value == "upper_body_50", "upper_body_50"),
    (
        ("levels",),
        lambda value: (
            isinstance(value, list)
            and 1 <= len(value) <= MAX_LAYERS
            and all(is_whole(level, least=1, most=MAX_FRAMES) for level in value)
        ),
        f"a list of 1 to {MAX_LAYERS} whole numbers from 1 to {MAX_FRAMES}",
    ),
    (
        ("features",),
        _is_statistics,
        f"the lists `mean` and `std` of {NUM_FEATURES} numbers, none larger than "
        f"{MAX_STATISTIC:g} and every `std` above 0",
    ),
    (
        ("length",),
        lambda value: isinstance(value, str) and value in LENGTH_RULES,
        "expectation or argmax",
    ),
    (
        ("unit",),
        lambda value: isinstance(value, str) and value in UNITS,
        f"one of {', '.join(UNITS)}",
    ),
    (
        ("schedule",),
        lambda value: isinstance(value, str) and value in KINDS,
        "block or injected",
    ),
    switch("output_filter", "counter"),
)
