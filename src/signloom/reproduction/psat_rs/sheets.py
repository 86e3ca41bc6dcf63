"""Figures 5 and 6: ten moments of one text as AT, NAT and PSAT sign it, and as it should be.

Each row keeps its own length: the models predict theirs. The packages must fingerspell, for then
what it should be can be built for any text.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.errors import ConfigError
from signloom.pipelines.produce import Producer
from signloom.poses.pose import Pose
from signloom.poses.render import palette
from signloom.poses.render.lettering import font
from signloom.poses.render.sheet import MOMENTS, choose_moments, draw_sheet
from signloom.reproduction.grid import Grid
from signloom.reproduction.plan import Plan, Report, Request

if TYPE_CHECKING:
    from PIL.Image import Image

LEVELS = {"AT": "[1,1,1]", "NAT": "[0,0,0]", "PSAT": "[8,4,2]"}
TRUTH = "truth"
LABEL_PX = 190
LABEL_SIZE = 44


@dataclass(frozen=True, eq=False)
class Strip:
    """A row of the figure.

    Attributes:
        name: What it is labelled.
        pose: The whole movement.
        model: Name of the model; for what it should be, of the corpus.
        model_id: Id of the model package, if it is one.
        num_passes: Decoder passes that it took, if it was decoded.
    """

    name: str
    pose: Pose
    model: str
    model_id: str | None = None
    num_passes: int | None = None

    @property
    def moments(self) -> list[int]:
        """The frames that are shown."""
        return [frame for frame, _ in choose_moments(self.pose, ())]


def plan_sheet(request: Request, *, figure: str, text: str) -> Plan:
    """Plan a contact sheet.

    Args:
        request: Names a package for each of AT, NAT and PSAT.
        figure: Number of the figure.
        text: What is signed if the request does not say.

    Raises:
        ConfigError: A model is missing, unknown or does not fingerspell the others' language.
        PackageError: A package is unknown or damaged.
        TextError: Nothing of the text can be spelled, or it is longer than one utterance.
    """
    if request.overrides:
        raise ConfigError(
            f"--set must go with a table or --figure 4a or 4b, but figure {figure} shows models "
            "as they were trained. Leave it out."
        )
    _refuse_names(request, figure)
    producers = {name: Producer(request.models[name]) for name in LEVELS}
    _refuse_mixed(producers)
    wanted = text if request.text is None else request.text
    spelled = {producer.read(wanted).spelled for producer in producers.values()}
    if len(spelled) > 1:
        raise ConfigError(f"All models must spell {wanted[:40]!r} alike, but their letters differ.")
    [letters] = spelled
    truth = build_truth(letters, language=producers["PSAT"].settings.language)
    return Plan(
        name=f"figure{figure}",
        rows=(),
        finish=lambda _: _finish(figure, letters, producers=producers, truth=truth),
    )


def _finish(figure: str, text: str, *, producers: dict[str, Producer], truth: Strip) -> Report:
    strips = [_decode(name, producer, text) for name, producer in producers.items()]
    strips.append(truth)
    grid = Grid(
        title=f"PSAT-RS, figure {figure}: {text}",
        columns=("row", "model", "frames", "seconds", "passes"),
        lines=tuple(
            (
                strip.name,
                strip.model,
                str(strip.pose.num_frames),
                f"{strip.pose.duration_s:.2f}",
                "-" if strip.num_passes is None else str(strip.num_passes),
            )
            for strip in strips
        ),
        notes=(
            f"{MOMENTS} moments of each row, evenly spread over its own length. Fingerspelling: no "
            "face, mouth or grammar.",
        ),
    )
    facts = {
        "text": text,
        "strips": {
            strip.name: {
                "model": strip.model,
                "model_id": strip.model_id,
                "num_frames": strip.pose.num_frames,
                "moments": strip.moments,
                "num_passes": strip.num_passes,
            }
            for strip in strips
        },
    }
    return Report(grid=grid, facts=facts, draw=partial(_draw, strips))


def _decode(name: str, producer: Producer, text: str) -> Strip:
    production = producer.produce(text)
    return Strip(
        name,
        production.pose,
        production.model,
        model_id=production.model_id,
        num_passes=production.num_passes,
    )


def build_truth(text: str, *, language: str) -> Strip:
    """Build what a text should look like, as utterances to learn from are built, at a drawn pace.

    Raises:
        TextError: The text is longer than one utterance.
        MissingExtraError: The clips that it is built from are not installed.
    """
    example = Fingerspelling(language).build(text, np.random.default_rng(0))
    return Strip(TRUTH, Pose.of(example.frames, fps=example.fps), "real clips, stitched")


def draw_strips(strips: list[Strip]) -> Image:
    """Draw one strip under the other, each with its name before it."""
    from PIL import Image, ImageDraw

    sheets = [draw_sheet(strip.pose, columns=MOMENTS) for strip in strips]
    size = LABEL_PX + max(sheet.width for sheet in sheets), sum(sheet.height for sheet in sheets)
    picture = Image.new("RGB", size, palette.RULE)
    draw = ImageDraw.Draw(picture)
    top = 0
    for strip, sheet in zip(strips, sheets, strict=True):
        picture.paste(sheet, (LABEL_PX, top))
        place = (LABEL_PX / 2, top + sheet.height / 2)
        lettering = font(LABEL_SIZE, strip.name)
        draw.text(place, strip.name, font=lettering, fill=palette.INK, anchor="mm")
        top += sheet.height
    return picture


def _draw(strips: list[Strip], path: Path) -> None:
    draw_strips(strips).save(path, format="PNG", optimize=True)


def _refuse_names(request: Request, figure: str) -> None:
    """Refuse models that are missing, with the commands that make them, or that have no row."""
    unknown = [name for name in request.models if name not in LEVELS]
    if unknown:
        raise ConfigError(
            f"--model must name one of {', '.join(LEVELS)}, but names {unknown[0][:40]!r}. "
            "Write it as --model AT=DIR."
        )
    missing = [name for name in LEVELS if name not in request.models]
    if missing:
        made = "; ".join(f"`{commands_of(name)}`" for name in missing)
        given = " ".join(f"--model {name}=models/{_stem(name)}" for name in missing)
        raise ConfigError(
            f"Figure {figure} must be given a model each for {', '.join(LEVELS)}, but has none for "
            f"{', '.join(missing)}. Make them by {made}; then add {given}."
        )


def commands_of(name: str) -> str:
    """Give the commands that train and export the model of a row.

    Example:
        >>> train, export = commands_of("NAT").split(" && ")
        >>> print(train)
        signloom train produce/fingerspelling_ase --set 'model.levels=[0,0,0]' --out runs/nat
        >>> print(export)
        signloom export runs/nat/last.ckpt models/produce-nat-v1
    """
    run = f"runs/{name.lower()}"
    levels = shlex.quote(f"model.levels={LEVELS[name]}")
    train = f"signloom train produce/fingerspelling_ase --set {levels} --out {run}"
    return f"{train} && signloom export {run}/last.ckpt models/{_stem(name)}"


def _stem(name: str) -> str:
    return f"produce-{name.lower()}-v1"


def _refuse_mixed(producers: dict[str, Producer]) -> None:
    """Refuse models that do not spell, or not the same language."""
    for name, producer in producers.items():
        if producer.alphabet is None:
            raise ConfigError(
                f"The model of {name} must fingerspell, so that what a text should look like can "
                f"be built, but its tokens are {producer.settings.unit}."
            )
    languages = {producer.settings.language for producer in producers.values()}
    if len(languages) > 1:
        raise ConfigError(
            f"The models must be of one language, but are of {', '.join(sorted(languages))}."
        )
