"""What the card of a recogniser says: what it reads, of what data, and what it is not."""

from __future__ import annotations

from typing import Any

from signloom.data.corpora.clip_corpus import ClipCorpus
from signloom.systems.recognize.config import RecognizeConfig

_NOT_SPELLED = (
    "It reads *fingerspelling*, not signing: letters stitched from one real clip each, by the same "
    "hands that it was trained on. That it reads a pose does not mean that people can, and it will "
    "not read other signers."
)
_NOT_LEARNED = (
    "It has learned the clips named above and nothing else: signs that they do not have are read "
    "as signs that they have, and signers, cameras and places that they do not have are read "
    "worse. Look at its confidence."
)
_READS = {"keypoints": "keypoints", "pictures": "pictures", "both": "keypoints and pictures"}


def recognizer_parts(task: Any) -> tuple[str, list[str], str]:
    """Give what a recogniser does in a line, its facts as a list, and what it is not."""
    corpus: ClipCorpus = task.corpus
    config: RecognizeConfig = task.model.config
    spelled = corpus.kind == "fingerspelling"
    languages = ", ".join(f"`{one}`" for one in corpus.languages)
    facts = [
        f"- Language{'s' * (len(corpus.languages) > 1)}: {languages}; "
        f"{len(corpus.vocabulary) - 1} tokens beside the blank.",
        f"- Data: {corpus.source}.",
        f"- Licence: {'MIT' if spelled else 'that of the data'}.",
    ]
    does = f"Reads {_READS[config.streams]} of {corpus.kind} as {corpus.unit} (CTC)."
    return f"{does} {describe_recognizer(config)}", facts, _NOT_SPELLED if spelled else _NOT_LEARNED


def describe_recognizer(config: RecognizeConfig) -> str:
    """Say in one line what a recogniser is made of.

    Example:
        >>> describe_recognizer(RecognizeConfig(early_attention=False, lstm_layers=1))
        'STAMF, stride 4, attention spatial and late, BiLSTM 1 x 1024.'
    """
    placed = {
        "spatial": config.spatial_attention,
        "early": config.early_attention,
        "late": config.late_attention,
    }
    attention = " and ".join(name for name, on in placed.items() if on) or "nowhere"
    lstm = f"BiLSTM {config.lstm_layers} x {config.lstm_dim}"
    return f"STAMF, stride {config.stride}, attention {attention}, {lstm}."
