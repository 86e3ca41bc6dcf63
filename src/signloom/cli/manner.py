"""How a text is to be signed: by which model, how fast, by which hand."""

from __future__ import annotations

from dataclasses import dataclass

from signloom.errors import ConfigError
from signloom.pipelines.adapting import adapt, check_speed
from signloom.pipelines.produce import Producer
from signloom.pipelines.production import Production
from signloom.pipelines.script import Script


@dataclass(frozen=True, kw_only=True)
class Manner:
    """What the options of `signloom produce` ask for.

    Attributes:
        model: Name or folder of the model package.
        language: ISO 639-3 code of the sign language.
        is_gloss: The texts are glosses.
        speed: 2 takes half the time.
        mirrored: Sign with the other hand.
        strict: Refuse texts of which something would be left out.
    """

    model: str | None = None
    language: str | None = None
    is_gloss: bool = False
    speed: float = 1.0
    mirrored: bool = False
    strict: bool = False

    def open(self) -> Producer:
        """Load the model.

        Raises:
            UserError: The model, its language, its kind of text or the speed does not hold.
        """
        check_speed(self.speed)
        producer = Producer(self.model, language=self.language)
        name, unit = producer.session.package.name, producer.settings.unit
        if self.is_gloss and unit != "glosses":
            raise ConfigError(
                f"--gloss must go with a model that takes glosses, but {name} takes {unit}. "
                "Leave it out, or choose another --model."
            )
        if unit == "glosses" and not self.is_gloss:
            raise ConfigError(f"{name} takes glosses, not text. Give glosses, and add --gloss.")
        return producer

    def read(self, producer: Producer, text: str) -> Script:
        """Cut a text; see `Producer.read`."""
        return producer.read(text, strict=self.strict)

    def adapt(self, production: Production) -> Production:
        """Give what was produced the speed and the hand."""
        return adapt(production, speed=self.speed, mirrored=self.mirrored)


def name_left_out(producer: Producer) -> str:
    """Say what is meant by something left out."""
    return "in the alphabet" if producer.settings.unit == "letters" else "known to the model"
