"""What `config.json` of a recognition package says, field by field, and the check that it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from signloom.errors import FormatError, PackageError
from signloom.features.frames import MAX_FRAMES
from signloom.poses.skeleton import UPPER_BODY_50
from signloom.runtime.config_rules import Rule, is_languages, number, read_fields, whole
from signloom.runtime.package import Package, is_printed
from signloom.search.ngram import NgramModel
from signloom.search.tokens import MAX_BEAM

INPUTS = ("poses", "confidence", "pictures", "language")
"""What a graph may read, beside the lengths."""
SIGNED = ("poses", "pictures")
MAX_STRIDE = 64
MAX_PICTURE_PX = 1024
MAX_WEIGHT = 10.0


@dataclass(frozen=True, kw_only=True)
class RecognizeSettings:
    """Everything that running a recogniser needs to know beside its graph.

    Packages of the first release read poses two frames a step, and name one language.
    """

    name: str
    """Name of the package, `<system>-<corpus>[-<language>]-v<N>`."""
    system: Literal["recognize"] = "recognize"
    """Which of the five systems it is."""
    kind: str
    """What is read, in honest words: `fingerspelling` or `signing`."""
    languages: tuple[str, ...] = ()
    """ISO 639-3 codes of the sign languages; their places are what the graph calls them by."""
    spoken_language: str
    """ISO 639-1 code of the language of the text; of several languages the first one's."""
    unit: Literal["letters", "glosses"] = "letters"
    """What a token is."""
    inputs: tuple[str, ...] = ("poses",)
    """What the graph reads, some of `INPUTS`, beside the lengths."""
    fps: float = 25.0
    """Frames per second that signing is brought to."""
    skeleton: str = UPPER_BODY_50.name
    """What the joints of the poses are."""
    picture_px: int = 0
    """Side of the square pictures; 0 where none are read."""
    resized_px: int = 0
    """Side that pictures are brought to before their middle is cut out; 0 where nothing is cut."""
    stride: int = 2
    """Frames of one step."""
    max_frames: int = MAX_FRAMES
    """Most frames that are read at once."""
    piece_frames: int = 0
    """Longer recordings are cut where they pause, as far as they do; 0 where it is `max_frames`."""
    beam: int = 1
    """Beginnings kept a step unless asked otherwise; 1 takes the best path."""
    language_model_weight: float = 0.0
    """What the n-gram model of the vocabulary counts in a search, where there is one."""
    insertion_bonus: float = 0.0
    """What is added for each token in a search."""

    def to_dict(self) -> dict[str, Any]:
        """Give what `config.json` shall hold."""
        lists = {"languages": list(self.languages), "inputs": list(self.inputs)}
        return asdict(self) | lists

    @classmethod
    def read(cls, package: Package) -> RecognizeSettings:
        """Read and check the settings of a package.

        Raises:
            PackageError: It is of another system, or a field is missing or does not hold.
        """
        values, where = read_fields(package, cls, system="recognize", rules=_RULES)
        values["languages"] = tuple(values["languages"]) or _only_language(package.config, where)
        values["inputs"] = tuple(values["inputs"])
        _check_together(values, where)
        return cls(**values)


def language_model_of(package: Package) -> NgramModel | None:
    """Make the language model of a package, if it has counts for one.

    Raises:
        PackageError: What it has are no counts of its vocabulary.
    """
    if package.ngrams is None:
        return None
    try:
        return NgramModel.of(package.ngrams, len(package.vocabulary))
    except FormatError as error:
        raise PackageError(f"vocabulary.json of {package.path} does not hold: {error}") from error


def _only_language(config: Mapping[str, Any], where: str) -> tuple[str]:
    if "language" not in config:
        raise PackageError(f"`languages` is missing in {where}.")
    return (str(config["language"]),)


def _check_together(config: Mapping[str, Any], where: str) -> None:
    if not set(config["inputs"]) & set(SIGNED):
        raise PackageError(
            f"`inputs` in {where} must name {' or '.join(SIGNED)}, but names "
            f"{', '.join(config['inputs']) or 'nothing'}."
        )
    if ("pictures" in config["inputs"]) != (config["picture_px"] > 0):
        raise PackageError(
            f"`picture_px` in {where} must be 0 where no pictures are read, and only there, but is "
            f"{config['picture_px']} with {', '.join(config['inputs'])}."
        )
    resized_px, picture_px = config["resized_px"], config["picture_px"]
    if resized_px and not 0 < picture_px <= resized_px:
        raise PackageError(
            f"`resized_px` in {where} must be 0, or at least `picture_px` where pictures are read, "
            f"but is {resized_px} with a `picture_px` of {picture_px}."
        )


_RULES: tuple[Rule, ...] = (
    (("name", "kind", "spoken_language"), is_printed, "a short name"),
    (
        ("languages",),
        lambda value: value == () or is_languages(value),
        "a list of different codes of languages",
    ),
    (("unit",), lambda value: value in ("letters", "glosses"), "letters or glosses"),
    (
        ("inputs",),
        lambda value: (
            isinstance(value, list | tuple)
            and all(one in INPUTS for one in value)
            and len(set(value)) == len(value)
        ),
        f"a list of some of {', '.join(INPUTS)}",
    ),
    number("fps", least=1.0, most=240.0),
    (("skeleton",), lambda value: value == UPPER_BODY_50.name, UPPER_BODY_50.name),
    whole("picture_px", "resized_px", least=0, most=MAX_PICTURE_PX),
    whole("stride", least=1, most=MAX_STRIDE),
    whole("piece_frames", least=0, most=MAX_FRAMES),
    whole("max_frames", least=1, most=MAX_FRAMES),
    whole("beam", least=1, most=MAX_BEAM),
    number("language_model_weight", least=0.0, most=MAX_WEIGHT),
    number("insertion_bonus", least=-MAX_WEIGHT, most=MAX_WEIGHT),
)
