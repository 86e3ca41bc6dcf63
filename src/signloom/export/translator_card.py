"""What the card of a translator says: what it reads, of what data, and what it is not."""

from __future__ import annotations

from typing import Any

from signloom.data.corpora.pair_corpus import PairCorpus
from signloom.systems.translate.config import TranslateConfig

_READS = {
    "poses": "Reads poses",
    "features": "Reads sequences of features",
    "glosses": "Reads glosses",
}
_NOT_SPELLED = (
    "It reads *fingerspelling*, not signing: letters stitched from one real clip each, by the same "
    "hands that it was trained on. That it reads a pose does not mean that people can, and it will "
    "not read other signers."
)
_NOT_LEARNED = (
    "It has learned the sentences named above and nothing else. It always writes something that "
    "sounds like them, also where it understood nothing: look at its confidence."
)


def translator_parts(task: Any) -> tuple[str, list[str], str]:
    """Give what a translator does in a line, its facts as a list, and what it is not."""
    corpus: PairCorpus = task.corpus
    does = f"{_READS[corpus.source_kind]} and writes {corpus.unit}."
    spelled = corpus.kind == "fingerspelling"
    languages = ", ".join(f"`{one}`" for one in corpus.languages)
    facts = [
        f"- Language{'s' * (len(corpus.languages) > 1)}: {languages}; "
        f"{len(corpus.vocabulary)} tokens of text.",
        *(_SPELLED if spelled else _TRANSLATED),
    ]
    made = describe_translator(task.model.config)
    return f"{does} {made}", facts, _NOT_SPELLED if spelled else _NOT_LEARNED


def describe_translator(config: TranslateConfig) -> str:
    """Say in one line what a translation model is made of.

    Example:
        >>> describe_translator(TranslateConfig(dim=128, encoder_layers=1))
        'Stochastic LWTA transformer (1-2), d 128: competing units, Gaussian weights.'
    """
    units = "competing units" if config.units == "lwta" else "ReLU units"
    weights = "Gaussian weights" if config.weights == "bayesian" else "point weights"
    stochastic = config.units == "lwta" or config.weights == "bayesian"
    name = "Stochastic LWTA transformer" if stochastic else "Transformer"
    depth = f"({config.encoder_layers}-{config.decoder_layers})"
    return f"{name} {depth}, d {config.dim}: {units}, {weights}."


_SPELLED = (
    "- Data: utterances stitched from the letter clips of `spoken-to-signed` (MIT), one clip a "
    "letter.",
    "- Licence: MIT.",
)
_TRANSLATED = ("- Data: the files that its recipe names.", "- Licence: that of the data.")
