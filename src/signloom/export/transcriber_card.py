"""What the card of a transcriber says: what it hears, of what data, and what it is not."""

from __future__ import annotations

from typing import Any

from signloom.data.speech.corpus import SpeechCorpus
from signloom.export.transcribe_graphs import refinement_of
from signloom.systems.transcribe.config import TranscribeConfig
from signloom.tokens.alphabet import PAD
from signloom.tokens.targets import END, START
from signloom.tokens.words import UNKNOWN

FEW = 30
"""Tokens that a card names one by one, and no more."""
_SEES = {
    "unified": "all tokens from all others",
    "left_to_right": "each token from those before it",
    "right_to_left": "each token from those after it",
    "both": "each token from those before it, and from those after it",
}


def transcriber_parts(task: Any) -> tuple[str, list[str], str]:
    """Give what a transcriber does in a line, its facts as a list, and what it is not.

    Raises:
        ConfigError: Its decoder is autoregressive.
    """
    refinement_of(task.model)
    corpus: SpeechCorpus = task.corpus
    config: TranscribeConfig = task.model.config
    special = (PAD, UNKNOWN, START, END)
    tokens = [token for token in corpus.vocabulary.tokens if token not in special]
    named = f": {', '.join(tokens)}" if len(tokens) <= FEW else ""
    facts = [
        f"- Language: `{corpus.spoken_language}`; {len(tokens)} {corpus.unit}{named}.",
        f"- Data: {corpus.source}.",
        f"- Licence: {corpus.licence}, that of the data.",
    ]
    does = f"Transcribes speech as {corpus.unit}. {describe_transcriber(config)}"
    is_not = (
        f"It knows its {len(tokens)} {corpus.unit} and nothing else: whatever is said it hears as "
        "some of them. It has heard the speakers, rooms and microphones of the data named above, "
        "and hears others worse. Look at its confidence."
    )
    return does, facts, is_not


def describe_transcriber(config: TranscribeConfig) -> str:
    """Say in one line what a transcriber is made of.

    Example:
        >>> describe_transcriber(TranscribeConfig(encoder="conformer", encoder_layers=4))
        'NAT-UBD: Conformer of 4 layers with CTC, refined by 6 layers, all tokens from all others.'
    """
    encoder = config.encoder.capitalize()
    return (
        f"NAT-UBD: {encoder} of {config.encoder_layers} layers with CTC, refined by "
        f"{config.decoder_layers} layers, {_SEES[config.decoder]}."
    )
