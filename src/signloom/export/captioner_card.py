"""What the card of a captioner says: what it looks at, of what data it learned, what it is not."""

from __future__ import annotations

from typing import Any

from signloom.data.captions.corpus import CaptionCorpus
from signloom.features.store import FeatureStore, PictureFeatures
from signloom.runtime.image_session import NETWORK
from signloom.systems.caption.config import CaptionConfig

SPECIAL_TOKENS = 4


def captioner_parts(task: Any) -> tuple[str, list[str], str]:
    """Give what a captioner does in a line, its facts as a list, and what it is not."""
    corpus: CaptionCorpus = task.corpus
    words = len(corpus.vocabulary) - SPECIAL_TOKENS
    facts = [
        f"- Language: `{corpus.spoken_language}`; {words} words.",
        f"- Data: {corpus.source}, {len(corpus.examples('train'))} training pictures.",
        f"- Licence: {corpus.licence}, that of the data.",
        _sight(corpus.features),
    ]
    does = f"Says in a sentence what a picture shows. {describe_captioner(task.model.config)}"
    is_not = (
        "It says what pictures like those of its data mostly show, in their words: people, dogs "
        "and sports of Flickr, if it learned from there. It guesses ages, genders and colours, "
        "misses what is small or at the edge, and invents. Nobody's safety may hang on it."
    )
    return does, facts, is_not


def describe_captioner(config: CaptionConfig) -> str:
    """Say in one line what a captioner is made of.

    Example:
        >>> describe_captioner(CaptionConfig(group=2, dim=256))
        'SATIC: 6 + 6 layers of 256, 2 words a step.'
    """
    layers = f"{config.encoder_layers} + {config.decoder_layers} layers of {config.dim}"
    step = f"{config.group} words a step" if config.group > 1 else "a word a step"
    return f"SATIC: {layers}, {step}."


def _sight(features: PictureFeatures) -> str:
    """Say what a captioner with these features looks at."""
    if not isinstance(features, FeatureStore):
        return (
            f"- Reads bottom-up features of regions, {features.num_features} numbers each, that "
            "others have computed. It cannot look at a picture itself."
        )
    network = f"`{features.index.network}`"
    if features.index.network == NETWORK:
        network = "EfficientNet-Lite0 with ImageNet weights (Apache-2.0)"
    return f"- Looks at pictures by {network}, 224 x 224 pixels from the middle of a picture."
